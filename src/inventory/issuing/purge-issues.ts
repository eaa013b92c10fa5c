import type { Context } from '../../platform/context.ts';
import { deleteOldFrom } from '../../platform/database/in-batches.ts';
import { after } from '../../platform/time.ts';

const KEPT_SECONDS = 30 * 86_400;

const deleteOld = deleteOldFrom('issue_transaction', 'created_at', "state not in ('open', 'landed')");

/** Deletes the transactions of more than 30 days ago; what each day cost is kept. @param limit ends the run at the end of a batch */
export async function purgeIssues({ pool, now }: Pick<Context, 'pool' | 'now'>, limit?: AbortSignal): Promise<void> {
  await deleteOld(pool, after(now(), -KEPT_SECONDS), limit);
}
