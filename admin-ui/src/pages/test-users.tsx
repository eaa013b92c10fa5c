import { IconDeviceMobile, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { PartnerFilter } from '../choosing/partner-filter.tsx';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { useDisabledReason } from '../data/viewer.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { Copyable } from '../parts/copy-text.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { IdChip } from '../parts/id-chip.tsx';
import { ListToolbar, SearchField } from '../parts/list-toolbar.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { useList } from '../parts/use-list.ts';
import { CreateTestUsers, type MadeUser } from '../sandbox/create-test-users.tsx';
import { MadeUsers } from '../sandbox/made-users.tsx';
import { SandboxLinks } from '../sandbox/sandbox-links.tsx';

const TEST_USERS = graphql(`
  query TestUsers($partnerId: ID, $search: String, $first: Int, $after: String, $last: Int, $before: String) {
    testUsers(
      partnerId: $partnerId, search: $search, first: $first, after: $after, last: $last, before: $before
    ) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes { id phone code createdAt partner { id name } fan { walletAddress } }
    }
  }
`);

/** Sandbox fans with static codes. `?create=1` opens the form. */
export function TestUsersPage() {
  const list = useList(['search', 'partner']);
  const { search, partner } = list.filters;
  const view = useView('test-users', TEST_USERS, { ...list.page, search, partnerId: partner === '' ? null : partner });
  const [params, setParams] = useSearchParams();
  const [made, setMade] = useState<readonly MadeUser[]>([]);
  const disabledReason = useDisabledReason('sandbox:write');
  const showForm = (shown: boolean) =>
    setParams({ ...(partner !== '' && { partner }), ...(shown && { create: '1' }) }, { replace: true });
  const button = (
    <ActionButton
      leftSection={<IconPlus size={16} aria-hidden />}
      disabledReason={disabledReason}
      onClick={() => showForm(true)}
    >
      Make test users
    </ActionButton>
  );

  return (
    <Page
      title="Test users"
      description="Fans of the sandbox. Each belongs to a partner, signs in with a code that never changes in place of an SMS, and has a wallet on the test network."
      actions={
        <>
          <SandboxLinks partnerId={partner} />
          {button}
        </>
      }
    >
      <ListToolbar list={list}>
        <SearchField
          label="Search test users"
          placeholder="A part of the phone number"
          value={search}
          onChange={(next) => list.filter({ search: next })}
        />
        <PartnerFilter value={partner} onChange={(next) => list.filter({ partner: next })} />
      </ListToolbar>
      <ConnectionTable
        caption="Test users"
        view={view}
        connection={view.data?.testUsers}
        list={list}
        rowKey={({ id }) => id}
        columns={[
          { header: 'Phone', cell: ({ phone }) => <Copyable text={phone} label={`phone ${phone}`} /> },
          { header: 'Code', cell: ({ phone, code }) => <Copyable text={code} label={`code of ${phone}`} /> },
          { header: 'Wallet', cell: ({ fan }) => fan.walletAddress && <IdChip id={fan.walletAddress} /> },
          { header: 'Partner', cell: (user) => user.partner.name },
          { header: 'Fan', cell: ({ id }) => <IdChip id={id} href={`/fans/${id}`} /> },
          { header: 'Made', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
        empty={
          <EmptyState icon={<IconDeviceMobile />} title="No test user yet" actions={button}>
            A test user signs in to a partner’s sandbox clients with a phone number that nobody has and a code that is
            shown here. Then give it permits: they are its tickets.
          </EmptyState>
        }
      />
      {params.has('create') && disabledReason === undefined && (
        <CreateTestUsers
          partnerId={partner}
          onMade={(users) => {
            showForm(false);
            setMade(users);
          }}
          onClose={() => showForm(false)}
        />
      )}
      {made.length > 0 && <MadeUsers users={made} onClose={() => setMade([])} />}
    </Page>
  );
}
