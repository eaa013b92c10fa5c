import type { Pool, PoolClient } from 'pg';
import type { Context } from '../../platform/context.ts';
import { storableText } from '../../platform/database/storable-text.ts';
import { REASON_LENGTH } from './set-aside.ts';
import { type ConfirmResult, clearNextAttempt, markConfirmed, markFailed, readEnd } from './statements.ts';
import { isOpen, type LandedClaim, type StoredClaim } from './stored-claim.ts';

// Each end of a claim is one conditional update: a request and the jobs of several processes may race, and the first one wins.
type EndContext = Pick<Context, 'pool' | 'now' | 'requestId'>;

/** A landed claim that is to be confirmed. */
export interface ReadClaim extends LandedClaim {
  /** Whether the permit's account was read just now. A state stored earlier may have the transfer's slot and still precede it. */
  permitRead: boolean;
  requestId: string | null;
}

/**
 * Confirms landed claims where the buyer owns the synced permit. After the commit, call `updateConfirmed`.
 * @param proven whether each claim has provably moved its permit, regardless of who owns it now
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

/** Updates the claims in memory to their results in the database. @returns those that were not confirmed */
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

/** Fails a claim. @param decided whether it can never land, by the cluster's decision; otherwise jobs recheck it for a while */
export async function failClaim(
  { pool, now, requestId }: EndContext,
  claim: StoredClaim,
  reason: string,
  decided: boolean,
): Promise<void> {
  if (!isOpen(claim)) {
    if (decided) await stopRechecking(pool, [claim]);
    return;
  }
  const failure = storableText(reason, REASON_LENGTH);
  const [ended] = await markFailed(pool, [claim.id, failure, now(), requestId, !decided]);
  if (ended) Object.assign(claim, { state: 'failed', failure, may_land: !decided });
  else await reloadEnd(pool, [claim]);
}

/** Makes the failure of claims final. */
export async function stopRechecking(pool: Pool, claims: StoredClaim[]): Promise<void> {
  if (claims.length > 0) await clearNextAttempt(pool, [claims.map(({ id }) => id)]);
}

/** Loads the end of claims that another request or process ended first, so that every caller gets the same answer. */
async function reloadEnd(pool: Pool, claims: StoredClaim[]): Promise<void> {
  if (claims.length === 0) return;
  const ends = new Map((await readEnd(pool, [claims.map(({ id }) => id)])).map((end) => [end.id, end]));
  for (const claim of claims) Object.assign(claim, ends.get(claim.id), { may_land: false });
}
