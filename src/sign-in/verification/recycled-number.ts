/**
 * Phone numbers change hands (D-073). A production number may be another person's where its fan has not proved it for
 * `RECYCLED_AFTER` and the company has not named it in a new or changed row since. A code for it opens no account that somebody
 * has used: the sign-in stops at the step `continuity`. A passkey or support shows that the account is theirs, else the number begins a
 * new one (`continuity.ts`).
 *
 * @module
 */

import { fanStopped } from '../../entities/stopped.ts';
import type { Context } from '../../platform/context.ts';
import { type Id, idOf, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import { after } from '../../platform/time.ts';
import { FORGET_PHONE_TRIES } from './code-tries.ts';

/** Seconds: a year, because tickets are sold up to a year ahead, and a fan comes back for the next season. */
const RECYCLED_AFTER = 365 * 86_400;

/** SQL: whether an account has, or had, an app, or has a passkey. @param f alias of the fan */
function hasAppOrPasskey(f: string): string {
  return `(exists (select from consent_grant g where g.fan_id = ${f}.id)
    or exists (select from passkey k where k.fan_id = ${f}.id))`;
}

/** SQL: whether somebody has used an account, beside the company that named its number. @param f alias of the fan */
export function wasUsed(f: string): string {
  return `(${f}.number_proved_at is not null or ${hasAppOrPasskey(f)})`;
}

/**
 * SQL: whether there is anything in an account that the number's next holder must neither see nor get: tickets, also those of the
 * past and those whose permit is still to be issued; apps and their history; moves of tickets; passkeys, which would open it later.
 * @param f alias of the fan
 */
function hasAnything(f: string): string {
  return `(${hasAppOrPasskey(f)} or exists (select from ticket t where t.owner_id = ${f}.id)
    or exists (select from custody_move m where m.from_fan_id = ${f}.id or m.to_fan_id = ${f}.id))`;
}

/** SQL: when the number was last proved, or named by the company. @param f alias of the fan */
function lastVouched(f: string): string {
  return `greatest(${f}.number_proved_at, ${f}.number_vouched_at)`;
}

/**
 * SQL: whether a number may be another person's than its fan's.
 * @param f alias of the fan; `cutoff` is SQL of a time
 */
function mayBeRecycled(f: string, cutoff: string): string {
  return `(${f}.mode = 'production' and ${lastVouched(f)} <= ${cutoff} and ${wasUsed(f)} and ${hasAnything(f)})`;
}

/** The time up to which a proof is too old. */
function recycledBefore({ now }: Pick<Context, 'now'>): Date {
  return after(now(), -RECYCLED_AFTER);
}

/** A number that a sign-in or a visit to the portal has proved. */
export interface ProvedNumber {
  mode: Mode;
  /** E.164. */
  phone: string;
}

/** `amr` of a sign-in by a code; in sandbox too, whose codes stand for those by SMS. @see RFC 8176 §2 */
export const BY_CODE = 'sms';

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
  /** After a code: the number has its tries again. */
  forgetsTries?: boolean;
}

/**
 * Moves a sign-in whose number is proved to the number's fan, or to the step `continuity` where the number may be another
 * person's. One statement judges, moves and notes the proof, over the locked row of the fan: whatever happens at the same time
 * in other tabs and processes, the number opens one account.
 * @returns undefined where nothing was moved: the row has moved on, or nobody has the number, or staff have stopped its fan
 */
export async function moveToHolder(
  context: Pick<Context, 'em' | 'now'>,
  { mode, phone }: ProvedNumber,
  row: MovedRow,
): Promise<{ fan: Id<'usr'>; isOpen: boolean } | undefined> {
  const { em, now } = context;
  const at = now();
  const [moved] = await em.execute<{ fan: Uuid; asks: boolean }[]>(
    `with holder as (
       select f.id, ${mayBeRecycled('f', '?::timestamptz')} as asks from fan f
       where f.mode = ? and f.phone = ? and ${row.refusesStopped ? `not exists (${fanStopped('f.id')})` : 'true'} for update of f
     ), moved as (
       update ${row.table} s set step = case when h.asks then 'continuity' else '${row.opened}' end,
         fan_id = case when h.asks then null else h.id end,
         ${['authenticated_at = case when h.asks then null else ?::timestamptz end', ...row.changes].join(', ')}
       from holder h where ${row.where} returning h.id, h.asks
     ), proved as (
       update fan f set number_proved_at = ? from moved m where f.id = m.id and not m.asks
     )${row.forgetsTries ? `, forgotten as (${FORGET_PHONE_TRIES} and exists (select from moved))` : ''}
     select id as fan, asks from moved`,
    [
      ...[recycledBefore(context), mode, phone, at, ...row.changeValues, ...row.whereValues, at],
      ...(row.forgetsTries ? [mode, phone] : []),
    ],
  );
  return moved && { fan: idOf('usr', moved.fan), isOpen: !moved.asks };
}

/**
 * Takes a number from a fan whom it may not belong to any more, by one conditional update.
 * @param em of a transaction
 * @returns the fan; undefined where the number is not in doubt (any more), or staff have stopped the fan
 */
export async function takeNumber(
  context: Pick<Context, 'em' | 'now'>,
  { mode, phone }: ProvedNumber,
): Promise<Id<'usr'> | undefined> {
  const [taken] = await context.em.execute<{ id: Uuid }[]>(
    `update fan f set phone = null
     where f.mode = ? and f.phone = ? and ${mayBeRecycled('f', '?::timestamptz')}
       and not exists (${fanStopped('f.id')})
     returning f.id`,
    [mode, phone, recycledBefore(context)],
  );
  return taken && idOf('usr', taken.id);
}

/** Of fans, those whose number does not open their account by itself. */
export async function numbersInDoubt(
  context: Pick<Context, 'em' | 'now'>,
  fans: readonly Id<'usr'>[],
): Promise<Set<Id<'usr'>>> {
  const found = await context.em.execute<{ id: Uuid }[]>(
    `select f.id from fan f where f.id = any(?::uuid[]) and ${mayBeRecycled('f', '?::timestamptz')}`,
    [`{${fans.map((fan) => uuidOf('usr', fan)).join(',')}}`, recycledBefore(context)],
  );
  return new Set(found.map(({ id }) => idOf('usr', id)));
}

/** Since when nobody has proved the number or vouched for it; undefined where it is nobody's. */
export async function unprovedSince(
  { em }: Pick<Context, 'em'>,
  { mode, phone }: ProvedNumber,
): Promise<Date | undefined> {
  const [fan] = await em.execute<{ since: string }[]>(
    `select ${lastVouched('f')} as since from fan f where f.mode = ? and f.phone = ?`,
    [mode, phone],
  );
  return fan && new Date(fan.since);
}
