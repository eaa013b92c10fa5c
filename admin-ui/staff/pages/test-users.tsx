import { PAGE, REFUSAL, useChange } from '../../kit/data/view.ts';
import { LinkButton } from '../../kit/parts/page.tsx';
import { searchFilter, useList } from '../../kit/parts/use-list.tsx';
import { IdChip } from '../../kit/parts/values.tsx';
import { TestUsersPage as TestUsers } from '../../kit/sandbox/test-users.tsx';
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

const CREATE_TEST_USERS = graphql(`
  mutation CreateTestUsers($partnerId: ID, $count: Int!) {
    createTestUsers(partnerId: $partnerId, count: $count) {
      ${REFUSAL} ... on CreatedTestUsers { testUsers { id phone code fan { walletAddress } } }
    }
  }
`);

/** The test users of all partners, or of one. */
export function TestUsersPage() {
  const list = useList({
    document: TEST_USERS,
    filters: { search: searchFilter('Search test users', 'Part of the phone number'), partner: PARTNER_FILTER },
    sorts: { Created: 'CREATED' },
    variables: ({ partner: partnerId }) => ({ partnerId }),
  });
  const { partner } = list.values;
  const make = useChange(CREATE_TEST_USERS);
  return (
    <TestUsers
      list={list}
      description="Sandbox fans. Only their partner’s sandbox clients can sign them in. Each has a fixed code instead of an SMS, and a wallet on the test network."
      actions={partner && <LinkButton href={`/partners/${partner}/reset-sandbox`}>Reset sandbox</LinkButton>}
      walletOf={({ fan }) => fan.walletAddress}
      columns={{
        Partner: (user) => user.partner?.name ?? 'all partners',
        Fan: ({ id }) => <IdChip id={id} href={`/fans/${id}`} />,
      }}
      emptyText="A test user signs in to a partner’s sandbox clients with a fictional phone number and a fixed code, both shown here. Grant it permits to give it tickets."
      advice="Pass these on to the partner’s developers. They have no tickets yet: grant permits to add some."
      partnerId={partner ?? ''}
      ownerField={(field) => (
        <FindSelect
          label="Partner"
          description="Only its sandbox clients can sign them in. Leave empty for all partners."
          isFirst
          {...field}
          useFound={usePartners}
          nothingFound="No matching partner."
        />
      )}
      create={async ({ partnerId, count }) => {
        const { testUsers } = await make.mutateAsync({ partnerId: partnerId || null, count });
        return testUsers.map(({ fan, ...user }) => ({ ...user, walletAddress: fan.walletAddress }));
      }}
    />
  );
}
