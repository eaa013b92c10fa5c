import type { Chain } from '../../chain/chains.ts';
import { isUnreadable, type PermitAccount } from '../../chain/gateway/read-accounts.ts';
import type { Context } from '../../platform/context.ts';
import type { Mode } from '../../platform/mode.ts';
import { deleteFinal, deleteUnchanged, readUnfinal } from './statements.ts';
import { syncInBatches } from './sync-in-batches.ts';

/**
 * Reads the permits again whose owner or listing changed at confirmed, once the slot of that is final: a fork may have undone it, and
 * then there is no new transaction that would tell. Where the state is another one now, the change back is stored and audited.
 * @returns how many changes it made
 * @throws DomainError `unavailable` where the cluster cannot be reached
 */
export async function recheckFinal(
  context: Pick<Context, 'pool' | 'now' | 'requestId' | 'log'>,
  mode: Mode,
  { gateway }: Chain,
): Promise<number> {
  const unfinal = await readUnfinal(context.pool, [mode]);
  if (unfinal.length === 0) return 0;
  const { slot } = await gateway.finality();
  const addresses = unfinal.filter((permit) => permit.slot <= slot).map((permit) => permit.tix_permit_id);
  if (addresses.length === 0) return 0;
  // a state at this slot or later comes after what is final
  const unchanged = await passUnchanged(context, gateway, addresses, slot);
  const others = addresses.filter((address) => !unchanged.has(address));
  if (others.length === 0) return 0;
  const changes = await syncInBatches(context, mode, gateway, { addresses: others, notBefore: slot });
  await deleteFinal(context.pool, [others, slot]);
  return changes;
}

/** Most changes are not undone: those are done with after one read. @returns their addresses */
async function passUnchanged(
  { pool }: Pick<Context, 'pool'>,
  gateway: Chain['gateway'],
  addresses: string[],
  slot: number,
): Promise<Set<string>> {
  const readings = await gateway.permits(addresses, slot);
  const seen = addresses.flatMap((address, index) => {
    const permit = readings[index];
    return permit === undefined || isUnreadable(permit) ? [] : [toSeen(address, permit)];
  });
  const unchanged = await deleteUnchanged(pool, [JSON.stringify(seen), slot, seen.map(({ address }) => address)]);
  return new Set(unchanged.map(({ address }) => address));
}

function toSeen(address: string, { owner, state, marketplace, price }: PermitAccount) {
  return { address, owner, state, marketplace, price: price.toString() };
}
