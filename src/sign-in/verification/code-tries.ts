import { setTimeout as sleep } from 'node:timers/promises';
import { PHONE_CODE_LIFETIME } from '../../oauth/lifetimes.ts';
import type { Context } from '../../platform/context.ts';
import { type Prepared, prepared } from '../../platform/database/prepared.ts';
import type { Mode } from '../../platform/mode.ts';
import { after } from '../../platform/time.ts';

/**
 * Tries of a code. Each one is counted in the row of its sign-in and for the number before the code is checked, so that
 * parallel guesses can't exceed the limits. It is given back where the code was not checked, and where it was right.
 *
 * @module
 */

/**
 * Wrong codes per number within one code's lifetime, over all sessions of login and portal: opening sessions buys no
 * guesses. A sandbox code guards test data only, and a partner's test runs try wrong codes on purpose.
 */
const TRIES_PER_NUMBER: Record<Mode, number> = { production: 5, sandbox: 1000 };

/** The row that counts the tries of a number under verification. */
export interface CountedRow {
  table: 'authorization_session' | 'portal_session' | 'number_change';
  /** Primary key of the row. */
  key: string;
  /** Tries that the row allows. */
  limit: number;
  mode: Mode;
  /** E.164. */
  phone: string;
}

export interface CountedTry {
  /** Tries that the row has left. */
  left: number;
  /** End of the number's window in which it was counted; null where it was counted in the row alone. */
  window: string | null;
}

const OVER = '(phone_tries.window_ends_at <= $6 or phone_tries.tries <= 0)';

interface Statements {
  take: Prepared<{ wrong_tries: number | null; window: string | null }>;
  giveBack: Prepared<never>;
  end: Prepared<never>;
  read: Prepared<{ step: string; tries_under_way: number }>;
}

/** The row is counted first: a try that the row refuses costs the number nothing. */
function statementsOf(table: CountedRow['table'], key: string): Statements {
  return {
    take: prepared(
      `with tried as (
         update ${table} set wrong_tries = wrong_tries + 1, tries_under_way = tries_under_way + 1
         where ${key} = $1 and step = 'code' and wrong_tries < $2 returning wrong_tries
       ), counted as (
         insert into phone_tries (mode, phone, tries, window_ends_at) select $3, $4, 1, $5::timestamptz from tried
         on conflict (mode, phone) do update set
           tries = case when ${OVER} then 1 else phone_tries.tries + 1 end,
           window_ends_at = case when ${OVER} then excluded.window_ends_at else phone_tries.window_ends_at end
         where ${OVER} or phone_tries.tries < $7
         returning window_ends_at
       )
       select (select wrong_tries from tried), (select window_ends_at::text from counted) as window`,
    ),
    giveBack: prepared(
      `update ${table} set wrong_tries = wrong_tries - 1, tries_under_way = tries_under_way - 1
       where ${key} = $1 and tries_under_way > 0`,
    ),
    end: prepared(
      `update ${table} set tries_under_way = tries_under_way - 1 where ${key} = $1 and tries_under_way > 0`,
    ),
    read: prepared(`select step, tries_under_way from ${table} where ${key} = $1`),
  };
}

/** Only within the window in which it was counted. */
const giveNumberBack = prepared<never>(
  `update phone_tries set tries = tries - 1
   where mode = $1 and phone = $2 and window_ends_at = $3::timestamptz and tries > 0`,
);

const STATEMENTS: Record<CountedRow['table'], Statements> = {
  authorization_session: statementsOf('authorization_session', 'id'),
  portal_session: statementsOf('portal_session', 'secret_hash'),
  number_change: statementsOf('number_change', 'session_secret_hash'),
};

type TryContext = Pick<Context, 'pool' | 'now'>;

/** Counts a try in the row and for the number. @returns undefined where one has none left, or the row has moved on */
export async function takeTry({ pool, now }: TryContext, row: CountedRow): Promise<CountedTry | undefined> {
  const { table, key, limit, mode, phone } = row;
  const at = now();
  const values = [key, limit, mode, phone, after(at, PHONE_CODE_LIFETIME), at, TRIES_PER_NUMBER[mode]];
  const [taken] = await STATEMENTS[table].take(pool, values);
  if (!taken || taken.wrong_tries === null) return undefined;
  const counted = { left: limit - taken.wrong_tries, window: taken.window };
  if (counted.window !== null) return counted;
  await giveTryBack({ pool }, row, counted);
  return undefined;
}

/** For a code that was not checked, and for the right one. */
export async function giveTryBack(
  { pool }: Pick<TryContext, 'pool'>,
  { table, key, mode, phone }: CountedRow,
  { window }: CountedTry,
): Promise<void> {
  // one statement each, so that no call holds one row lock while it waits for the other
  await STATEMENTS[table].giveBack(pool, [key]);
  if (window !== null) await giveNumberBack(pool, [mode, phone, window]);
}

/** For a code that was wrong: its try stays counted. */
export async function endTry({ pool }: Pick<TryContext, 'pool'>, { table, key }: CountedRow): Promise<void> {
  await STATEMENTS[table].end(pool, [key]);
}

/** Milliseconds between two reads; in total more than the provider's time limit. */
const PAUSES = [50, 100, 200, 400, 800, 1600, 3200];

/**
 * Whether the sign-in has moved on. Waits while other codes of it are being checked, because one of them may be right;
 * not without end, because a process may have died during a check.
 */
export async function hasMovedOn({ pool }: Pick<TryContext, 'pool'>, { table, key }: CountedRow): Promise<boolean> {
  for (const pause of [...PAUSES, undefined]) {
    const [row] = await STATEMENTS[table].read(pool, [key]);
    if (row?.step !== 'code') return true;
    if (row.tries_under_way === 0 || pause === undefined) return false;
    await sleep(pause);
  }
  return false;
}

/** SQL: after the right code the number has all its tries again. Values: mode and number. */
export const FORGET_PHONE_TRIES = 'delete from phone_tries where mode = ? and phone = ?';
