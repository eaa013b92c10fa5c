import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import { DomainError } from '../errors.ts';
import { grantRevoked, grantUuid, LIVE_GRANT } from '../grant/live-grant.ts';
import { actionNotGranted, grantsAction, requirePermission, tokenPermits } from '../grant/permission.ts';
import { type Id, idOf, tryUuidOf, type Uuid } from '../identifier/type-id.ts';
import { REQUIRED_ACTIONS } from '../oauth/scopes.ts';
import type { AccessTokenPayload } from '../token/verify-access-token.ts';
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

interface Row {
  live: boolean;
  granted: boolean;
  id: Uuid | null;
  event_id: Uuid;
  tix_event_id: string;
  tix_ticket_id: string;
  ticket_type_id: Uuid;
  event_name: string;
  ticket_type_name: string;
  purchase_date: string;
  starts_at: string;
}

const ACTION = REQUIRED_ACTIONS.fetchTickets;
const RFC3339 = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/** One round trip: the grant's row, joined with the tickets where it is live. */
const readTickets = prepared<Row>(`
  with viewer as (
    select g.fan_id, c.partner_id, c.mode, g.mode as grant_mode, g.ticket_ids, ${LIVE_GRANT} as live,
      ${grantsAction(`'${ACTION}'`)} as granted
    from consent_grant g join client c on c.id = g.client_id
    where g.id = $1
  )
  select viewer.live, viewer.granted, t.*
  from viewer left join lateral (
    select t.id, e.id as event_id, e.tix_event_id, t.tix_ticket_id, tt.id as ticket_type_id,
      e.name as event_name, tt.name as ticket_type_name,
      to_char(t.purchased_at at time zone 'utc', ${RFC3339}) as purchase_date,
      extract(epoch from e.starts_at)::text as starts_at
    from ${futureTicketsFrom('$2')}
    where viewer.live and viewer.granted
      and (viewer.grant_mode = 'all_current_future' or t.id = any(viewer.ticket_ids))
      and ($3::uuid is null or e.id = $3)
      and ($4::text is null or e.tix_event_id = $4)
      and ($5::text is null or (e.starts_at, t.id) > (to_timestamp($5::numeric), $6::uuid))
    order by ${TICKET_ORDER}
    limit $7
  ) t on true`);

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
  const fetched = await readTickets(context.pool, [
    grantUuid(token),
    context.now(),
    eventUuid,
    tixEventId,
    cursor.startsAt,
    cursor.id,
    query.limit === undefined ? null : query.limit + 1,
  ]);
  if (!fetched[0]?.live) throw grantRevoked();
  if (!fetched[0].granted) throw actionNotGranted(ACTION);
  const rows = fetched.filter((row): row is Row & { id: Uuid } => row.id !== null);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const next = rows.length > page.length && last ? writeCursor(last) : undefined;
  return { userId: token.sub, tickets: page.map(toTicket), next };
}

function toTicket(row: Row & { id: Uuid }): Ticket {
  return {
    id: idOf('tkt', row.id),
    svcEventId: idOf('evt', row.event_id),
    tixEventId: row.tix_event_id,
    tixTicketId: row.tix_ticket_id,
    ticketTypeId: idOf('typ', row.ticket_type_id),
    eventName: row.event_name,
    ticketTypeName: row.ticket_type_name,
    purchaseDate: row.purchase_date,
  };
}

function writeCursor(row: { starts_at: string; id: Uuid }): string {
  return Buffer.from(`${row.starts_at} ${row.id}`).toString('base64url');
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
