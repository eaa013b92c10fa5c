import { grantRevoked, grantUuid, LIVE_GRANT } from '../../oauth/grant/live-grant.ts';
import { actionNotGranted, grantsAction, requirePermission, tokenPermits } from '../../oauth/grant/permission.ts';
import type { AccessTokenPayload } from '../../oauth/token/verify-access-token.ts';
import { eventTime } from '../../partners/client/event-time.ts';
import { REQUIRED_ACTIONS } from '../../partners/scopes.ts';
import type { Context } from '../../platform/context.ts';
import { givenRows, shareStatement } from '../../platform/database/share-statement.ts';
import { DomainError } from '../../platform/errors.ts';
import { type Id, idOf, tryUuidOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { futureTicketsFrom, TICKET_ORDER } from './future-tickets.ts';

/** A ticket as partners see it (spec §2). */
export interface Ticket {
  id: Id<'tkt'>;
  svcEventId: Id<'evt'>;
  tixEventId: string;
  tixTicketId: string;
  ticketTypeId: Id<'typ'>;
  eventName: string;
  ticketTypeName: string;
  /** RFC 3339, UTC. */
  purchaseDate: string;
}

export interface TicketQuery {
  /** Service or onchain event identifier; an unknown one gives no tickets. */
  eventId?: string | undefined;
  /** 1 to 200; all where absent. */
  limit?: number | undefined;
  /** Opaque, from the `next` of the page before. */
  cursor?: string | undefined;
}

export interface TicketPage {
  userId: string;
  tickets: Ticket[];
  /** Cursor of the next page; undefined on the last. */
  next: string | undefined;
}

/** What the statement is given; null is no filter, no cursor, no limit. */
interface Given {
  grant: Uuid;
  now: Date;
  event: Uuid | null;
  tix_event: string | null;
  after: string | null;
  after_id: string | null;
  most: number | null;
}

interface Answer {
  n: number;
  live: boolean;
  granted: boolean;
  /** JSON of an array of `TicketRow`; null without tickets. */
  tickets: string | null;
}

/** The columns of `TICKET_COLUMNS`; the last is the event's start in seconds since the epoch, as text. */
type TicketRow = [
  id: Uuid,
  event: Uuid,
  tixEventId: string,
  tixTicketId: string,
  ticketType: Uuid,
  eventName: string,
  ticketTypeName: string,
  purchaseDate: string,
  startsAt: string,
];

const ACTION = REQUIRED_ACTIONS.fetchTickets;
const RFC3339 = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;
const TICKET_COLUMNS = `t.id::text, e.id::text, e.tix_event_id, t.tix_ticket_id, tt.id::text, e.name, tt.name,
  to_char(t.purchased_at at time zone 'utc', ${RFC3339}), extract(epoch from e.starts_at)::text`;

/**
 * One round trip: the grant's row, with the tickets where it is live. They come as one JSON text: ten tickets as rows of their own would
 * cost `pg` 25 µs more, and as JSON objects PostgreSQL 10.
 */
const readTickets = shareStatement<Given, Answer>(
  () => `
  with asked as (
    select given.*, ${eventTime('given.now', 'c')} as event_time, g.fan_id, c.partner_id, c.mode, g.mode as grant_mode, g.ticket_ids, ${LIVE_GRANT} as live,
      ${grantsAction(`'${ACTION}'`)} as granted
    from ${givenRows('"grant" uuid, now timestamptz, event uuid, tix_event text, after text, after_id uuid, most int')} given
      join consent_grant g on g.id = given.grant join client c on c.id = g.client_id
  )
  select asked.n, asked.live, asked.granted, page.tickets
  from asked left join lateral (
    select json_agg(found.ticket)::text as tickets
    from (
      select array[${TICKET_COLUMNS}] as ticket
      from (select asked.fan_id, asked.partner_id, asked.mode) as ${futureTicketsFrom('asked.event_time')}
      where asked.live and asked.granted
        and (asked.grant_mode = 'all_current_future' or t.id = any(asked.ticket_ids))
        and (asked.event is null or e.id = asked.event)
        and (asked.tix_event is null or e.tix_event_id = asked.tix_event)
        and (asked.after is null or (e.starts_at, t.id) > (to_timestamp(asked.after::numeric), asked.after_id))
      order by ${TICKET_ORDER}
      limit asked.most
    ) found
  ) page on true`,
);

/**
 * The future tickets of a token's fan within the grant and the token's mode.
 * @throws DomainError `grant_revoked`, `scope_missing`, `action_not_granted`, or `invalid_request` for a foreign cursor
 * @see spec §4.1 GET /tickets
 */
export async function fetchTickets(
  context: Pick<Context, 'pool' | 'now'>,
  token: AccessTokenPayload,
  query: TicketQuery,
): Promise<TicketPage> {
  if (!tokenPermits(token, ACTION)) await requirePermission(context, token, ACTION);
  const cursor = query.cursor === undefined ? NO_CURSOR : readCursor(query.cursor);
  if (cursor === undefined) {
    // a revoked grant takes precedence over an invalid query
    await requirePermission(context, token, ACTION);
    throw new DomainError('invalid_request', 'cursor must be one that this API gave out');
  }
  const eventUuid = query.eventId === undefined ? null : (tryUuidOf('evt', query.eventId) ?? null);
  // PostgreSQL's text holds no NUL, and neither does an identifier
  const tixEventId = query.eventId !== undefined && eventUuid === null ? query.eventId.replaceAll('\0', ' ') : null;
  const answer = await readTickets.together(context.pool, {
    grant: grantUuid(token),
    now: context.now(),
    event: eventUuid,
    tix_event: tixEventId,
    after: cursor.startsAt,
    after_id: cursor.id,
    most: query.limit === undefined ? null : query.limit + 1,
  });
  if (!answer?.live) throw grantRevoked();
  if (!answer.granted) throw actionNotGranted(ACTION);
  const rows = answer.tickets === null ? [] : (JSON.parse(answer.tickets) as TicketRow[]);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const next = rows.length > page.length && last ? writeCursor(last) : undefined;
  return { userId: token.sub, tickets: page.map(toTicket), next };
}

function toTicket(row: TicketRow): Ticket {
  const [id, event, tixEventId, tixTicketId, ticketType, eventName, ticketTypeName, purchaseDate] = row;
  return {
    id: idOf('tkt', id),
    svcEventId: idOf('evt', event),
    tixEventId,
    tixTicketId,
    ticketTypeId: idOf('typ', ticketType),
    eventName,
    ticketTypeName,
    purchaseDate,
  };
}

function writeCursor(row: TicketRow): string {
  const [id] = row;
  const startsAt = row.at(-1);
  return Buffer.from(`${startsAt} ${id}`).toString('base64url');
}

interface Cursor {
  /** Seconds since the epoch, to the microsecond, as text. */
  startsAt: string | null;
  id: string | null;
}

const NO_CURSOR: Cursor = { startsAt: null, id: null };
/** Eleven digits of seconds reach the year 5138, within PostgreSQL's range. */
const CURSOR = /^(?<startsAt>\d{1,11}(?:\.\d{1,6})?) (?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** @returns undefined for a text that `writeCursor` did not write */
function readCursor(cursor: string): Cursor | undefined {
  const groups = CURSOR.exec(Buffer.from(cursor, 'base64url').toString())?.groups;
  return groups && { startsAt: groups.startsAt ?? null, id: groups.id ?? null };
}
