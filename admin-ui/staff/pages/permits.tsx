import { PAGE } from '../../kit/data/view.ts';
import { ModeMark } from '../../kit/parts/page.tsx';
import { idFilter, searchFilter, selectFilter, useList } from '../../kit/parts/use-list.tsx';
import { MODE_OPTIONS } from '../../kit/parts/values.tsx';
import { PermitsPage as Permits } from '../../kit/sandbox/permits.tsx';
import { EVENT_FILTER, PARTNER_FILTER } from '../choosing/find-select.tsx';
import { graphql } from '../data/graphql.ts';
import { Holder, nameOfTicket } from '../fan/tickets.tsx';
import { OnSale, PERMIT_OPTIONS, PermitProgress, permitFilter } from '../inventory/states.tsx';
import { GrantPermits } from '../sandbox/grant-permits.tsx';
import { CHAIN_OPTIONS, UnreadNote } from '../sandbox/unread-permit.tsx';

const PERMITS = graphql(`
  query Permits(
    $search: String, $mode: Mode, $partnerId: ID, $eventId: ID, $fanId: ID, $state: PermitState, $setAside: Boolean
    $unread: Boolean, $sort: AgeSort, ${PAGE.variables}
  ) {
    permits(
      search: $search, mode: $mode, partnerId: $partnerId, eventId: $eventId, fanId: $fanId, state: $state, setAside: $setAside
      unread: $unread, sort: $sort, ${PAGE.args}
    ) {
      ${PAGE.fields}
      nodes {
        id state createdAt
        unread { reason retryAt }
        closedAt waiting { isSetAside reason retryAt }
        listings { price outcome }
        partner { id name }
        ticket {
          id reference
          owner { id phone testUser { phone } }
          ticketType { name event { id name mode } }
        }
      }
    }
  }
`);

/** All permits, filtered by holder, event and state. */
export function PermitsPage() {
  const list = useList({
    document: PERMITS,
    filters: {
      search: searchFilter('Search permits', 'ID, reference, address or event’s name'),
      partner: PARTNER_FILTER,
      event: EVENT_FILTER,
      mode: selectFilter('Mode', MODE_OPTIONS),
      state: selectFilter('State', PERMIT_OPTIONS),
      chain: selectFilter('Onchain state', CHAIN_OPTIONS),
      fan: idFilter('Fan'),
    },
    sorts: { Created: 'CREATED' },
    // those that wait for somebody are a queue
    usualSort: ({ chain, state }) =>
      chain === 'unread' || state === 'WAITING' || state === 'SET_ASIDE' ? 'CREATED' : 'CREATED_DESC',
    variables: ({ partner, event, fan, state, chain }) => ({
      ...permitFilter(state),
      partnerId: partner,
      eventId: event,
      fanId: fan,
      unread: chain === null ? null : chain === 'unread',
    }),
  });
  const { partner, event, fan } = list.values;
  return (
    <Permits
      list={list}
      description="A permit is the onchain right to a ticket. Grant and revoke test permits here. Those of production follow their tickets."
      href={({ id }) => `/permits/${id}`}
      nameOf={({ ticket }) => nameOfTicket(ticket)}
      isTest={({ ticket }) => ticket.ticketType.event.mode === 'SANDBOX'}
      columns={{
        Mode: ({ ticket }) => <ModeMark mode={ticket.ticketType.event.mode} />,
        State: (permit) => (
          <>
            <PermitProgress permit={permit} />
            <OnSale listings={permit.listings} />
            {permit.unread && <UnreadNote unread={permit.unread} />}
          </>
        ),
        Holder: ({ ticket }) => <Holder of={ticket.owner} />,
        Partner: (permit) => permit.partner?.name ?? 'All partners',
      }}
      emptyText="Grant a test user a permit, and the ticket appears in the partner’s GET /tickets. You need a test user and a test event; a starter kit creates everything in one step. In production, permits come with tickets."
      form={(close) => (
        <GrantPermits partnerId={partner ?? ''} eventId={event ?? ''} fanId={fan ?? ''} onClose={close} />
      )}
    />
  );
}
