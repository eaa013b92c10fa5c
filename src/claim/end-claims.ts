import type { Pool, PoolClient } from 'pg';
import { insertAudit, sqlAction } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import { backoffAfter } from './backoff.ts';
import { isOpen, type OpenClaim } from './open-claim.ts';

/**
 * The ends of a claim, each one conditional update: the request that made the claim and the jobs of several processes may be at it, and
 * the first one decides.
 */
type EndContext = Pick<Context, 'pool' | 'now' | 'requestId'>;

/** A claim whose transaction has landed without an error. */
export interface LandedClaim {
  claim: OpenClaim;
  slot: number;
}

/** Longer reasons of a node are cut off. */
const REASON_LENGTH = 500;

/** Not over, or failed by our judgement only, which the chain overrules. */
const MAY_BE_CONFIRMED = `(claim.state in ('pending', 'submitted') or claim.state = 'failed' and claim.next_attempt_at is not null)`;

/**
 * Confirms claims whose permit was read from the chain at or after the slot of the transfer, and belongs to the buyer (a ticket's owner is
 * the owner of its permit's account).
 */
const markConfirmed = prepared<ConfirmedOrNot & { [column: string]: unknown }>(
  `with landed as (
     select * from jsonb_to_recordset($1::jsonb) as s(id uuid, slot bigint)
   ), seen as (
     select claim.id, claim.state as before, coalesce(p.chain_slot >= landed.slot, false) as permit_read,
       $4::boolean or exists (
         select from ticket t join wallet w on w.fan_id = t.owner_id
         where t.id = p.ticket_id and w.address = claim.destination_wallet) as moved
     from landed join claim on claim.id = landed.id join permit p on p.id = claim.permit_id
     where ${MAY_BE_CONFIRMED}
   ), done as (
     update claim set state = 'confirmed', failure = null, set_aside = null, next_attempt_at = null, updated_at = $2
     from seen where claim.id = seen.id and seen.permit_read and seen.moved and ${MAY_BE_CONFIRMED}
     returning claim.id, claim.grant_id, claim.permit_id, claim.signature, seen.before
   ), audited as (
     ${insertAudit({
       at: '$2',
       actor: `'system'`,
       action: sqlAction('claim.confirmed'),
       subject: 'done.signature',
       details: `jsonb_build_object('claim', done.id, 'grant', done.grant_id, 'permit', done.permit_id)
         || case when done.before = 'failed' then '{"after_failure": true}'::jsonb else '{}'::jsonb end`,
       requestId: '$3',
       from: 'done',
     })}
   )
   select seen.id, seen.permit_read, seen.id in (select id from done) as confirmed from seen`,
);
const markFailed = prepared<{ id: string }>(
  `with done as (
     update claim set state = 'failed', failure = $2, set_aside = null, attempts = 0,
       next_attempt_at = case when $5::boolean then $3::timestamptz + ${backoffAfter('0')} end, updated_at = $3
     where id = $1 and state in ('pending', 'submitted') returning id, grant_id, permit_id, signature
   ), audited as (
     ${insertAudit({
       at: '$3',
       actor: `'system'`,
       action: sqlAction('claim.failed'),
       subject: 'done.signature',
       details: `jsonb_build_object('claim', done.id, 'grant', done.grant_id, 'permit', done.permit_id,
         'reason', $2::text)`,
       requestId: '$4',
       from: 'done',
     })}
   )
   select id from done`,
);
const endLooks = prepared('update claim set next_attempt_at = null where id = any($1)');
const readEnd = prepared<Pick<OpenClaim, 'id' | 'state' | 'failure'>>(
  'select id, state, failure from claim where id = any($1)',
);

/** What `confirmClaims` found of a claim that had not ended elsewhere. */
export interface ConfirmedOrNot {
  id: string;
  /** Whether the permit's account was read at the slot of the transfer or later. */
  permit_read: boolean;
  confirmed: boolean;
}

/**
 * Confirms landed claims where the permit's account agrees; it must have been taken in before. Once that is committed, `noteConfirmed`
 * brings the claims up to date.
 * @param proven whether it is known that each moved its permit, wherever that has gone since
 */
export function confirmClaims(
  database: Pool | PoolClient,
  { now, requestId }: EndContext,
  landed: LandedClaim[],
  proven = false,
): Promise<ConfirmedOrNot[]> {
  const given = JSON.stringify(landed.map(({ claim, slot }) => ({ id: claim.id, slot })));
  return markConfirmed(database, [given, now(), requestId, proven]);
}

/** @returns the claims that were not confirmed, with what was found of them */
export async function noteConfirmed(
  pool: Pool,
  landed: LandedClaim[],
  found: ConfirmedOrNot[],
): Promise<(LandedClaim & { permitRead: boolean })[]> {
  const rows = new Map(found.map((row) => [row.id, row]));
  for (const { claim } of landed) {
    if (rows.get(claim.id)?.confirmed) Object.assign(claim, { state: 'confirmed', failure: null, may_land: false });
  }
  const elsewhere = landed.filter(({ claim }) => !rows.has(claim.id));
  await noteEnd(
    pool,
    elsewhere.map(({ claim }) => claim),
  );
  return landed.flatMap((one) => {
    const row = rows.get(one.claim.id);
    return row === undefined || row.confirmed ? [] : [{ ...one, permitRead: row.permit_read }];
  });
}

/**
 * Fails a claim.
 * @param decided by the cluster: such a transaction can never land any more. Else it is looked for a while whether it landed after all
 */
export async function failClaim(
  { pool, now, requestId }: EndContext,
  claim: OpenClaim,
  reason: string,
  decided: boolean,
): Promise<void> {
  if (!isOpen(claim)) {
    if (decided) await stopLooking(pool, [claim]);
    return;
  }
  const failure = storableReason(reason);
  const [ended] = await markFailed(pool, [claim.id, failure, now(), requestId, !decided]);
  if (ended) Object.assign(claim, { state: 'failed', failure, may_land: !decided });
  else await noteEnd(pool, [claim]);
}

/** Leaves failed claims as they are from now on. */
export async function stopLooking(pool: Pool, claims: OpenClaim[]): Promise<void> {
  if (claims.length > 0) await endLooks(pool, [claims.map(({ id }) => id)]);
}

/** What a node says may be long, and may have a NUL, which PostgreSQL's text has not. */
export function storableReason(reason: string): string {
  return reason.replaceAll('\0', '').slice(0, REASON_LENGTH);
}

/** Where another request or process ended a claim first, its word stands: every caller is told the same. */
async function noteEnd(pool: Pool, claims: OpenClaim[]): Promise<void> {
  if (claims.length === 0) return;
  const ends = await readEnd(pool, [claims.map(({ id }) => id)]);
  for (const claim of claims)
    Object.assign(
      claim,
      ends.find(({ id }) => id === claim.id),
      { may_land: false },
    );
}
