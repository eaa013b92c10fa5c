import { NumberInput } from '@mantine/core';
import { IconDeviceMobile } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { PAGE, REFUSAL, useChange } from '../../kit/data/view.ts';
import { FormDialog } from '../../kit/parts/dialog.tsx';
import { useSendForm } from '../../kit/parts/form.ts';
import { AddButton, ListPage, useFormInAddress } from '../../kit/parts/list.tsx';
import { LinkButton } from '../../kit/parts/page.tsx';
import { searchFilter, useList } from '../../kit/parts/use-list.tsx';
import { Copyable, IdChip, Moment } from '../../kit/parts/values.tsx';
import { MadeUsers } from '../../kit/sandbox/made-users.tsx';
import { FindSelect, PARTNER_FILTER, usePartners } from '../choosing/find-select.tsx';
import { graphql } from '../data/graphql.ts';

const TEST_USERS = graphql(`
  query TestUsers($partnerId: ID, $search: String, $sort: AgeSort, ${PAGE.variables}) {
    testUsers(partnerId: $partnerId, search: $search, sort: $sort, ${PAGE.args}) {
      ${PAGE.fields}
      nodes { id phone code createdAt partner { id name } fan { walletAddress } }
    }
  }
`);

/** Sandbox fans with static codes. `?create=1` opens the form. */
export function TestUsersPage() {
  const list = useList({
    document: TEST_USERS,
    filters: { search: searchFilter('Search test users', 'Part of the phone number'), partner: PARTNER_FILTER },
    sorts: { Created: 'CREATED' },
    variables: (page, { search, partner }, sort) => ({ ...page, search, partnerId: partner, sort }),
    connection: ({ testUsers }) => testUsers,
  });
  const partner = list.values.partner ?? '';
  const [made, setMade] = useState<readonly MadeUser[]>([]);
  const form = useFormInAddress('create', 'sandbox:write', ['partner']);
  return (
    <ListPage
      title="Test users"
      description="Sandbox fans. Only their partner’s sandbox clients can sign them in. Each has a fixed code instead of an SMS, and a wallet on the test network."
      actions={<SandboxLinks partnerId={partner} />}
      add={<AddButton label="Create test users" right="sandbox:write" onClick={form.open} />}
      list={list}
      columns={{
        Phone: ({ phone }) => <Copyable text={phone} label={`phone ${phone}`} />,
        Code: ({ phone, code }) => <Copyable text={code} label={`code of ${phone}`} />,
        Wallet: ({ fan }) => fan.walletAddress && <IdChip id={fan.walletAddress} />,
        Partner: (user) => user.partner?.name ?? 'all partners',
        Fan: ({ id }) => <IdChip id={id} href={`/fans/${id}`} />,
        Created: ({ createdAt }) => <Moment at={createdAt} />,
      }}
      emptyIcon={<IconDeviceMobile />}
      emptyTitle="No test users yet"
      emptyText="A test user signs in to a partner’s sandbox clients with a fictional phone number and a fixed code, both shown here. Grant it permits to give it tickets."
    >
      {form.isOpen && (
        <CreateTestUsers
          partnerId={partner}
          onMade={(users) => {
            form.close();
            setMade(users);
          }}
          onClose={form.close}
        />
      )}
      {made.length > 0 && (
        <MadeUsers
          users={made.map(({ fan, ...user }) => ({ ...user, walletAddress: fan.walletAddress }))}
          advice="Pass these on to the partner’s developers. They have no tickets yet: grant permits to add some."
          onClose={() => setMade([])}
        />
      )}
    </ListPage>
  );
}

/** From a list that is filtered by a partner to the reset of its sandbox. */
function SandboxLinks({ partnerId }: { partnerId: string }) {
  if (partnerId === '') return null;
  return <LinkButton href={`/partners/${partnerId}/reset-sandbox`}>Reset sandbox</LinkButton>;
}

const CREATE_TEST_USERS = graphql(`
  mutation CreateTestUsers($partnerId: ID, $count: Int!) {
    createTestUsers(partnerId: $partnerId, count: $count) {
      ${REFUSAL} ... on CreatedTestUsers { testUsers { id phone code fan { walletAddress } } }
    }
  }
`);

type Created = Extract<ResultOf<typeof CREATE_TEST_USERS>['createTestUsers'], { __typename: 'CreatedTestUsers' }>;
type MadeUser = Created['testUsers'][number];

/** The service's limit per call. */
const MAX = 50;

interface CreateTestUsersProps {
  /** Their partner; empty to choose one, or none. */
  partnerId: string;
  onMade: (users: readonly MadeUser[]) => void;
  onClose: () => void;
}

/** Makes one test user or several. */
function CreateTestUsers({ partnerId, onMade, onClose }: CreateTestUsersProps) {
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
