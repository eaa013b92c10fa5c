import { IconTicket } from '@tabler/icons-react';
import type { ResultOf, VariablesOf } from 'gql.tada';
import { useState } from 'react';
import { graphql } from '../../kit/data/graphql.ts';
import { PAGE } from '../../kit/data/view.ts';
import { AddButton, ListPage, useFormInAddress } from '../../kit/parts/list.tsx';
import { idFilter, selectFilter, useList } from '../../kit/parts/use-list.tsx';
import { IdChip, Moment } from '../../kit/parts/values.tsx';
import { ChosenPermits, PERMIT_STATE_OPTIONS, PermitStateMark, usePermitChanges } from '../../kit/sandbox/permits.tsx';
import { GrantPermits, SANDBOX_RIGHT } from '../sandbox/grant-permits.tsx';

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

type Variables = Required<VariablesOf<typeof PERMITS>>;
type TicketData = ResultOf<typeof PERMITS>['permits']['nodes'][number]['ticket'];

/** Permits of the partner's test tickets, filtered by holder, event and state. `?grant=1` opens the form for new ones. */
export function PermitsPage() {
  const list = useList({
    document: PERMITS,
    filters: {
      state: selectFilter('State', PERMIT_STATE_OPTIONS),
      event: idFilter('Event'),
      fan: idFilter('Test user'),
    },
    variables: (page, { event, fan, state }) => ({
      ...page,
      eventId: event,
      fanId: fan,
      state: state as Variables['state'],
    }),
    connection: ({ permits }) => permits,
  });
  const changes = usePermitChanges();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const form = useFormInAddress('grant', SANDBOX_RIGHT);
  // what another page shows is not chosen
  const chosenHere = (list.connection?.nodes ?? []).filter(({ id }) => chosen.has(id));
  const { event, fan } = list.values;
  return (
    <ListPage
      title="Permits"
      description="A permit is the onchain right to a ticket. Test users with a permit see the ticket in your sandbox clients and can sell it."
      add={<AddButton label="Grant permits" right={SANDBOX_RIGHT} onClick={form.open} />}
      list={list}
      above={
        chosenHere.length > 0 && (
          <ChosenPermits changes={changes} permits={chosenHere} onDone={() => setChosen(new Set())} />
        )
      }
      choice={{
        chosen,
        onChange: setChosen,
        nameOf: ({ id, ticket }) => `Select ${nameOfTicket(ticket)}, ${id}`,
        isOpen: () => true,
      }}
      columns={{
        Ticket: ({ ticket }) => nameOfTicket(ticket),
        State: ({ state, openListing }) => (
          <>
            <PermitStateMark state={state} />
            {openListing && <span className="aside"> for sale, {openListing.price} lamports</span>}
          </>
        ),
        Holder: ({ ticket: { holder } }) => holder?.phone ?? 'Nobody of yours',
        svc_ticket_id: ({ ticket }) => <IdChip id={ticket.id} />,
        Permit: ({ id }) => <IdChip id={id} />,
        Created: ({ createdAt }) => <Moment at={createdAt} />,
      }}
      emptyIcon={<IconTicket />}
      emptyTitle="No permits yet"
      emptyText="Grant a test user a permit, and the ticket appears in GET /tickets of your sandbox clients. A starter kit creates everything in one step."
    >
      {form.isOpen && <GrantPermits eventId={event ?? ''} fanId={fan ?? ''} onClose={form.close} />}
    </ListPage>
  );
}

function nameOfTicket({ ticketType, event }: TicketData): string {
  return `${event.name}, ${ticketType.name}`;
}
