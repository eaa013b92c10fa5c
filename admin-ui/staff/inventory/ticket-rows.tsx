import type { ReactNode } from 'react';
import { PAGE } from '../../kit/data/view.ts';
import { ModeMark, Moment } from '../../kit/parts/values.tsx';
import type { PermitState } from '../../kit/sandbox/permits.tsx';
import { graphql } from '../data/graphql.ts';
import { Holder, nameOfTicket } from '../fan/tickets.tsx';
import { PermitProgress, type TicketStatus, TicketStatusMark } from './states.tsx';

export const TICKETS = graphql(`
  query Tickets(
    $mode: Mode, $eventId: ID, $ticketTypeId: ID, $fanId: ID, $status: TicketStatus, $permitState: PermitState
    $setAside: Boolean, $search: String, $sort: AgeSort, ${PAGE.variables}
  ) {
    tickets(
      mode: $mode, eventId: $eventId, ticketTypeId: $ticketTypeId, fanId: $fanId, status: $status, permitState: $permitState
      setAside: $setAside, search: $search, sort: $sort, ${PAGE.args}
    ) {
      ${PAGE.fields}
      nodes {
        id reference status purchasedAt
        owner { id phone testUser { phone } }
        permit { id state waiting { isSetAside reason retryAt } }
        ticketType { id name event { id name mode } }
      }
    }
  }
`);

interface TicketInRow {
  id: string;
  reference: string | null;
  status: TicketStatus;
  purchasedAt: string;
  owner: { id: string; phone: string; testUser: { phone: string } | null } | null;
  permit: {
    id: string;
    state: PermitState;
    waiting: { isSetAside: boolean; reason: string | null; retryAt: string } | null;
  } | null;
  ticketType: { name: string; event: { name: string; mode: 'SANDBOX' | 'PRODUCTION' } };
}

const COLUMNS = {
  Reference: ({ reference, id }: TicketInRow) => (
    <span className="breakable" title={id}>
      {reference ?? 'none'}
    </span>
  ),
  Holder: ({ owner }: TicketInRow) => <Holder of={owner} />,
  Status: ({ status }: TicketInRow) => <TicketStatusMark status={status} />,
  Permit: ({ permit }: TicketInRow) => (permit ? <PermitProgress permit={permit} /> : 'none'),
  Bought: ({ purchasedAt }: TicketInRow) => <Moment at={purchasedAt} />,
};

/** The columns of tickets anywhere. */
export const ALL_TICKET_COLUMNS: Record<string, (ticket: TicketInRow) => ReactNode> = {
  Ticket: nameOfTicket,
  Mode: ({ ticketType }) => <ModeMark mode={ticketType.event.mode} />,
  ...COLUMNS,
};

/** The columns of tickets of one event. */
export const EVENT_TICKET_COLUMNS: Record<string, (ticket: TicketInRow) => ReactNode> = {
  Reference: ({ reference, id }) => <span className="breakable">{reference ?? id}</span>,
  Type: ({ ticketType }) => ticketType.name,
  Holder: COLUMNS.Holder,
  Status: COLUMNS.Status,
  Permit: COLUMNS.Permit,
  Bought: COLUMNS.Bought,
};
