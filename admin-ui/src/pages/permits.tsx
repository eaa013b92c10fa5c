import { IconPlus, IconTicket } from '@tabler/icons-react';
import type { VariablesOf } from 'gql.tada';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { FindSelect } from '../choosing/find-select.tsx';
import { PartnerFilter } from '../choosing/partner-filter.tsx';
import { useTestEvents } from '../choosing/use-test-events.ts';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { useDisabledReason } from '../data/viewer.ts';
import { Holder } from '../fan/holder.tsx';
import { nameOfTicket } from '../fan/names.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { IdChip } from '../parts/id-chip.tsx';
import { FilterSelect, IdFilter, ListToolbar, SearchField } from '../parts/list-toolbar.tsx';
import { ModeMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { useList } from '../parts/use-list.ts';
import { ChosenPermits } from '../sandbox/chosen-permits.tsx';
import { GrantPermits } from '../sandbox/grant-permits.tsx';
import { PERMIT_STATE_OPTIONS, PermitStateMark } from '../sandbox/permit-state.tsx';
import { CHAIN_OPTIONS, UnreadNote } from '../sandbox/unread-permit.tsx';

const PERMITS = graphql(`
  query Permits(
    $search: String, $partnerId: ID, $eventId: ID, $fanId: ID, $state: PermitState, $unread: Boolean
    $first: Int, $after: String, $last: Int, $before: String
  ) {
    permits(
      search: $search, partnerId: $partnerId, eventId: $eventId, fanId: $fanId, state: $state, unread: $unread
      first: $first, after: $after, last: $last, before: $before
    ) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes {
        id state createdAt
        unread { reason retryAt }
        partner { id name }
        ticket {
          id
          owner { id phone testUser { phone } }
          ticketType { name event { id name mode } }
        }
      }
    }
  }
`);

type Variables = VariablesOf<typeof PERMITS>;

/** All permits, narrowed by who, what and how far. `?grant=1` opens the form for new ones. */
export function PermitsPage() {
  const list = useList(['search', 'partner', 'event', 'fan', 'state', 'chain']);
  const { search, partner, event, fan, state, chain } = list.filters;
  const view = useView('permits', PERMITS, {
    ...list.page,
    search,
    partnerId: partner === '' ? null : partner,
    eventId: event === '' ? null : event,
    fanId: fan === '' ? null : fan,
    state: state === '' ? null : (state as Variables['state']),
    unread: chain === '' ? null : chain === 'unread',
  });
  const [params, setParams] = useSearchParams();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const disabledReason = useDisabledReason('sandbox:write');
  const showForm = (shown: boolean) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (shown) next.set('grant', '1');
        else next.delete('grant');
        return next;
      },
      { replace: true },
    );
  const button = (
    <ActionButton
      leftSection={<IconPlus size={16} aria-hidden />}
      disabledReason={disabledReason}
      onClick={() => showForm(true)}
    >
      Grant permits
    </ActionButton>
  );
  // what was turned away from is no longer chosen
  const chosenHere = (view.data?.permits.nodes ?? []).filter(({ id }) => chosen.has(id));

  return (
    <Page
      title="Permits"
      description="A permit is the right to a ticket, kept on the chain. Test permits can be granted and revoked here; production ones come from the chain."
      actions={button}
    >
      <ListToolbar list={list}>
        <SearchField
          label="Search permits"
          placeholder="An id, an address, or a part of the event’s name"
          value={search}
          onChange={(next) => list.filter({ search: next })}
        />
        <PartnerFilter value={partner} onChange={(next) => list.filter({ partner: next })} />
        <FindSelect
          isFilter
          label="Test event"
          value={event}
          onChange={(next) => list.filter({ event: next })}
          useFound={useTestEvents}
          nothingFound="No test event has this in its name."
        />
        <FilterSelect
          label="State"
          value={state}
          options={PERMIT_STATE_OPTIONS}
          onChange={(next) => list.filter({ state: next })}
        />
        <FilterSelect
          label="Chain reading"
          value={chain}
          options={CHAIN_OPTIONS}
          onChange={(next) => list.filter({ chain: next })}
        />
        <IdFilter label="Fan" id={fan} onRemove={() => list.filter({ fan: '' })} />
      </ListToolbar>
      {chosenHere.length > 0 && <ChosenPermits permits={chosenHere} onDone={() => setChosen(new Set())} />}
      <ConnectionTable
        caption="Permits"
        view={view}
        connection={view.data?.permits}
        list={list}
        rowKey={({ id }) => id}
        href={({ id }) => `/permits/${id}`}
        choice={{
          chosen,
          onChange: setChosen,
          nameOf: ({ id, ticket }) => `Choose ${nameOfTicket(ticket)}, ${id}`,
          isOpen: ({ ticket }) => ticket.ticketType.event.mode === 'SANDBOX',
        }}
        columns={[
          { header: 'Ticket', cell: ({ ticket }) => nameOfTicket(ticket) },
          { header: 'Mode', cell: ({ ticket }) => <ModeMark mode={ticket.ticketType.event.mode} /> },
          {
            header: 'State',
            cell: (permit) => (
              <>
                <PermitStateMark state={permit.state} />
                {permit.unread && <UnreadNote unread={permit.unread} />}
              </>
            ),
          },
          { header: 'Holder', cell: ({ ticket }) => <Holder of={ticket.owner} /> },
          { header: 'Partner', cell: (permit) => permit.partner?.name ?? 'every partner' },
          { header: 'Permit', cell: ({ id }) => <IdChip id={id} /> },
          { header: 'Made', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
        empty={
          <EmptyState icon={<IconTicket />} title="No permit yet" actions={button}>
            Give a test user a permit, and its ticket appears in the partner’s GET /tickets at once. It takes a test
            user and a test event; a starter kit makes all of it in one step.
          </EmptyState>
        }
      />
      {params.has('grant') && disabledReason === undefined && (
        <GrantPermits partnerId={partner} eventId={event} fanId={fan} onClose={() => showForm(false)} />
      )}
    </Page>
  );
}
