import { accountDataLength } from '@fan-api/cosign-policy/read-account';
import type { Chain, WithChains } from '../../chain/chains.ts';
import { IssueDay } from '../../entities/issuing.ts';
import { PAYMENT_PURPOSES, PaymentDay, type PaymentPurpose } from '../../entities/payment.ts';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Mode } from '../../platform/mode.ts';
import { IS_UNNEEDED } from './waiting-permits.ts';

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
  /** What the payer paid, as the chain has it at `finalized`. */
  payments: PurposeCost[];
}

/** What the payer paid for one purpose. Amounts are in lamports. */
export interface PurposeCost {
  purpose: PaymentPurpose;
  transactions: number;
  fees: bigint;
  /** Besides the fees; negative where lamports came to the payer. */
  rest: bigint;
}

/**
 * The last days on which the payer paid for anything, newest first. What is under way counts at its expected cost, except in `payments`.
 * @param days 1 or more
 */
export async function readCosts({ em }: Pick<Context, 'em'>, mode: Mode, days: number): Promise<DayCost[]> {
  // a day has two rows at most, and one for each purpose
  const found = await em.find(IssueDay, { mode }, { orderBy: { day: 'desc' }, limit: 2 * days });
  const paid = await em.find(PaymentDay, { mode }, { orderBy: { day: 'desc' }, limit: PAYMENT_PURPOSES.length * days });
  const [byDay, paidByDay] = [Map.groupBy(found, ({ day }) => day), Map.groupBy(paid, ({ day }) => day)];
  const newest = [...new Set([...byDay.keys(), ...paidByDay.keys()])].sort().reverse().slice(0, days);
  return newest.map((day) => {
    const rows = byDay.get(day) ?? [];
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
      payments: PAYMENT_PURPOSES.flatMap((purpose) => {
        const row = paidByDay.get(day)?.find((each) => each.purpose === purpose);
        return row ? [{ purpose, transactions: row.transactions, fees: BigInt(row.fees), rest: BigInt(row.rest) }] : [];
      }),
    };
  });
}

/** What is not onchain, because no app may list the ticket. */
export interface Spared {
  permits: number;
  /** Lamports of rent; null where the cluster does not tell. */
  rent: bigint | null;
}

const countUnneeded = prepared<{ permits: number }>(
  `select count(*)::int as permits from waiting_permit w where w.mode = $1 and ${IS_UNNEEDED}`,
);

export async function readSpared({ pool, chains }: Pick<Context, 'pool'> & WithChains, mode: Mode): Promise<Spared> {
  const [{ permits } = { permits: 0 }] = await countUnneeded(pool, [mode]);
  return { permits, rent: await permitRent(chains[mode], permits) };
}

/** Lamports that so many permits lock; null where the cluster does not tell. */
export async function permitRent(chain: Chain | undefined, permits: number): Promise<bigint | null> {
  const rent = await chain?.gateway.rentExemption(accountDataLength('Permit')).catch(() => null);
  return rent == null ? null : rent * BigInt(permits);
}
