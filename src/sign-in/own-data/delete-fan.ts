import { revokeOwnGrantsWithin } from '../../oauth/grant/own-grants.ts';
import type { Context, WriteContext } from '../../platform/context.ts';
import { filterOnly } from '../../platform/database/filter-only.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import { nothingUnder } from '../../platform/identifier/known-id.ts';
import { type Id, uuidOf } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import type { AuditDetails } from '../../record/audit/audit-actions.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { openListingOf } from '../../tickets/listing/sales.ts';
import { futureEvent } from '../../tickets/ticket/future-tickets.ts';
import { TICKET_OPTION_COLUMNS } from '../consent/statements.ts';
import { type TicketOption, type TicketOptionRow, toTicketOption } from '../consent/ticket-option.ts';
import { givenOf } from './copy-data.ts';
import { FAN_TABLES, GIVEN } from './fan-tables.ts';

/** Who deletes an account, for the audit log. */
export interface DeletedBy {
  actor: string;
  details: AuditDetails['fan.deleted'];
}

/** What keeps a fan from leaving. */
export interface FanHolds {
  /** For future events, on sale, or being moved; in the order of the Fan API. */
  tickets: (TicketOption & { isOnSale: boolean })[];
  /** Tickets that an app is collecting for the fan, or that are on their way to the fan. */
  incoming: number;
}

const OPEN_MOVE = filterOnly("m.state = 'open'");

const readHeld = prepared<TicketOptionRow & { isOnSale: boolean }>(`
  select id, "eventName", "ticketTypeName", "startsAt", "timeZone", venue, "isOnSale" from (
    select ${TICKET_OPTION_COLUMNS}, p.revoked_at is null and ${futureEvent('e', 'f.mode', '$2')} as future,
      exists (${openListingOf('p.id')}) as "isOnSale",
      exists (select from custody_move m where m.permit_id = p.id and ${OPEN_MOVE}) as moves
    from fan f join ticket t on t.owner_id = f.id join ticket_type tt on tt.id = t.ticket_type_id
      join event e on e.id = tt.event_id join permit p on p.ticket_id = t.id
    where f.id = $1
  ) held where future or "isOnSale" or moves order by "startsAt", id`);

/** Also counts claims that have failed and may land after all. */
const countIncoming = prepared<{ incoming: number }>(`
  select (select count(*)::int from consent_grant g join claim x on x.grant_id = g.id
    where g.fan_id = $1 and (x.state in ('pending', 'submitted') or x.next_attempt_at is not null))
    + (select count(*)::int from custody_move m where m.to_fan_id = $1 and ${OPEN_MOVE}) as incoming`);

/** What keeps a fan from leaving at the moment. */
export async function readHolds({ em, now }: Pick<Context, 'em' | 'now'>, fan: Id<'usr'>): Promise<FanHolds> {
  const uuid = uuidOf('usr', fan);
  const held = await readHeld(em, [uuid, now()]);
  const [counted] = await countIncoming(em, [uuid]);
  const tickets = held.map(({ isOnSale, ...row }) => ({ ...toTicketOption(row), isOnSale }));
  return { tickets, incoming: counted?.incoming ?? 0 };
}

/**
 * Of the fan, so that no code or passkey signs in meanwhile; not of the rows that refer to the fan, because a consent that is under way
 * has locked its sign-in first.
 */
const lockFan = prepared<{ mode: Mode; deleted: boolean; stopped: boolean }>(`
  select mode, deleted_at is not null as deleted, exists (select from kill_switch k where k.fan_id = fan.id) as stopped
  from fan where id = $1 for no key update`);

const DELETIONS = Object.values(FAN_TABLES).flatMap(({ deleted }) =>
  typeof deleted === 'string' ? prepared<never>(`${GIVEN} ${deleted}`) : [],
);

/**
 * Deletes a fan in one transaction: grants and sessions end; numbers, passkeys and sign-ins go. The row of the fan stays without
 * anything of a person, and the number is free for a new account. Repeating it changes nothing.
 * @param context with the `em` of a transaction
 * @param note for the audit entries of grants, where staff do it
 * @throws DomainError `not_found`; `conflict` for a test user, a fan whom staff have stopped, and where something keeps the fan from
 * leaving (`FanHolds`): the message names it
 */
export async function deleteFan(context: WriteContext, fan: Id<'usr'>, by: DeletedBy, note?: string): Promise<void> {
  if (!(await requireMayLeave(context, fan))) return;
  const ender = note === undefined ? undefined : { actor: by.actor, note };
  await deleteWithin(context, fan, ender);
  recordAudit(context, { ...by, action: 'fan.deleted', subject: fan });
  await context.em.flush();
}

/**
 * Locks a fan who may leave.
 * @returns false for one who has left
 * @throws DomainError as `deleteFan`
 */
export async function requireMayLeave(context: WriteContext, fan: Id<'usr'>): Promise<boolean> {
  const [found] = await lockFan(context.em, [uuidOf('usr', fan)]);
  if (!found) throw nothingUnder('usr', fan);
  if (found.deleted) return false;
  if (found.mode === 'sandbox') throw new DomainError('conflict', 'This is a test user: its partner resets it.');
  if (found.stopped) throw new DomainError('conflict', 'Staff have stopped this account. Ask the support.');
  const reason = sentenceOf(await readHolds(context, fan));
  if (reason !== undefined) throw new DomainError('conflict', reason);
  return true;
}

/** Deletes what is there, in the transaction of `em`: also what a sign-in under way has added to an account that was deleted. */
export async function deleteWithin(
  context: WriteContext,
  fan: Id<'usr'>,
  ender?: { actor: string; note: string },
): Promise<void> {
  const values = await givenOf(context, fan);
  for (const remove of DELETIONS.slice(0, -1)) await remove(context.em, values);
  // after the sign-ins: a consent that was under way has made its grant by now
  await revokeOwnGrantsWithin(context, fan, ender);
  for (const remove of DELETIONS.slice(-1)) await remove(context.em, values);
}

const MOST_NAMED = 5;

function sentenceOf({ tickets, incoming }: FanHolds): string | undefined {
  const [first] = tickets;
  if (!first) return incoming > 0 ? 'A ticket is on its way to this account. Try again in a few minutes.' : undefined;
  const names = tickets.slice(0, MOST_NAMED).map(({ eventName, startsAt, isOnSale }) => {
    return `${eventName} (${startsAt.slice(0, 10)}${isOnSale ? ', on sale' : ''})`;
  });
  const more = tickets.length > MOST_NAMED ? ` and ${tickets.length - MOST_NAMED} more` : '';
  return `This account still holds tickets: ${names.join(', ')}${more}.`;
}
