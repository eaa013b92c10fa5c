import type { FetchTicketsResponse } from '@fan-api/sdk';
import { useEffect, useState } from 'preact/hooks';
import { Alert } from '../../../../../fan-pages/page-kit/parts/alert.tsx';
import type { PlaygroundConfig } from '../config.ts';
import { fetchTickets } from '../partner.ts';
import { ActionButton, useAction } from '../parts/action.tsx';
import { Sheet } from '../parts/facts.tsx';
import { Table } from '../parts/table.tsx';
import { goTo } from '../sign-in/finish-sign-in.ts';
import { change, type SignedInFan, type State } from '../state.ts';

type Props = { config: PlaygroundConfig; state: State; fan: SignedInFan };

/** The fan's tickets as `GET /tickets` gives them. */
export function TicketsStep({ config, state, fan }: Props) {
  const action = useAction();
  const [eventId, setEventId] = useState('');
  const load = async () => void (await fetchTickets(config, fan.sub, eventId));

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each fan
  useEffect(() => {
    if (fan.tickets === undefined && !fan.tokens.revoked) void action.run('Load tickets', load);
  }, [fan.sub]);

  function sell(ticketId: string): void {
    change({ sale: { ...state.sale, ticketId, transactions: {}, claimed: undefined } });
    goTo('list');
  }
  return (
    <Sheet title="Tickets">
      <p>
        The fan’s tickets for events that are not over, and that the fan lets you see. Tickets that were sold are not
        here.
      </p>
      <Alert message={action.problem} />
      <div class="controls">
        <div class="small-field">
          <label for="event-id">event_id</label>
          <input
            id="event-id"
            type="text"
            list="event-ids"
            placeholder="all events"
            autocomplete="off"
            spellcheck={false}
            value={eventId}
            onInput={({ currentTarget }) => setEventId(currentTarget.value)}
          />
          <datalist id="event-ids">
            {eventsOf(fan.tickets).map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </datalist>
        </div>
        <ActionButton action={action} name="Load tickets" primary work={load} />
      </div>
      {fan.tickets === undefined ? null : <TicketTable list={fan.tickets} onSell={sell} />}
    </Sheet>
  );
}

function eventsOf(list: FetchTicketsResponse | undefined): [string, string][] {
  return [...new Map((list?.tickets ?? []).map((ticket) => [ticket.svc_event_id, ticket.event_name]))];
}

const dateFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

function TicketTable({ list, onSell }: { list: FetchTicketsResponse; onSell: (ticketId: string) => void }) {
  if (list.tickets.length === 0) return <p>The fan {list.user_id} has not granted any upcoming tickets.</p>;
  return (
    <Table
      label="Tickets of the fan"
      columns={['Event', 'Ticket type', 'Purchased', 'Ticket', 'List']}
      caption={`${list.tickets.length} of ${list.user_id}`}
    >
      {list.tickets.map((ticket) => (
        <tr key={ticket.id}>
          <th scope="row">{ticket.event_name}</th>
          <td>{ticket.ticket_type_name}</td>
          <td class="nowrap">{dateFormat.format(new Date(ticket.purchase_date))}</td>
          <td class="id">{ticket.id}</td>
          <td>
            <button
              type="button"
              class="small button"
              aria-label={`List it: ${ticket.event_name}, ${ticket.ticket_type_name}`}
              onClick={() => onSell(ticket.id)}
            >
              List it
            </button>
          </td>
        </tr>
      ))}
    </Table>
  );
}
