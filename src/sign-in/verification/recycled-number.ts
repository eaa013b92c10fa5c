/**
 * Phone numbers change hands (D-073). A production number may belong to another person if, for `RECYCLED_AFTER`, its fan has not proved
 * it and the company has not named it in a new or changed row. If its account was used and holds anything, a code for the number
 * does not open the account: the sign-in stops at the step `continuity`. There the person shows by a passkey or to support that the account
 * is theirs, or begins a new account with the number (`continuity.ts`).
 *
 * @module
 */

import type { Context } from '../../platform/context.ts';
import { after } from '../../platform/time.ts';

/** Seconds: a year, because tickets are sold up to a year ahead, and a fan comes back for the next season. */
const RECYCLED_AFTER = 365 * 86_400;

/** SQL: whether an account has a passkey, or has or had a grant. @param f alias of the fan */
function hasAppOrPasskey(f: string): string {
  return `(exists (select from consent_grant g where g.fan_id = ${f}.id)
    or exists (select from passkey k where k.fan_id = ${f}.id))`;
}

/** SQL: whether a fan has used an account, which an import may have made from a number alone. @param f alias of the fan */
export function wasUsed(f: string): string {
  return `(${f}.number_proved_at is not null or ${hasAppOrPasskey(f)})`;
}

/**
 * SQL: whether an account has anything that the number's next holder must neither see nor get: grants, also ended ones; tickets, also past
 * ones and those without a permit yet; moves of tickets; passkeys, by which the former fan could still sign in.
 * @param f alias of the fan
 */
function hasAnything(f: string): string {
  return `(${hasAppOrPasskey(f)} or exists (select from ticket t where t.owner_id = ${f}.id)
    or exists (select from custody_move m where m.from_fan_id = ${f}.id or m.to_fan_id = ${f}.id))`;
}

/**
 * SQL: whether a fan's number may belong to another person by now.
 * @param f alias of the fan; `cutoff` is SQL of a time, as `recycledBefore` gives it
 */
export function mayBeRecycled(f: string, cutoff: string): string {
  return `(${f}.mode = 'production' and greatest(${f}.number_proved_at, ${f}.number_vouched_at) <= ${cutoff}
    and ${wasUsed(f)} and ${hasAnything(f)})`;
}

/** A proof from this time or before is too old. */
export function recycledBefore({ now }: Pick<Context, 'now'>): Date {
  return after(now(), -RECYCLED_AFTER);
}
