import { IssueDay } from '../../entities/issuing.ts';
import type { Context } from '../../platform/context.ts';
import type { Mode } from '../../platform/mode.ts';

/** What events and permits cost onchain on a day (UTC), and what came back. Amounts are in lamports. */
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
  closedEvents: number;
  closedPermits: number;
  /** Fees of closing them. */
  closingFees: bigint;
  /** Rent that came back from closed events and permits. */
  returned: bigint;
}

/**
 * The last days on which anything was put onto the chain or closed, newest first. What is under way counts at its expected cost.
 * @param days 1 or more
 */
export async function readCosts({ em }: Pick<Context, 'em'>, mode: Mode, days: number): Promise<DayCost[]> {
  // a day has two rows at most
  const found = await em.find(IssueDay, { mode }, { orderBy: { day: 'desc' }, limit: 2 * days });
  const byDay = Map.groupBy(found, ({ day }) => day);
  return [...byDay].slice(0, days).map(([day, rows]) => {
    const made = rows.find(({ closes }) => !closes);
    const closed = rows.find(({ closes }) => closes);
    const [fees, rent] = [BigInt(made?.fees ?? 0), BigInt(made?.rent ?? 0)];
    const { events = 0, permits = 0, transactions = 0, lost = 0 } = made ?? {};
    const count = BigInt(permits);
    return {
      mode,
      day,
      events,
      eventCost: BigInt(made?.eventCost ?? 0),
      permits,
      transactions,
      lost,
      fees,
      rent,
      perPermit: permits === 0 ? null : (fees + rent + count / 2n) / count,
      closedEvents: closed?.events ?? 0,
      closedPermits: closed?.permits ?? 0,
      closingFees: BigInt(closed?.fees ?? 0),
      returned: -BigInt(closed?.rent ?? 0) - BigInt(closed?.eventCost ?? 0),
    };
  });
}
