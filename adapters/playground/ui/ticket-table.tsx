import type { TicketList } from './partner.ts';

const dateFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** The fan's tickets as `GET /tickets` gives them. */
export function TicketTable({ list }: { list: TicketList }) {
  if (list.tickets.length === 0) return <p>The fan {list.user_id} has no upcoming tickets that were granted.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class="scroll" tabIndex={0} aria-label="Tickets of the fan">
      <table>
        <caption>
          {list.tickets.length} of {list.user_id}
        </caption>
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Ticket type</th>
            <th scope="col">Purchased</th>
            <th scope="col">Ticket</th>
            <th scope="col">Onchain ticket</th>
          </tr>
        </thead>
        <tbody>
          {list.tickets.map((ticket) => (
            <tr key={ticket.id}>
              <th scope="row">{ticket.event_name}</th>
              <td>{ticket.ticket_type_name}</td>
              <td>{dateFormat.format(new Date(ticket.purchase_date))}</td>
              <td class="id">{ticket.id}</td>
              <td class="id">{ticket.tix_ticket_id}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
