import { graphql } from '../../kit/data/graphql.ts';
import { PAGE } from '../../kit/data/view.ts';
import { idFilter, selectFilter, useList } from '../../kit/parts/use-list.tsx';
import { IdChip } from '../../kit/parts/values.tsx';
import { PERMIT_STATE_OPTIONS, PermitStateMark, PermitsPage as Permits } from '../../kit/sandbox/permits.tsx';
import { GrantPermits } from '../sandbox/grant-permits.tsx';

const PERMITS = graphql(`
  query Permits($eventId: ID, $fanId: ID, $state: PermitState, ${PAGE.variables}) {
    permits(eventId: $eventId, fanId: $fanId, state: $state, ${PAGE.args}) {
      ${PAGE.fields}
      nodes {
        id state createdAt
        openListing { id price }
        ticket { id holder { id phone } ticketType { name } event { id name } }
      }
    }
  }
`);

/** Permits of the partner's test tickets, filtered by holder, event and state. */
export function PermitsPage() {
  const list = useList({
    document: PERMITS,
    filters: {
      state: selectFilter('State', PERMIT_STATE_OPTIONS),
      event: idFilter('Event'),
      fan: idFilter('Test user'),
    },
    variables: ({ event, fan }) => ({ eventId: event, fanId: fan }),
  });
  const { event, fan } = list.values;
  return (
    <Permits
      list={list}
      description="A permit is the onchain right to a ticket. Test users with a permit see the ticket in your sandbox clients and can sell it."
      nameOf={({ ticket: { ticketType, event: of } }) => `${of.name}, ${ticketType.name}`}
      columns={{
        State: ({ state, openListing }) => (
          <>
            <PermitStateMark state={state} />
            {openListing && <span className="aside"> for sale, {openListing.price} lamports</span>}
          </>
        ),
        Holder: ({ ticket: { holder } }) => holder?.phone ?? 'Nobody of yours',
        svc_ticket_id: ({ ticket }) => <IdChip id={ticket.id} />,
      }}
      emptyText="Grant a test user a permit, and the ticket appears in GET /tickets of your sandbox clients. A starter kit creates everything in one step."
      form={(close) => <GrantPermits eventId={event ?? ''} fanId={fan ?? ''} onClose={close} />}
    />
  );
}
