import type { PoolClient } from 'pg';
import { chainOf, type WithChains } from '../chain/chains.ts';
import type { Context } from '../platform/context.ts';
import { deferUnread, syncInBatches } from '../tickets/ticket/sync-in-batches.ts';
import type { Plan } from './plan.ts';

type SyncContext = Pick<Context, 'pool' | 'now' | 'requestId' | 'log'> & WithChains;

const REASON = 'It was adopted, and its state must be read once more.';

/**
 * Queues the permits that a plan adopts for another read, within its transaction: onchain changes since the first read were ignored,
 * because the permits were not stored yet. `syncAdopted` reads them immediately; where that fails, reconciling does.
 */
export async function deferAdopted(client: PoolClient, { adopted, now }: Plan): Promise<void> {
  if (adopted.size === 0) return;
  const permits = [...adopted.keys()].map(({ tix_permit_id }) => ({ address: tix_permit_id, reason: REASON }));
  await deferUnread(client, permits, slotOf(adopted), now);
}

/** Brings the adopted permits to their present state, with their listings. Never throws: where it can’t be done now, reconciling does it. */
export async function syncAdopted(context: SyncContext, { adopted }: Plan): Promise<void> {
  if (adopted.size === 0) return;
  const addresses = [...adopted.keys()].map(({ tix_permit_id }) => tix_permit_id);
  try {
    const { gateway } = chainOf(context.chains, 'production');
    await syncInBatches(context, 'production', gateway, { addresses, notBefore: slotOf(adopted) });
  } catch (error) {
    // the batch is committed, so it did not fail
    context.log.warn({ err: error }, 'adopted permits are read later');
  }
}

function slotOf(adopted: Plan['adopted']): number {
  return Math.max(...adopted.values());
}
