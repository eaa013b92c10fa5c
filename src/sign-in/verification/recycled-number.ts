/**
 * Phone numbers change hands (D-073). A production number may belong to another person where its fan has not proved it for
 * `RECYCLED_AFTER` and the company has not named it in a new or changed row since. A code for it opens no account that somebody
 * has used: the sign-in stops at the step `continuity`. A passkey or support shows that the account is theirs; otherwise the number
 * begins a new one (`continuity.ts`).
 *
 * @module
 */

import type { Context } from '../../platform/context.ts';
import { after } from '../../platform/time.ts';

/** Seconds: a year, because tickets are sold up to a year ahead, and a fan comes back for the next season. */
const RECYCLED_AFTER = 365 * 86_400;

/** SQL: whether an account has, or had, an app, or has a passkey. @param f alias of the fan */
function hasAppOrPasskey(f: string): string {
  return `(exists (select from consent_grant g where g.fan_id = ${f}.id)
    or exists (select from passkey k where k.fan_id = ${f}.id))`;
}

/** SQL: whether anybody has used an account, apart from the company that named its number. @param f alias of the fan */
export function wasUsed(f: string): string {
  return `(${f}.number_proved_at is not null or ${hasAppOrPasskey(f)})`;
}

/**
 * SQL: whether an account has anything that the number's next holder must neither see nor get: tickets, also those of the
 * past and those whose permit is still to be issued; apps and their history; moves of tickets; passkeys, which would open it later.
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

/** The time up to which a proof is too old. */
export function recycledBefore({ now }: Pick<Context, 'now'>): Date {
  return after(now(), -RECYCLED_AFTER);
}
