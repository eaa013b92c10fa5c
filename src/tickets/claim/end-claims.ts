import type { Pool, PoolClient } from 'pg';
import type { Context } from '../../platform/context.ts';
import { filterOnly } from '../../platform/database/filter-only.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import { insertAudit, sqlAction } from '../../record/audit/record-audit.ts';
import { claimPause, isOpen, type LandedClaim, type OpenClaim } from './open-claim.ts';
import { storableReason } from './set-aside.ts';

// Each end of a claim is one conditional update: a request and the jobs of several processes may race, and the first one wins.
type EndContext = Pick<Context, 'pool' | 'now' | 'requestId'>;

const IS_OPEN = filterOnly(`state in ('pending', 'submitted')`);

/** Open, or failed by our judgement only, which the chain overrules. */
const MAY_BE_CONFIRMED = filterOnly(`claim.state in ('pending', 'submitted')
  or claim.state = 'failed' and claim.next_attempt_at is not null`);

/**
 * Confirms claims whose permit was read at or after the slot of the transfer and belongs to the buyer. `$4`, the ids again, tells the
 * planner that they are few: for a JSON of unknown length it goes through all open claims.
 */
const markConfirmed = prepared<ConfirmResult>(
  `with landed as (
     select * from jsonb_to_recordset($1::jsonb) as s(id uuid, slot bigint, permit_read boolean, request_id text)
   ), seen as (
     select claim.id, landed.slot, landed.request_id, claim.state as before,
       landed.permit_read and coalesce(p.chain_slot >= landed.slot, false) as permit_read,
       $3::boolean or exists (
         select from ticket t join wallet w on w.fan_id = t.owner_id
         where t.id = p.ticket_id and w.address = claim.destination_wallet) as moved
     from landed join claim on claim.id = landed.id join permit p on p.id = claim.permit_id
     where claim.id = any($4) and ${MAY_BE_CONFIRMED}
   ), done as (
     update claim set state = 'confirmed', failure = null, set_aside = null, next_attempt_at = null, updated_at = $2,
       unfinal_slot = seen.slot
     from seen where claim.id = seen.id and seen.permit_read and seen.moved and ${MAY_BE_CONFIRMED}
     returning claim.id, claim.grant_id, claim.permit_id, claim.signature, seen.before, seen.request_id
   ), audited as (
     ${insertAudit({
       at: '$2',
       actor: `'system'`,
       action: sqlAction('claim.confirmed'),
       subject: 'done.signature',
       details: `jsonb_build_object('claim', done.id, 'grant', done.grant_id, 'permit', done.permit_id)
         || case when done.before = 'failed' then '{"after_failure": true}'::jsonb else '{}'::jsonb end`,
       requestId: 'done.request_id',
       from: 'done',
     })}
   )
   select seen.id, seen.permit_read, seen.id in (select id from done) as confirmed from seen`,
);
const markFailed = prepared<{ id: Uuid }>(
  `with done as (
     update claim set state = 'failed', failure = $2, set_aside = null, attempts = 0,
       next_attempt_at = case when $5::boolean then $3::timestamptz + ${claimPause('0')} end, updated_at = $3
     where id = $1 and ${IS_OPEN} returning id, grant_id, permit_id, signature
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
const clearNextAttempt = prepared('update claim set next_attempt_at = null where id = any($1)');
const readEnd = prepared<Pick<OpenClaim, 'id' | 'state' | 'failure'>>(
  'select id, state, failure from claim where id = any($1)',
);

/** A claim that had not ended elsewhere. */
export interface ConfirmResult {
  id: Uuid;
  /** Whether the permit's account was read at the slot of the transfer or later. */
  permit_read: boolean;
  confirmed: boolean;
}

/** A landed claim that is to be confirmed. */
export interface ReadClaim extends LandedClaim {
  /** Whether the permit's account was just read. An earlier state may be of the same slot and from before the transfer. */
  permitRead: boolean;
  requestId: string | null;
}

/**
 * Confirms landed claims where the synced permit agrees. After the commit, call `updateConfirmed`.
 * @param proven whether each is known to have moved its permit, regardless of its owner now
 */
export function confirmClaims(
  database: Pool | PoolClient,
  now: Date,
  landed: readonly ReadClaim[],
  proven = false,
): Promise<ConfirmResult[]> {
  const given = landed.map(({ claim, slot, permitRead, requestId }) => {
    return { id: claim.id, slot, permit_read: permitRead, request_id: requestId };
  });
  const ids = landed.map(({ claim }) => claim.id);
  return markConfirmed(database, [JSON.stringify(given), now, proven, ids]);
}

/** Updates the claims in memory. @returns those that were not confirmed */
export async function updateConfirmed(
  pool: Pool,
  landed: LandedClaim[],
  results: ConfirmResult[],
): Promise<(LandedClaim & { permitRead: boolean })[]> {
  const rows = new Map(results.map((row) => [row.id, row]));
  const endedElsewhere = landed.flatMap(({ claim }) => (rows.has(claim.id) ? [] : [claim]));
  await reloadEnd(pool, endedElsewhere);
  return landed.flatMap((one) => {
    const row = rows.get(one.claim.id);
    if (row?.confirmed) Object.assign(one.claim, { state: 'confirmed', failure: null, may_land: false });
    return row === undefined || row.confirmed ? [] : [{ ...one, permitRead: row.permit_read }];
  });
}

/** Fails a claim. @param decided whether the cluster decided, so that it can never land; otherwise it is rechecked for a while */
export async function failClaim(
  { pool, now, requestId }: EndContext,
  claim: OpenClaim,
  reason: string,
  decided: boolean,
): Promise<void> {
  if (!isOpen(claim)) {
    if (decided) await stopRechecking(pool, [claim]);
    return;
  }
  const failure = storableReason(reason);
  const [ended] = await markFailed(pool, [claim.id, failure, now(), requestId, !decided]);
  if (ended) Object.assign(claim, { state: 'failed', failure, may_land: !decided });
  else await reloadEnd(pool, [claim]);
}

/** Makes the failure of claims final. */
export async function stopRechecking(pool: Pool, claims: OpenClaim[]): Promise<void> {
  if (claims.length > 0) await clearNextAttempt(pool, [claims.map(({ id }) => id)]);
}

/** Loads the end of claims that another request or process ended first, so that every caller gets the same answer. */
async function reloadEnd(pool: Pool, claims: OpenClaim[]): Promise<void> {
  if (claims.length === 0) return;
  const ends = new Map((await readEnd(pool, [claims.map(({ id }) => id)])).map((end) => [end.id, end]));
  for (const claim of claims) Object.assign(claim, ends.get(claim.id), { may_land: false });
}
