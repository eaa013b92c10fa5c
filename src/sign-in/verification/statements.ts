/**
 * The statements of numbers under verification. One that spends something (a code of a sign-in, a try, the right code) is a conditional
 * update, so that parallel calls cannot exceed a limit. One that locks several rows locks them in this order: fan, sign-in, number
 * under verification, tries of the number.
 *
 * @module
 */
import type { CHALLENGE_STEPS, ChallengePurpose } from '../../entities/phone-challenge.ts';
import { fanStopped, smsStopped } from '../../entities/stopped.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import { SESSION_TRIES } from '../authorization/find-session.ts';
import { mayBeRecycled } from './recycled-number.ts';

/** Identifies a number under verification: the first two values of most statements. */
export interface CodeOwner {
  purpose: ChallengePurpose;
  /** The `uuid` of the authorization session, or the hash of the portal's secret. */
  owner: string;
}

/**
 * SQL: the static code of the sandbox fan with a number, who must be a test user of the partner or of every partner; otherwise null. It is
 * one query, so that another partner's number takes the same time as an unknown one.
 * @param phone SQL of the number (E.164); `partner` is SQL of the partner's `uuid`, null (at the portal) for any partner
 */
export function testUserCode(phone: string, partner: string): string {
  return `(select u.code from test_user u join fan f on f.id = u.fan_id
    where f.mode = 'sandbox' and f.phone = ${phone}
      and (u.partner_id is null or u.partner_id = ${partner} or ${partner} is null))`;
}

export const readTestCode = prepared<{ code: string | null }>(
  `select ${testUserCode('asked.phone', 'asked.partner')} as code from (select $1::text as phone, $2::uuid as partner) asked`,
);

/** Takes one of the owner's codes, unless staff have stopped sending to the number's countries (`$8`). */
export const reserve = prepared<{ owner: string }>(`
  insert into phone_challenge as c (purpose, owner, mode, asked_phone, asked_at, codes_sent, expires_at)
  select $1, $2, $3, $4, $5::timestamptz, 1, $9::timestamptz where not exists (${smsStopped('$8::text[]')})
  on conflict (purpose, owner) do update set
    codes_sent = c.codes_sent + 1, asked_phone = excluded.asked_phone, asked_at = excluded.asked_at
  where c.step in ('phone', 'code') and c.codes_sent < $7
    and (c.asked_phone is distinct from $4 or c.asked_at <= $6) and (c.phone is distinct from $4 or c.resend_at <= $5)
  returning owner`);

/** Gives back a code that was not sent, and ends its wait; the wait of a later call for the same number stays. */
export const giveCodeBack = prepared<never>(`
  with dropped as (
    delete from phone_challenge
    where purpose = $1 and owner = $2 and step = 'phone' and codes_sent = 1 and wrong_tries = 0 returning owner
  )
  update phone_challenge set codes_sent = codes_sent - 1,
    asked_phone = case when asked_phone = $3 and asked_at = $4 then null else asked_phone end
  where purpose = $1 and owner = $2 and not exists (select from dropped)`);

/** @param owner SQL of the owner */
const putNumberOf = (owner: string) => `
  update phone_challenge set step = 'code', mode = $3, phone = $4, resend_at = $5, expires_at = $6, reference = $7, places = $8::jsonb
  where purpose = $1 and owner = ${owner} and step in ('phone', 'code') returning owner`;

/** Puts a number under verification, which replaces the one before. */
export const putNumber = prepared<{ owner: string }>(putNumberOf('$2'));

/** As `putNumber`; also moves the sign-in to `code`. No row where the sign-in has moved on. */
export const putNumberOfSignIn = prepared<{ owner: string }>(`
  with moved as (
    update authorization_session set step = 'code' where id = $2::uuid and step in ('phone', 'code') returning id
  )
  ${putNumberOf('(select id::text from moved)')}`);

/** Counts every call, so that guessing numbers uses the sign-in up. Moves the sign-in to `code` for a test user's number only. */
export const askInSandbox = prepared<{ known: boolean }>(`
  with sign_in as (
    select s.id, ${testUserCode('$2', '$3')} is not null as known from authorization_session s
    where s.id = $1 and s.step in ('phone', 'code') for update of s
  ), given as (
    select id::text as owner, known, case when known then 'code' else 'phone' end as step, case when known then $2 end as phone from sign_in
  ), asked as (
    insert into phone_challenge as c (purpose, owner, step, mode, phone, resend_at, expires_at, asked_phone, asked_at, codes_sent)
    select 'login', owner, step, 'sandbox', phone, $4::timestamptz, $5::timestamptz, $2, $4, 1 from given
    on conflict (purpose, owner) do update set
      codes_sent = c.codes_sent + 1, asked_phone = excluded.asked_phone, asked_at = excluded.asked_at,
      step = case when excluded.step = 'code' then 'code' else c.step end, phone = coalesce(excluded.phone, c.phone),
      resend_at = case when excluded.step = 'code' then excluded.resend_at else c.resend_at end,
      expires_at = case when excluded.step = 'code' then excluded.expires_at else c.expires_at end
    where c.step in ('phone', 'code') and c.codes_sent < $6
    returning owner
  ), moved as (
    update authorization_session s set step = 'code' from sign_in, asked where s.id = sign_in.id and sign_in.known
  )
  select known from given join asked using (owner)`);

/** A window also ends when all its tries were given back. */
const WINDOW_OVER = '(phone_tries.window_ends_at <= $6 or phone_tries.tries <= 0)';

/** Counts a try of a code in the challenge and, if that has one left, for the number. */
export const takeTry = prepared<{ wrong_tries: number | null; window: string | null }>(`
  with tried as (
    update phone_challenge set wrong_tries = wrong_tries + 1, tries_under_way = tries_under_way + 1
    where purpose = $1 and owner = $2 and step = 'code' and wrong_tries < ${SESSION_TRIES} returning wrong_tries
  ), counted as (
    insert into phone_tries (mode, phone, tries, window_ends_at) select $3, $4, 1, $5::timestamptz from tried
    on conflict (mode, phone) do update set
      tries = case when ${WINDOW_OVER} then 1 else phone_tries.tries + 1 end,
      window_ends_at = case when ${WINDOW_OVER} then excluded.window_ends_at else phone_tries.window_ends_at end
    where ${WINDOW_OVER} or phone_tries.tries < $7
    returning window_ends_at
  )
  select (select wrong_tries from tried), (select window_ends_at::text from counted) as window`);

/** Counts a try of a passkey, also in a sign-in that has no number yet. */
export const takePasskeyTry = prepared<{ owner: string }>(`
  insert into phone_challenge as c (purpose, owner, mode, wrong_tries, tries_under_way, expires_at) values ($1, $2, $3, 1, 1, $4)
  on conflict (purpose, owner) do update set wrong_tries = c.wrong_tries + 1, tries_under_way = c.tries_under_way + 1
  where c.wrong_tries < ${SESSION_TRIES}
  returning owner`);

export const giveTryBack = prepared<never>(`
  update phone_challenge set wrong_tries = wrong_tries - 1, tries_under_way = tries_under_way - 1
  where purpose = $1 and owner = $2 and tries_under_way > 0`);

/** Ends a try, which stays counted. */
export const endTry = prepared<never>(`
  update phone_challenge set tries_under_way = tries_under_way - 1 where purpose = $1 and owner = $2 and tries_under_way > 0`);

/** Gives a try back to the number, only within the window in which it was counted. */
export const giveNumberBack = prepared<never>(`
  update phone_tries set tries = tries - 1
  where mode = $1 and phone = $2 and window_ends_at = $3::timestamptz and tries > 0`);

export const readTries = prepared<{ step: (typeof CHALLENGE_STEPS)[number]; tries_under_way: number }>(
  'select step, tries_under_way from phone_challenge where purpose = $1 and owner = $2',
);

/** Gives back the counts of a correctly entered code and forgets them, so only one of several calls does. Locks counts in one order. */
export const givePlacesBack = prepared<never>(`
  with answered as (
    update phone_challenge c set places = null from (
      select purpose, owner, places from phone_challenge
      where purpose = $1 and owner = $2 and phone = $3 and places is not null for update
    ) held
    where c.purpose = held.purpose and c.owner = held.owner returning held.places
  ), counted as (
    select r.key from answered a cross join lateral jsonb_each_text(a.places) p
      join rate_limit r on r.key = p.key and r.expire = p.value::bigint
    where r.expire > $4 and r.points > 0 order by r.key for update of r
  )
  update rate_limit r set points = r.points - 1 from counted c where r.key = c.key`);

/**
 * SQL: reads and locks the fan who has the number `$3` in the mode `$4`, so that parallel calls cannot open two accounts by one number.
 * `asks`: the number may belong to another person by now.
 */
const HOLDER = `select f.id, ${mayBeRecycled('f', '$5::timestamptz')} as asks, exists (${fanStopped('f.id')}) as stopped
    from fan f where f.phone = $3 and f.mode = $4 for update of f`;

/** SQL: what the right code does to the number under verification, from `holder h`. */
const SPENT = `step = case when h.asks then 'continuity' else 'done' end, reference = null,
      wrong_tries = c.wrong_tries - 1, tries_under_way = c.tries_under_way - 1`;

/** SQL: records the proof at `$6` and resets the tries of the number. */
const PROVED = `proved as (
    update fan f set number_proved_at = $6 from spent where f.id = spent.fan_id
  ), forgotten as (
    delete from phone_tries where phone = $3 and mode = $4 and exists (select from spent)
  )`;

/**
 * After the right code: moves the sign-in to `consent`, to `continuity`, or for a stopped fan to `done`. Records the proof if the fan is
 * signed in. No row where the sign-in has moved on, or no fan has the number.
 */
export const moveSignIn = prepared<{ step: 'consent' | 'continuity' | 'done' }>(`
  with holder as (${HOLDER}), moved as (
    update authorization_session s set
      step = case when h.stopped then 'done' when h.asks then 'continuity' else 'consent' end,
      fan_id = case when not h.asks and not h.stopped then h.id end,
      authenticated_at = case when not h.asks and not h.stopped then $6::timestamptz end, amr = $7
    from holder h where s.id = $2::uuid and s.step = 'code' returning s.step, s.fan_id
  ), spent as (
    update phone_challenge c set ${SPENT} from moved, holder h where c.purpose = $1 and c.owner = $2::uuid::text returning moved.fan_id
  ), ${PROVED}
  select step from moved`);

/**
 * As `moveSignIn`, for the portal: opens a visit under a new secret (its hash is `$7`), or at `continuity` moves the number to that secret.
 * Fans whom staff have stopped may still enter, to see and end the access that they gave.
 */
export const openPortal = prepared<{ step: 'done' | 'continuity' }>(`
  with holder as (${HOLDER}), spent as (
    update phone_challenge c set ${SPENT}, owner = $7, expires_at = $8 from holder h
    where c.purpose = $1 and c.owner = $2 and c.step = 'code' and c.phone = $3 and c.mode = $4
    returning c.step, case when not h.asks then h.id end as fan_id
  ), opened as (
    insert into portal_session (secret_hash, fan_id, authenticated_at, created_at, expires_at)
    select $7, fan_id, $6, $6, $8 from spent where fan_id is not null
  ), ${PROVED}
  select step from spent`);

export const findInDoubt = prepared<{ id: Uuid }>(
  `select f.id from fan f where f.id = any($1) and ${mayBeRecycled('f', '$2::timestamptz')}`,
);

/** A fan keeps the same code while it is valid. */
export const giveSupportCode = prepared<{ code: string }>(`
  insert into support_code as c (fan_id, code, proved_at, expires_at)
  select f.id, $5, $3::timestamptz, $4::timestamptz from fan f where f.mode = $1 and f.phone = $2
  on conflict (fan_id) do update set code = case when c.expires_at <= excluded.proved_at then excluded.code else c.code end,
    proved_at = excluded.proved_at, expires_at = excluded.expires_at
  returning code`);
