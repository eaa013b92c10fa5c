import type { Chain } from '../../chain/chains.ts';
import { isUnreadable, type PermitAccount } from '../../chain/gateway/read-accounts.ts';
import type { Context } from '../../platform/context.ts';
import { filterOnly } from '../../platform/database/filter-only.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Mode } from '../../platform/mode.ts';
import { syncInBatches } from './sync-in-batches.ts';

/** As many are read in one run. */
const AT_ONCE = 500;

const readUnfinal = prepared<{ tix_permit_id: string; slot: number }>(`
  select p.tix_permit_id, u.slot::float8 as slot
  from unfinal_permit u join permit p on p.id = u.permit_id join ticket t on t.id = p.ticket_id
    join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id and e.mode = $1
  order by u.slot limit ${AT_ONCE}`);

/**
 * Those whose stored state is the one that was read at the final slot `$2` or later. Nothing is to be stored for them, so they need no
 * lock and no write of their permit. A change that is stored meanwhile has another slot, and stays to be looked at.
 */
const deleteUnchanged = prepared<{ address: string }>(`
  with seen as (
    select * from jsonb_to_recordset($1::jsonb)
      as s(address text, owner text, state text, marketplace text, price numeric(20,0))
  ), unchanged as (
    select u.permit_id, u.slot, seen.address
    from seen join permit p on p.tix_permit_id = seen.address join unfinal_permit u on u.permit_id = p.id and u.slot <= $2
      join ticket t on t.id = p.ticket_id left join wallet w on w.address = seen.owner
      left join lateral (select * from listing where permit_id = p.id and ${filterOnly('closed_at is null')} limit 1) l on true
    where p.tix_permit_id = any($3) and t.owner_id is not distinct from w.fan_id
      and (seen.state = 'listed') = (l.id is not null)
      and (l.id is null or l.marketplace = seen.marketplace and l.price = seen.price)
  )
  delete from unfinal_permit u using unchanged
  where u.permit_id = unchanged.permit_id and u.slot = unchanged.slot returning unchanged.address`);

/** Those that were read again, at the final slot `$2` or later. A permit that is not there any more stays until it is. */
const deleteFinal = prepared(`
  delete from unfinal_permit u using permit p
  where p.id = u.permit_id and p.tix_permit_id = any($1) and u.slot <= $2 and p.chain_slot >= $2`);

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
