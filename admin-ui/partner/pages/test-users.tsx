import { NumberInput } from '@mantine/core';
import { IconDeviceMobile } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { PAGE, REFUSAL, useChange } from '../../kit/data/view.ts';
import { FormDialog } from '../../kit/parts/dialog.tsx';
import { useSendForm } from '../../kit/parts/form.ts';
import { AddButton, ListPage, useFormInAddress } from '../../kit/parts/list.tsx';
import { ViewLink } from '../../kit/parts/page.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { Copyable, IdChip, Moment } from '../../kit/parts/values.tsx';
import { MadeUsers } from '../../kit/sandbox/made-users.tsx';
import { graphql } from '../data/graphql.ts';
import { SANDBOX_RIGHT } from '../sandbox/grant-permits.tsx';

const TEST_USERS = graphql(`
  query TestUsers(${PAGE.variables}) {
    testUsers(${PAGE.args}) {
      ${PAGE.fields}
      nodes { id phone code createdAt isShared walletAddress }
    }
  }
`);

const CREATE_TEST_USERS = graphql(`
  mutation CreateTestUsers($count: Int!) {
    createTestUsers(count: $count) {
      ${REFUSAL} ... on CreatedTestUsers { testUsers { id phone code walletAddress } }
    }
  }
`);

type Created = Extract<ResultOf<typeof CREATE_TEST_USERS>['createTestUsers'], { __typename: 'CreatedTestUsers' }>;
type MadeUser = Created['testUsers'][number];

/** The service's limit per call. */
const MAX = 50;

/** Sandbox fans with static codes. `?create=1` opens the form. */
export function TestUsersPage() {
  const list = useList({
    document: TEST_USERS,
    variables: (page) => page,
    connection: ({ testUsers }) => testUsers,
  });
  const [made, setMade] = useState<readonly MadeUser[]>([]);
  const form = useFormInAddress('create', SANDBOX_RIGHT);
  return (
    <ListPage
      title="Test users"
      description="Sandbox fans for your sandbox clients. Each has a fictional phone number, a fixed code instead of an SMS, and a wallet on the test network."
      add={<AddButton label="Create test users" right={SANDBOX_RIGHT} onClick={form.open} />}
      list={list}
      columns={{
        Phone: ({ phone }) => <Copyable text={phone} label={`phone ${phone}`} />,
        Code: ({ phone, code }) => <Copyable text={code} label={`code of ${phone}`} />,
        Wallet: ({ walletAddress }) => walletAddress && <IdChip id={walletAddress} />,
        Whose: ({ isShared }) => (isShared ? 'Shared by all partners' : 'Yours'),
        Tickets: ({ id, phone }) => (
          <ViewLink href={`/permits?fan=${id}`} aria-label={`Permits of ${phone}`}>
            Permits
          </ViewLink>
        ),
        Created: ({ createdAt }) => <Moment at={createdAt} />,
      }}
      emptyIcon={<IconDeviceMobile />}
      emptyTitle="No test users yet"
      emptyText="A test user signs in to your sandbox clients with a fictional phone number and a fixed code, both shown here. Grant it permits to give it tickets."
    >
      {form.isOpen && (
        <CreateTestUsers
          onMade={(users) => {
            form.close();
            setMade(users);
          }}
          onClose={form.close}
        />
      )}
      {made.length > 0 && (
        <MadeUsers
          users={made}
          advice="Sign in to a sandbox client with one of these. They have no tickets yet: grant permits to add some."
          onClose={() => setMade([])}
        />
      )}
    </ListPage>
  );
}

interface CreateTestUsersProps {
  onMade: (users: readonly MadeUser[]) => void;
  onClose: () => void;
}

function CreateTestUsers({ onMade, onClose }: CreateTestUsersProps) {
  const create = useChange(CREATE_TEST_USERS);
  const form = useSendForm({
    initialValues: { count: 1 },
    validate: { count: (count) => (count >= 1 && count <= MAX ? null : `1 to ${MAX}.`) },
    send: async (values) => onMade((await create.mutateAsync(values)).testUsers),
  });
  return (
    <FormDialog
      title="Create test users"
      confirmLabel="Create"
      failureTitle="No test users were created"
      form={form}
      onClose={onClose}
    >
      <NumberInput
        label="How many"
        description={`1 to ${MAX}. Each gets a fictional phone number, a code and a wallet.`}
        required
        data-autofocus
        min={1}
        max={MAX}
        allowDecimal={false}
        {...form.getInputProps('count')}
      />
    </FormDialog>
  );
}
