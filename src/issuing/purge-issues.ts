import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import { after } from '../oauth/lifetimes.ts';

const KEPT_SECONDS = 30 * 86_400;
const BATCH = 5_000;

const purge = prepared<{ signature: string }>(`
  delete from issue_transaction where signature in (
    select signature from issue_transaction where created_at < $1 and state not in ('open', 'landed')
    order by created_at limit ${BATCH})
  returning signature`);

/** Deletes the transactions of more than 30 days ago; what each day cost is kept. */
export async function purgeIssues({ pool, now }: Pick<Context, 'pool' | 'now'>): Promise<void> {
  while ((await purge(pool, [after(now(), -KEPT_SECONDS)])).length === BATCH);
}
