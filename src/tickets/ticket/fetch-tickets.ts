import { grantRevoked, grantUuid } from '../../oauth/grant/live-grant.ts';
import { actionNotGranted, requirePermission, tokenPermits } from '../../oauth/grant/permission.ts';
import type { AccessTokenPayload } from '../../oauth/token/verify-access-token.ts';
import { REQUIRED_ACTIONS } from '../../partners/scopes.ts';
import type { SqlContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { tryUuidOf } from '../../platform/identifier/type-id.ts';
import { readTickets, type TicketRow } from './statements.ts';

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
  tickets: TicketRow[];
  /** Cursor of the next page; undefined on the last. */
  next: string | undefined;
}

const ACTION = REQUIRED_ACTIONS.fetchTickets;

/**
 * Returns the tickets of a token's fan for future events, within the grant and the token's mode.
 * @throws DomainError `grant_revoked`, `scope_missing`, `action_not_granted`, or `invalid_request` for a cursor not given out by this API
 * @see spec §4.1 GET /tickets
 */
export async function fetchTickets(
  context: SqlContext,
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
  // PostgreSQL's text can't hold NUL, and no identifier has one
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
  return { userId: token.sub, tickets: page, next };
}

function writeCursor([id, ...row]: TicketRow): string {
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
