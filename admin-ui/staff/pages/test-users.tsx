import { IconDeviceMobile } from '@tabler/icons-react';
import { useState } from 'react';
import { PAGE } from '../../kit/data/document.ts';
import { AddButton, useFormInAddress } from '../../kit/parts/add-button.tsx';
import { Copyable } from '../../kit/parts/copy-text.tsx';
import { searchFilter } from '../../kit/parts/filters.tsx';
import { IdChip } from '../../kit/parts/id-chip.tsx';
import { ListPage } from '../../kit/parts/list-page.tsx';
import { Moment } from '../../kit/parts/moment.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { LinkButton } from '../../kit/parts/view-link.tsx';
import { MadeUsers } from '../../kit/sandbox/made-users.tsx';
import { PARTNER_FILTER } from '../choosing/filters.tsx';
import { graphql } from '../data/graphql.ts';
import { CreateTestUsers, type MadeUser } from '../sandbox/create-test-users.tsx';

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
