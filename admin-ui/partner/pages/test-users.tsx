import { graphql } from '../../kit/data/graphql.ts';
import { PAGE, REFUSAL, useChange } from '../../kit/data/view.ts';
import { ViewLink } from '../../kit/parts/page.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { TestUsersPage as TestUsers } from '../../kit/sandbox/test-users.tsx';

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

/** The partner's test users, and those of all partners. */
export function TestUsersPage() {
  const list = useList({ document: TEST_USERS });
  const make = useChange(CREATE_TEST_USERS);
  return (
    <TestUsers
      list={list}
      description="Sandbox fans for your sandbox clients. Each has a fictional phone number, a fixed code instead of an SMS, and a wallet on the test network."
      walletOf={({ walletAddress }) => walletAddress}
      columns={{
        Whose: ({ isShared }) => (isShared ? 'Shared by all partners' : 'Yours'),
        Tickets: ({ id, phone }) => (
          <ViewLink href={`/permits?fan=${id}`} aria-label={`Permits of ${phone}`}>
            Permits
          </ViewLink>
        ),
      }}
      emptyText="A test user signs in to your sandbox clients with a fictional phone number and a fixed code, both shown here. Grant it permits to give it tickets."
      advice="Sign in to a sandbox client with one of these. They have no tickets yet: grant permits to add some."
      partnerId=""
      create={async ({ count }) => (await make.mutateAsync({ count })).testUsers}
    />
  );
}
