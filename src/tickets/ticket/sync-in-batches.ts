import type { ChainGateway } from '../../chain/gateway/gateway.ts';
import type { Context } from '../../platform/context.ts';
import { isRowFault } from '../../platform/database/faults.ts';
import { inTransaction } from '../../platform/database/prepared.ts';
import type { Mode } from '../../platform/mode.ts';
import { syncPermits } from './sync-permits.ts';
import { deferUnread, deleteUnissued, reportUnread } from './unread-permits.ts';

type SyncContext = Pick<Context, 'pool' | 'now' | 'requestId' | 'log'>;
type Reader = Pick<ChainGateway, 'permits'>;

interface Permits {
  /** Base58. */
  addresses: readonly string[];
  /** The slot that the state must have reached. */
  notBefore: number;
}

/** Permits that are locked and read together, in one RPC call. */
const BATCH = 100;

/**
 * Syncs permits in transactions of its own. A permit that cannot be read or stored is deferred (`unread-permits.ts`) and does not
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
    await deleteUnissued(client, absent);
    // the program never closes a permit's account: the node may lag, lie, or have dropped a fork
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
