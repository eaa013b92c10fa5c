import { IconDeviceMobile } from '@tabler/icons-react';
import { useState } from 'react';
import { PARTNER_FILTER } from '../choosing/filters.tsx';
import { graphql, PAGE } from '../data/graphql.ts';
import { AddButton, useFormInAddress } from '../parts/add-button.tsx';
import { Copyable } from '../parts/copy-text.tsx';
import { searchFilter } from '../parts/filters.tsx';
import { IdChip } from '../parts/id-chip.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { Moment } from '../parts/moment.tsx';
import { useList } from '../parts/use-list.tsx';
import { LinkButton } from '../parts/view-link.tsx';
import { CreateTestUsers, type MadeUser } from '../sandbox/create-test-users.tsx';
import { MadeUsers } from '../sandbox/made-users.tsx';

const TEST_USERS = graphql(`
  query TestUsers($partnerId: ID, $search: String, ${PAGE.variables}) {
    testUsers(partnerId: $partnerId, search: $search, ${PAGE.args}) {
      ${PAGE.fields}
      nodes { id phone code createdAt partner { id name } fan { walletAddress } }
    }
  }
`);

/** Sandbox fans with static codes. `?create=1` opens the form. */
export function TestUsersPage() {
  const list = useList({
    document: TEST_USERS,
    filters: { search: searchFilter('Search test users', 'A part of the phone number'), partner: PARTNER_FILTER },
    variables: (page, { search, partner }) => ({ ...page, search, partnerId: partner }),
    connection: ({ testUsers }) => testUsers,
  });
  const partner = list.values.partner ?? '';
  const [made, setMade] = useState<readonly MadeUser[]>([]);
  const form = useFormInAddress('create', 'sandbox:write', ['partner']);
  return (
    <ListPage
      title="Test users"
      description="Fans of the sandbox. Each belongs to a partner, signs in with a code that never changes in place of an SMS, and has a wallet on the test network."
      actions={<SandboxLinks partnerId={partner} />}
      add={<AddButton label="Make test users" right="sandbox:write" onClick={form.open} />}
      list={list}
      columns={{
        Phone: ({ phone }) => <Copyable text={phone} label={`phone ${phone}`} />,
        Code: ({ phone, code }) => <Copyable text={code} label={`code of ${phone}`} />,
        Wallet: ({ fan }) => fan.walletAddress && <IdChip id={fan.walletAddress} />,
        Partner: (user) => user.partner.name,
        Fan: ({ id }) => <IdChip id={id} href={`/fans/${id}`} />,
        Made: ({ createdAt }) => <Moment at={createdAt} />,
      }}
      emptyIcon={<IconDeviceMobile />}
      emptyTitle="No test user yet"
      emptyText="A test user signs in to a partner’s sandbox clients with a phone number that nobody has and a code that is shown here. Then give it permits: they are its tickets."
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
      {made.length > 0 && <MadeUsers users={made} onClose={() => setMade([])} />}
    </ListPage>
  );
}

/** From a list that is filtered by a partner to the reset of its sandbox. */
function SandboxLinks({ partnerId }: { partnerId: string }) {
  if (partnerId === '') return null;
  return <LinkButton href={`/partners/${partnerId}/reset-sandbox`}>Reset sandbox</LinkButton>;
}
