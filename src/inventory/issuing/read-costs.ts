import { IssueDay } from '../../entities/issuing.ts';
import type { Context } from '../../platform/context.ts';
import type { Mode } from '../../platform/mode.ts';

/** What putting events and permits onto the chain cost on a day (UTC). Amounts are in lamports. */
export interface DayCost {
  mode: Mode;
  /** As `2026-11-27`. */
  day: string;
  events: number;
  eventCost: bigint;
  permits: number;
  transactions: number;
  /** Transactions that failed, were refused or dropped. */
  lost: number;
  fees: bigint;
  rent: bigint;
  /** Fees and rent over permits, rounded; null where no permit was issued. */
  perPermit: bigint | null;
}

/**
 * The last days on which anything was put onto the chain, newest first. What is under way counts at its expected cost.
 * @param days 1 or more
 */
export async function readCosts({ em }: Pick<Context, 'em'>, mode: Mode, days: number): Promise<DayCost[]> {
  const found = await em.find(IssueDay, { mode }, { orderBy: { day: 'desc' }, limit: days });
  return found.map(({ day, events, permits, transactions, lost, ...amounts }) => {
    const [fees, rent, eventCost] = [BigInt(amounts.fees), BigInt(amounts.rent), BigInt(amounts.eventCost)];
    const count = BigInt(permits);
    const perPermit = permits === 0 ? null : (fees + rent + count / 2n) / count;
    return { mode, day, events, eventCost, permits, transactions, lost, fees, rent, perPermit };
  });
}
