import { setTimeout as sleep } from 'node:timers/promises';
import type { SigningState } from '../../chain/gateway/read-signing-state.ts';
import type { Context } from '../../platform/context.ts';
import { filterOnly } from '../../platform/database/filter-only.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';

const PATIENCE_MS = 10_000;
const POLL_MS = 200;
const RETRY_AFTER_SECONDS = 2;

const isAnyUnissued = prepared<{ waits: boolean }>(`
  select exists (
    select from permit where tix_permit_id = any($1) and ${filterOnly('issued_at is null and revoked_at is null')} and closed_at is null
  ) as waits`);

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
 * @returns whether it has waited, so that the chain is to be read again
 * @throws DomainError `unavailable` where they are not onchain after ten seconds
 */
export async function awaitPermits(
  { pool }: Pick<Context, 'pool'>,
  permits: readonly string[],
  state: SigningState,
  reached: readonly string[],
): Promise<boolean> {
  const missing = permits.filter((_, index) => state.permits[index] === undefined);
  if (missing.length === 0 || !permits.every((permit) => reached.includes(permit))) return false;
  const isWaiting = async () => (await isAnyUnissued(pool, [missing]))[0]?.waits === true;
  if (!(await isWaiting())) return false;
  await needNow(pool, [missing]);
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
    await sleep(POLL_MS);
    if (!(await isWaiting())) return true;
  }
  const message =
    'The ticket is being put onchain for the first time; nothing was signed. Send the same request again.';
  throw new DomainError('unavailable', message, { retryAfter: RETRY_AFTER_SECONDS, isExpected: true });
}
