import type { ChainGateway } from '../chain/gateway/gateway.ts';
import type { Context } from '../context.ts';
import { isRowFault } from '../database/is-row-fault.ts';
import { inTransaction } from '../database/prepared.ts';
import type { Mode } from '../entities/mode.ts';
import { takeInPermits } from './take-in-permits.ts';
import { forgetUnread, reportUnread, setAside } from './unread-permits.ts';

type TakeInContext = Pick<Context, 'pool' | 'now' | 'requestId' | 'log'>;
type Reader = Pick<ChainGateway, 'permits'>;

interface Permits {
  /** Base58. */
  addresses: readonly string[];
  /** The slot that their state must have reached. */
  notBefore: number;
}

/** Permits that are locked and read together; one call of the node. */
const BATCH = 100;

/**
 * Takes in the state of permits in transactions of its own. A permit that can't be read or stored is put aside and does not
 * hold up the others.
 * @returns how many changes it made
 * @throws DomainError `unavailable` where the cluster can't be asked
 */
export async function takeInApart(
  context: TakeInContext,
  mode: Mode,
  gateway: Reader,
  { addresses, notBefore }: Permits,
): Promise<number> {
  let changes = 0;
  for (let at = 0; at < addresses.length; at += BATCH) {
    const batch = { addresses: addresses.slice(at, at + BATCH), notBefore };
    changes += await takeInBatch(context, mode, gateway, batch);
  }
  return changes;
}

/** Where the database refuses a batch, each half is tried again, down to the permit that it refuses. */
async function takeInBatch(context: TakeInContext, mode: Mode, gateway: Reader, permits: Permits): Promise<number> {
  const { addresses, notBefore } = permits;
  try {
    return await takeInTogether(context, mode, gateway, permits);
  } catch (error) {
    if (!isRowFault(error)) throw error;
    const [address, ...others] = addresses;
    if (address !== undefined && others.length === 0) {
      const reason = `The database does not store it: ${error instanceof Error ? error.message : String(error)}`;
      reportUnread(context, mode, await setAside(context.pool, [{ address, reason }], notBefore, context.now()));
      return 0;
    }
  }
  const middle = Math.ceil(addresses.length / 2);
  const first = await takeInBatch(context, mode, gateway, { addresses: addresses.slice(0, middle), notBefore });
  return first + (await takeInBatch(context, mode, gateway, { addresses: addresses.slice(middle), notBefore }));
}

async function takeInTogether(
  context: TakeInContext,
  mode: Mode,
  gateway: Reader,
  { addresses, notBefore }: Permits,
): Promise<number> {
  const { pool, requestId } = context;
  const now = context.now();
  const { changes, aside } = await inTransaction(pool, async (client) => {
    const taken = await takeInPermits(client, gateway, { addresses, notBefore, now, requestId });
    const unreadable = new Set(taken.unreadable.map(({ address }) => address));
    const absent = addresses.filter((address) => !taken.permits.has(address) && !unreadable.has(address));
    await forgetUnread(client, absent);
    return { changes: taken.changes, aside: await setAside(client, taken.unreadable, notBefore, now) };
  });
  reportUnread(context, mode, aside);
  return changes;
}
