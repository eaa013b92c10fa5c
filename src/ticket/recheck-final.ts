import type { Chain } from '../chain/chains.ts';
import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import type { Mode } from '../entities/mode.ts';
import { syncInBatches } from './sync-in-batches.ts';

/** As many are read in one run. */
const AT_ONCE = 500;

const readUnfinal = prepared<{ tix_permit_id: string; slot: number }>(`
  select p.tix_permit_id, u.slot::float8 as slot
  from unfinal_permit u join permit p on p.id = u.permit_id join ticket t on t.id = p.ticket_id
    join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id and e.mode = $1
  order by u.slot limit ${AT_ONCE}`);

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
  const changes = await syncInBatches(context, mode, gateway, { addresses, notBefore: slot });
  await deleteFinal(context.pool, [addresses, slot]);
  return changes;
}
