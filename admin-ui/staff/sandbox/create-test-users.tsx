import { NumberInput } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { REFUSAL } from '../../kit/data/document.ts';
import { useChange } from '../../kit/data/view.ts';
import { FormDialog } from '../../kit/parts/form-dialog.tsx';
import { useSendForm } from '../../kit/parts/use-send-form.ts';
import { FindSelect } from '../choosing/find-select.tsx';
import { usePartners } from '../choosing/use-found.ts';
import { graphql } from '../data/graphql.ts';

const CREATE_TEST_USERS = graphql(`
  mutation CreateTestUsers($partnerId: ID, $count: Int!) {
    createTestUsers(partnerId: $partnerId, count: $count) {
      ${REFUSAL} ... on CreatedTestUsers { testUsers { id phone code fan { walletAddress } } }
    }
  }
`);

type Created = Extract<ResultOf<typeof CREATE_TEST_USERS>['createTestUsers'], { __typename: 'CreatedTestUsers' }>;
export type MadeUser = Created['testUsers'][number];

/** The service's limit per call. */
const MAX = 50;

interface CreateTestUsersProps {
  /** Their partner; empty to choose one, or none. */
  partnerId: string;
  onMade: (users: readonly MadeUser[]) => void;
  onClose: () => void;
}

/** Makes one test user or several. */
export function CreateTestUsers({ partnerId, onMade, onClose }: CreateTestUsersProps) {
  const create = useChange(CREATE_TEST_USERS);
  const form = useSendForm({
    initialValues: { partnerId, count: 1 },
    draft: `test-users.${partnerId}`,
    validate: {
      count: (count) => (count >= 1 && count <= MAX ? null : `1 to ${MAX}.`),
    },
    send: async ({ partnerId: id, count }) =>
      onMade((await create.mutateAsync({ partnerId: id || null, count })).testUsers),
  });
  return (
    <FormDialog
      title="Create test users"
      confirmLabel="Create"
      failureTitle="No test users were created"
      form={form}
      onClose={onClose}
    >
      <FindSelect
        label="Partner"
        description="Only its sandbox clients can sign them in. Leave empty for all partners."
        isFirst
        {...form.getInputProps('partnerId')}
        value={form.values.partnerId}
        useFound={usePartners}
        nothingFound="No matching partner."
      />
      <NumberInput
        label="How many"
        description={`1 to ${MAX}. Each gets a fictional phone number, a code and a wallet.`}
        required
        min={1}
        max={MAX}
        allowDecimal={false}
        {...form.getInputProps('count')}
      />
    </FormDialog>
  );
}
