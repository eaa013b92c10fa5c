import type { Pool } from 'pg';
import { prepared } from '../../platform/database/prepared.ts';

/** Counts that a code has taken: rows of `rate_limit` with the end of the window (in ms) from which each was taken. */
export type Places = Record<string, string>;

/** Tables of numbers under verification, with their keys, by the table of what the number is verified for. */
const CHALLENGES = {
  authorization_session: ['phone_challenge', 'session_id'],
  portal_session: ['portal_session', 'secret_hash'],
  number_change: ['number_change', 'session_secret_hash'],
} as const;

/** The places go with the statement that gives them back, so that of several right codes one does. Rows are locked in one order. */
const STATEMENTS = Object.fromEntries(
  Object.entries(CHALLENGES).map(([owner, [table, key]]) => [
    owner,
    prepared<never>(`
      with answered as (
        update ${table} t set places = null from (
          select places from ${table} where ${key} = $1 and phone = $2 and places is not null for update
        ) held
        where t.${key} = $1 returning held.places
      ), counted as (
        select r.key from answered a cross join lateral jsonb_each_text(a.places) p
          join rate_limit r on r.key = p.key and r.expire = p.value::bigint
        where r.expire > $3 and r.points > 0 order by r.key for update of r
      )
      update rate_limit r set points = r.points - 1 from counted c where r.key = c.key`),
  ]),
) as Record<keyof typeof CHALLENGES, ReturnType<typeof prepared<never>>>;

/**
 * Gives the places of a code back, once, because it was entered right: limits per address, range and client bound codes that nobody
 * answers, and fans of a sale share them.
 * @param answered the row that the number is verified for, and the number (E.164)
 */
export async function givePlacesBack(
  { pool, now }: { pool: Pool; now: () => Date },
  { table, key, phone }: { table: keyof typeof CHALLENGES; key: string; phone: string },
): Promise<void> {
  await STATEMENTS[table](pool, [key, phone, now().getTime()]);
}
