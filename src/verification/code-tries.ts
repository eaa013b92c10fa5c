import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { type Prepared, prepared } from '../database/prepared.ts';
import type { Mode } from '../entities/mode.ts';
import { after, PHONE_CODE_LIFETIME } from '../oauth/lifetimes.ts';
import { TRIES_PER_NUMBER } from './phone-tries.ts';

/**
 * Tries of a code. Each one is counted in the row of its sign-in (or visit to the portal) and for the number, before
 * the code is looked at: parallel guesses can't outrun the counts. It is given back where nobody looked at the code,
 * and where the code was right.
 */
export interface Tried {
  table: 'authorization_session' | 'portal_session';
  /** The key of the row. */
  key: string;
  /** How many tries the row has. */
  limit: number;
  mode: Mode;
  /** E.164. */
  phone: string;
}

/** A try that was counted. */
export interface Try {
  /** How many more the row has. */
  left: number;
  /** The number's window that it was counted in; null where it was counted in the row alone. */
  window: string | null;
}

const OVER = '(phone_tries.window_ends_at <= $6 or phone_tries.tries <= 0)';

interface Statements {
  take: Prepared<{ wrong_tries: number | null; window: string | null }>;
  giveBack: Prepared<never>;
  end: Prepared<never>;
  read: Prepared<{ step: string; tries_under_way: number }>;
}

/** The row comes before the number: a guess that the row refuses costs the number nothing. */
function statementsOf(table: Tried['table'], key: string): Statements {
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

/** In the window that it was counted in: a later one has counted others. */
const giveNumberBack = prepared<never>(
  `update phone_tries set tries = tries - 1
   where mode = $1 and phone = $2 and window_ends_at = $3::timestamptz and tries > 0`,
);

const STATEMENTS: Record<Tried['table'], Statements> = {
  authorization_session: statementsOf('authorization_session', 'id'),
  portal_session: statementsOf('portal_session', 'secret_hash'),
};

type TryContext = Pick<Context, 'pool' | 'now'>;

/**
 * Counts a try in the row and for the number, by one statement.
 * @returns undefined where one of them has none left, or the row has moved on
 */
export async function takeTry({ pool, now }: TryContext, tried: Tried): Promise<Try | undefined> {
  const { table, key, limit, mode, phone } = tried;
  const at = now();
  const values = [key, limit, mode, phone, after(at, PHONE_CODE_LIFETIME), at, TRIES_PER_NUMBER[mode]];
  const [taken] = await STATEMENTS[table].take(pool, values);
  if (!taken || taken.wrong_tries === null) return undefined;
  const one = { left: limit - taken.wrong_tries, window: taken.window };
  if (one.window !== null) return one;
  await giveTryBack({ pool }, tried, one);
  return undefined;
}

/** For a code that nobody looked at, and for the right one. */
export async function giveTryBack(
  { pool }: Pick<TryContext, 'pool'>,
  { table, key, mode, phone }: Tried,
  { window }: Try,
): Promise<void> {
  // one statement each: nobody holds the one and waits for the other
  await STATEMENTS[table].giveBack(pool, [key]);
  if (window !== null) await giveNumberBack(pool, [mode, phone, window]);
}

/** For a code that was wrong: its try stays counted. */
export async function endTry({ pool }: Pick<TryContext, 'pool'>, { table, key }: Tried): Promise<void> {
  await STATEMENTS[table].end(pool, [key]);
}

/** Milliseconds between two looks; longer in all than a provider may take. */
const PAUSES = [50, 100, 200, 400, 800, 1600, 3200];

/**
 * Whether the sign-in has moved on. While other codes of it are being looked at, one of them may be the right one:
 * waits for them, but not for ever, since a process may have died over one.
 */
export async function hasMovedOn({ pool }: Pick<TryContext, 'pool'>, { table, key }: Tried): Promise<boolean> {
  for (const pause of [...PAUSES, undefined]) {
    const [row] = await STATEMENTS[table].read(pool, [key]);
    if (row?.step !== 'code') return true;
    if (row.tries_under_way === 0 || pause === undefined) return false;
    await sleep(pause);
  }
  return false;
}
