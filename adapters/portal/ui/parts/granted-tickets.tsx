import { groupTickets } from '../../../page-kit/tickets/group-tickets.ts';
import type { TicketOption } from '../api.ts';
import { usePortalWords } from '../texts/portal-words.ts';

/** The tickets that an app may act on, by event. */
export function GrantedTickets({ tickets }: { tickets: readonly TicketOption[] }) {
  const { portal, locale } = usePortalWords();
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  if (tickets.length === 0) return <p>{portal.noTickets}</p>;
  return (
    <ul class="granted">
      {groupTickets(tickets).map((group) => (
        <li key={group.key}>
          <strong>{group.eventName}</strong>
          <small>
            {date.format(new Date(group.startsAt))} ·{' '}
            {[...new Set(group.rows.map((row) => row.ticketTypeName))].join(', ')}
            {group.rows.length > 1 ? ` × ${group.rows.length}` : ''}
          </small>
        </li>
      ))}
    </ul>
  );
}
