import type { Pool, PoolClient } from 'pg';
import { Counter } from 'prom-client';
import type { ChainGateway } from '../../chain/gateway/gateway.ts';
import type { Context } from '../../platform/context.ts';
import { isRowFault } from '../../platform/database/faults.ts';
import { inTransaction } from '../../platform/database/prepared.ts';
import { storableText } from '../../platform/database/storable-text.ts';
import { MODES, type Mode } from '../../platform/mode.ts';
import { type DeferredPermit, removeUnread, writeUnread } from './statements.ts';
import { syncPermits, type UnreadablePermit } from './sync-permits.ts';

type SyncContext = Pick<Context, 'pool' | 'now' | 'requestId' | 'log'>;
type Reader = Pick<ChainGateway, 'permits'>;

interface Permits {
  /** Base58. */
  addresses: readonly string[];
  /** The slot that the state must have reached. */
  notBefore: number;
}

const REASON_LENGTH = 300;

const failures = new Counter({
  name: 'reconcile_unread_permits_total',
  help: 'Failed tries to sync the onchain state of a single permit, by mode',
  labelNames: ['mode'],
});

for (const mode of MODES) failures.inc({ mode }, 0);

/** Permits that are locked and read together, in one RPC call. */
const BATCH = 100;

/**
 * Syncs permits in transactions of its own. A permit that cannot be read or stored is deferred and does not
 * block the others.
 * @returns how many changes it made
 * @throws DomainError `unavailable` where the cluster cannot be reached
 */
export async function syncInBatches(
  context: SyncContext,
  mode: Mode,
  gateway: Reader,
  { addresses, notBefore }: Permits,
): Promise<number> {
  let changes = 0;
  for (let at = 0; at < addresses.length; at += BATCH) {
    const batch = { addresses: addresses.slice(at, at + BATCH), notBefore };
    changes += await syncBatch(context, mode, gateway, batch);
  }
  return changes;
}

/** Where the database refuses a batch, bisects it down to the permit that is refused. */
async function syncBatch(context: SyncContext, mode: Mode, gateway: Reader, permits: Permits): Promise<number> {
  const { addresses, notBefore } = permits;
  try {
    return await syncTogether(context, mode, gateway, permits);
  } catch (error) {
    if (!isRowFault(error)) throw error;
    const [address, ...others] = addresses;
    if (address !== undefined && others.length === 0) {
      const reason = `The database does not store it: ${error instanceof Error ? error.message : String(error)}`;
      reportUnread(context, mode, await deferUnread(context.pool, [{ address, reason }], notBefore, context.now()));
      return 0;
    }
  }
  const middle = Math.ceil(addresses.length / 2);
  const first = await syncBatch(context, mode, gateway, { addresses: addresses.slice(0, middle), notBefore });
  return first + (await syncBatch(context, mode, gateway, { addresses: addresses.slice(middle), notBefore }));
}

async function syncTogether(
  context: SyncContext,
  mode: Mode,
  gateway: Reader,
  { addresses, notBefore }: Permits,
): Promise<number> {
  const { pool, requestId } = context;
  const now = context.now();
  const { changes, deferred } = await inTransaction(pool, async (client) => {
    const { permits, unreadable, changes } = await syncPermits(client, gateway, {
      addresses,
      notBefore,
      now,
      requestOf: () => requestId,
    });
    const found = new Set([...permits.keys(), ...unreadable.map(({ address }) => address)]);
    const absent = addresses.filter((address) => !found.has(address));
    // permits that were never onchain need no further try
    if (absent.length > 0) await removeUnread(client, [absent]);
    // only this service closes a permit's account, so try again: the node may lag, lie, or have dropped a fork
    const missing = absent.map((address) => ({
      address,
      reason: 'The cluster does not have it any more',
      absent: true,
    }));
    return { changes, deferred: await deferUnread(client, [...unreadable, ...missing], notBefore, now) };
  });
  reportUnread(context, mode, deferred);
  return changes;
}

/**
 * Defers permits until their next try.
 * @param slot that the state must have reached
 * @returns those deferred by this call, and not by another process
 */
export async function deferUnread(
  database: Pool | PoolClient,
  unreadable: readonly UnreadablePermit[],
  slot: number,
  now: Date,
): Promise<DeferredPermit[]> {
  if (unreadable.length === 0) return [];
  const given = unreadable.map(({ address, reason, absent }) => {
    return { address, reason: storableText(reason, REASON_LENGTH), absent };
  });
  return writeUnread(database, [JSON.stringify(given), now, slot]);
}

/** Counts failed tries, and logs the first of each permit, a line for each reason. Call it after the commit. */
function reportUnread({ log }: Pick<Context, 'log'>, mode: Mode, deferred: readonly DeferredPermit[]): void {
  if (deferred.length > 0) failures.inc({ mode }, deferred.length);
  const first = deferred.filter(({ tries }) => tries === 1);
  for (const [reason, those] of Map.groupBy(first, (each) => each.reason)) {
    const permits = those.map(({ permit }) => permit);
    log.error({ mode, reason, permits }, 'the onchain state of permits could not be read');
  }
}
