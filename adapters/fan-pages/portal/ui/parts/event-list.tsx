import { eventTime } from '../../../page-kit/tickets/event-time.ts';
import { countedTypes, type EventGroup, groupTickets, resaleNotes } from '../../../page-kit/tickets/group-tickets.ts';
import { describeResale } from '../../../page-kit/tickets/resale.ts';
import type { TicketOption } from '../api.ts';
import { usePortalWords } from '../texts/portal-words.ts';
import { FoldedList } from './folded-list.tsx';

type Props = {
  tickets: readonly TicketOption[];
  /** How many events are shown; the rest are folded. */
  most?: number;
};

/** Tickets by event, counted by type. */
export function EventList({ tickets, most }: Props) {
  const { portal, format } = usePortalWords();
  return (
    <FoldedList
      look="granted"
      items={groupTickets(tickets)}
      keyOf={(group) => group.key}
      render={(group) => <EventTickets group={group} />}
      more={(events) => format(portal.moreEvents, { events })}
      {...(most !== undefined && { most })}
    />
  );
}

/** Every seat may have a type of its own: more types than this are folded. */
const MOST_TYPES = 3;

function EventTickets({ group }: { group: EventGroup }) {
  const words = usePortalWords();
  const { portal, locale, format } = words;
  const types = countedTypes(group.rows);
  const when = eventTime(group, locale);
  return (
    <>
      <strong>
        <bdi>{group.eventName}</bdi>
      </strong>
      {types.length > MOST_TYPES ? (
        <>
          <small>{when}</small>
          <details class="folded">
            <summary>{format(portal.manyTickets, { tickets: group.rows.length, first: types[0] ?? '' })}</summary>
            <small>
              <bdi>{types.join(', ')}</bdi>
            </small>
          </details>
        </>
      ) : (
        <small>
          {when} · <bdi>{types.join(', ')}</bdi>
        </small>
      )}
      <ResaleNotes group={group} />
    </>
  );
}

/** What limits the resale of tickets of an event; where it limits only some of them, with their types. */
function ResaleNotes({ group: { rows, timeZone } }: { group: EventGroup }) {
  const words = usePortalWords();
  return resaleNotes(rows).map(({ limit, types = [] }) => (
    <small key={limit}>
      {describeResale(limit, timeZone, words)}
      {types.length === 0 ? null : (
        <>
          {' '}
          (<bdi>{types.length > MOST_TYPES ? `${types[0]}, …` : types.join(', ')}</bdi>)
        </>
      )}
    </small>
  ));
}
