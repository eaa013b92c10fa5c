import { setTimeout as sleep } from 'node:timers/promises';
import type { SigningState } from '../../chain/gateway/read-signing-state.ts';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';

const PATIENCE_MS = 10_000;
const POLL_MS = 200;
const RETRY_AFTER_SECONDS = 2;

/** Whether any of the permits is not issued now, and whether any was not issued at `$2`. */
const readIssued = prepared<{ unissued: boolean; was_unissued: boolean }>(`
  select coalesce(bool_or(issued_at is null), false) as unissued,
    coalesce(bool_or(issued_at is null or issued_at >= $2), false) as was_unissued
  from permit where tix_permit_id = any($1) and revoked_at is null and closed_at is null`);

/**
 * Makes permits due that nobody needed yet. The trigger of the grant has done so, unless the fan got the ticket in the same moment: then
 * neither transaction saw the other.
 */
const needNow = prepared(`
  update waiting_permit w set retry_at = 'epoch', since = now() from permit p
  where p.id = w.permit_id and p.tix_permit_id = any($1) and w.retry_at is null`);

/**
 * Waits until the permits that a request reaches are onchain: the first app that may list a ticket has its permit issued.
 * @param state what the chain has on the permits, in their order
 * @param reached the permits within the grant
 * @param began before the chain was read
 * @returns whether it has waited, so that the chain is to be read again
 * @throws DomainError `unavailable` where they are not onchain after ten seconds
 */
export async function awaitPermits(
  { pool }: Pick<Context, 'pool'>,
  permits: readonly string[],
  state: SigningState,
  reached: readonly string[],
  began: Date,
): Promise<boolean> {
  const missing = permits.filter((_, index) => state.permits[index] === undefined);
  if (missing.length === 0 || !permits.every((permit) => reached.includes(permit))) return false;
  const read = async () => (await readIssued(pool, [missing, began]))[0];
  // one that was issued since the chain was read is there when it is read again
  if (!(await read())?.was_unissued) return false;
  await needNow(pool, [missing]);
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
    await sleep(POLL_MS);
    if (!(await read())?.unissued) return true;
  }
  const message =
    'The ticket is being put onchain for the first time; nothing was signed. Send the same request again.';
  throw new DomainError('unavailable', message, { retryAfter: RETRY_AFTER_SECONDS, isExpected: true });
}
