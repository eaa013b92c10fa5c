import { IconTransfer } from '@tabler/icons-react';
import type { VariablesOf } from 'gql.tada';
import { ClientFilter } from '../choosing/client-filter.tsx';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { ClaimProgress } from '../fan/claim-progress.tsx';
import { Holder } from '../fan/holder.tsx';
import { nameOfTicket } from '../fan/names.ts';
import { CLAIM_STATE_OPTIONS, SET_ASIDE } from '../fan/states.tsx';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { IdChip } from '../parts/id-chip.tsx';
import { FilterSelect, IdFilter, ListToolbar, SearchField } from '../parts/list-toolbar.tsx';
import { ModeMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { useList } from '../parts/use-list.ts';

const CLAIMS = graphql(`
  query Claims(
    $state: ClaimState, $setAside: Boolean, $clientId: ID, $fanId: ID, $grantId: ID, $permitId: ID, $signature: String
    $first: Int, $after: String, $last: Int, $before: String
  ) {
    claims(
      state: $state, setAside: $setAside, clientId: $clientId, fanId: $fanId, grantId: $grantId, permitId: $permitId, signature: $signature
      first: $first, after: $after, last: $last, before: $before
    ) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes {
        id state setAside nextAttemptAt signature updatedAt
        grant { client { name mode } fan { id phone testUser { phone } } }
        permit { ticket { ticketType { name event { name } } } }
      }
    }
  }
`);

type Variables = VariablesOf<typeof CLAIMS>;

/** Claims of tickets, with how far each has come on the chain. */
export function ClaimsPage() {
  const list = useList(['signature', 'client', 'state', 'fan', 'grant', 'permit']);
  const { signature, client, state, fan, grant, permit } = list.filters;
  const view = useView('claims', CLAIMS, {
    ...list.page,
    signature,
    clientId: client === '' ? null : client,
    state: state === '' || state === SET_ASIDE ? null : (state as Variables['state']),
    setAside: state === SET_ASIDE ? true : null,
    fanId: fan === '' ? null : fan,
    grantId: grant === '' ? null : grant,
    permitId: permit === '' ? null : permit,
  });
  return (
    <Page
      title="Claims"
      description="A claim moves a ticket by a transfer that was signed elsewhere. Pending ones wait to be sent; submitted ones wait for the chain."
    >
      <ListToolbar list={list}>
        <SearchField
          label="Search claims"
          placeholder="A whole signature (transfer_id)"
          value={signature}
          onChange={(next) => list.filter({ signature: next })}
        />
        <ClientFilter value={client} onChange={(next) => list.filter({ client: next })} />
        <FilterSelect
          label="State"
          value={state}
          options={CLAIM_STATE_OPTIONS}
          onChange={(next) => list.filter({ state: next })}
        />
        <IdFilter label="Fan" id={fan} onRemove={() => list.filter({ fan: '' })} />
        <IdFilter label="Grant" id={grant} onRemove={() => list.filter({ grant: '' })} />
        <IdFilter label="Permit" id={permit} onRemove={() => list.filter({ permit: '' })} />
      </ListToolbar>
      <ConnectionTable
        caption="Claims"
        view={view}
        connection={view.data?.claims}
        list={list}
        rowKey={({ id }) => id}
        href={({ id }) => `/claims/${id}`}
        columns={[
          { header: 'Ticket', cell: (claim) => nameOfTicket(claim.permit.ticket) },
          { header: 'Mode', cell: (claim) => <ModeMark mode={claim.grant.client.mode} /> },
          { header: 'State', cell: (claim) => <ClaimProgress claim={claim} /> },
          { header: 'Fan', cell: (claim) => <Holder of={claim.grant.fan} /> },
          { header: 'Client', cell: (claim) => claim.grant.client.name },
          { header: 'Signature', cell: (claim) => <IdChip id={claim.signature} /> },
          { header: 'Changed', cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
        ]}
        empty={
          <EmptyState icon={<IconTransfer />} title="No claim yet">
            A partner hands a signed transfer in (POST /claims); from then on its way over the chain is shown here.
          </EmptyState>
        }
      />
    </Page>
  );
}
