/**
 * Phone numbers change hands (D-073). A production number that its fan has not proved for `RECYCLED_NUMBER_DAYS` may be another
 * person's, so it does not open an account with tickets by itself: the sign-in stops at the step `continuity`. A passkey or
 * support shows that the account is theirs (`prove-continuity.ts`); else the number begins a new account (`start-new-account.ts`).
 *
 * @module
 */
import type { Context } from '../context.ts';
import type { Mode } from '../entities/mode.ts';
import { fanStopped } from '../entities/stopped.ts';
import { type Id, idOf, type Uuid } from '../identifier/type-id.ts';
import { after } from '../oauth/lifetimes.ts';
import { futureEvent } from '../ticket/future-tickets.ts';

/**
 * SQL: whether a number may be another person's than its fan's. Tickets whose permit is still to be issued count too.
 * @param f alias of the fan; `now` and `cutoff` are SQL of times
 */
function mayBeRecycled(f: string, now: string, cutoff: string): string {
  return `(${f}.mode = 'production' and coalesce(${f}.number_proved_at, ${f}.number_vouched_at) <= ${cutoff} and exists (
    select from ticket t join ticket_type tt on tt.id = t.ticket_type_id
      join event e on e.id = tt.event_id and ${futureEvent('e', `${f}.mode`, now)}
      left join permit p on p.ticket_id = t.id
    where t.owner_id = ${f}.id and p.revoked_at is null))`;
}

/** The time up to which a proof is too old. */
export function recycledBefore({ now, config }: Pick<Context, 'now' | 'config'>): Date {
  return after(now(), -config.recycledNumberDays * 86_400);
}

/** A number that a sign-in or a visit to the portal has proved. */
export interface ProvedNumber {
  mode: Mode;
  /** E.164. */
  phone: string;
}

/** The row of a sign-in or visit that a proved number moves on. */
export interface MovedRow {
  table: 'authorization_session' | 'portal_session';
  /** SQL over `s` that names the row and the step it is at. */
  where: string;
  whereValues: unknown[];
  /** The step at which the fan is signed in. */
  opened: 'consent' | 'open';
  /** Whether a fan whom staff have stopped is refused. */
  refusesStopped: boolean;
  /** SQL of what else changes in the row. */
  changes: string[];
  changeValues: unknown[];
}

/**
 * Moves a sign-in whose number is proved to the number's fan, or to the step `continuity` where the number may be another
 * person's. One statement judges, moves and notes the proof, over the locked row of the fan: whatever happens at the same time
 * in other tabs and processes, the number opens one account.
 * @param em of a transaction
 * @returns undefined where nothing was moved: the row has moved on, or nobody has the number, or staff have stopped its fan
 */
export async function moveToHolder(
  context: Pick<Context, 'em' | 'now' | 'config'>,
  { mode, phone }: ProvedNumber,
  row: MovedRow,
): Promise<{ fan: Id<'usr'>; isOpen: boolean } | undefined> {
  const { em, now } = context;
  const at = now();
  const [moved] = await em.execute<{ fan: Uuid; asks: boolean }[]>(
    `with holder as (
       select f.id, ${mayBeRecycled('f', '?::timestamptz', '?::timestamptz')} as asks from fan f
       where f.mode = ? and f.phone = ? and ${row.refusesStopped ? `not exists (${fanStopped('f.id')})` : 'true'} for update of f
     ), moved as (
       update ${row.table} s set step = case when h.asks then 'continuity' else '${row.opened}' end,
         fan_id = case when h.asks then null else h.id end,
         ${['authenticated_at = case when h.asks then null else ?::timestamptz end', ...row.changes].join(', ')}
       from holder h where ${row.where} returning h.id, h.asks
     ), proved as (
       update fan f set number_proved_at = ? from moved m where f.id = m.id and not m.asks
     )
     select id as fan, asks from moved`,
    [recycledBefore(context), at, mode, phone, at, ...row.changeValues, ...row.whereValues, at],
  );
  return moved && { fan: idOf('usr', moved.fan), isOpen: !moved.asks };
}

/**
 * Takes a number from a fan whom it may not belong to any more, by one conditional update.
 * @param em of a transaction
 * @returns the fan; undefined where the number is not in doubt (any more), or staff have stopped the fan
 */
export async function takeNumber(
  context: Pick<Context, 'em' | 'now' | 'config'>,
  { mode, phone }: ProvedNumber,
): Promise<Id<'usr'> | undefined> {
  const [taken] = await context.em.execute<{ id: Uuid }[]>(
    `update fan f set phone = null
     where f.mode = ? and f.phone = ? and ${mayBeRecycled('f', '?::timestamptz', '?::timestamptz')}
       and not exists (${fanStopped('f.id')})
     returning f.id`,
    [mode, phone, recycledBefore(context), context.now()],
  );
  return taken && idOf('usr', taken.id);
}

/** Since when nobody has proved the number or vouched for it; undefined where it is nobody's. */
export async function unprovedSince(
  { em }: Pick<Context, 'em'>,
  { mode, phone }: ProvedNumber,
): Promise<Date | undefined> {
  const [fan] = await em.execute<{ since: string }[]>(
    'select coalesce(number_proved_at, number_vouched_at) as since from fan where mode = ? and phone = ?',
    [mode, phone],
  );
  return fan && new Date(fan.since);
}
