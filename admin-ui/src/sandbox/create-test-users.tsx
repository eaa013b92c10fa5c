import { NumberInput } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { graphql, REFUSAL } from '../data/graphql.ts';
import { useChange } from '../data/view.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useSendForm } from '../parts/use-send-form.ts';
import { PartnerSelect } from '../registration/partner-select.tsx';

const CREATE_TEST_USERS = graphql(`
  mutation CreateTestUsers($partnerId: ID!, $count: Int!) {
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
  /** Their partner; empty to choose one. */
  partnerId: string;
  onMade: (users: readonly MadeUser[]) => void;
  onClose: () => void;
}

/** Makes one test user or several. */
export function CreateTestUsers({ partnerId, onMade, onClose }: CreateTestUsersProps) {
  const create = useChange(CREATE_TEST_USERS);
  const form = useSendForm({
    initialValues: { partnerId, count: 1 },
    validate: {
      partnerId: (id) => (id === '' ? 'Choose the partner.' : null),
      count: (count) => (count >= 1 && count <= MAX ? null : `1 to ${MAX}.`),
    },
    send: async (values) => onMade((await create.mutateAsync(values)).testUsers),
  });
  return (
    <FormDialog
      title="Make test users"
      confirmLabel="Make"
      failureTitle="No test user was made"
      form={form}
      onClose={onClose}
    >
      <PartnerSelect
        isFirst
        description="Its sandbox clients can sign them in; others can not."
        {...form.getInputProps('partnerId')}
        value={form.values.partnerId}
      />
      <NumberInput
        label="How many"
        description={`1 to ${MAX}. Each gets a phone number that nobody has, a code and a wallet.`}
        required
        min={1}
        max={MAX}
        allowDecimal={false}
        {...form.getInputProps('count')}
      />
    </FormDialog>
  );
}
