import type { Context } from '../context.ts';
import { CodeBudget, CodeTraffic, RateLimit } from '../entities/code-limits.ts';
import { after } from '../oauth/lifetimes.ts';
import { dayOf } from './spend-budget.ts';

const DAY = 24 * 3600;
/** Seconds. */
const TRAFFIC_KEPT = 7 * DAY;
const BUDGETS_KEPT = 90 * DAY;

/** Deletes expired counts. */
export async function purgeCounts({ em, now }: Pick<Context, 'em' | 'now'>): Promise<void> {
  await em.nativeDelete(RateLimit, { expire: { $lt: BigInt(now().getTime()) } });
  await em.nativeDelete(CodeTraffic, { minute: { $lt: after(now(), -TRAFFIC_KEPT) } });
  await em.nativeDelete(CodeBudget, { day: { $lt: dayOf(after(now(), -BUDGETS_KEPT)) } });
}
