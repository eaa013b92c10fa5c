import type { Context } from '../../platform/context.ts';
import { inTransaction, prepared } from '../../platform/database/prepared.ts';
import { IS_UNNEEDED } from './waiting-permits.ts';

/** `$1` whether on demand. */
const store = prepared('update issue_pace set on_demand = $1 where on_demand is distinct from $1');

/** `$1` now. */
const queueUnneeded = prepared(`update waiting_permit w set since = $1, retry_at = $1 where ${IS_UNNEEDED}`);

/**
 * Tells the triggers of the queue when permits are issued (`ISSUE_WHEN`), at the start of a process. What is in the queue stays in it;
 * where permits are issued at import from now on, those join it that were not needed.
 */
export async function storeIssueWhen({ pool, now, config }: Pick<Context, 'pool' | 'now' | 'config'>): Promise<void> {
  const { onDemand } = config.issuing;
  await inTransaction(pool, async (client) => {
    await store(client, [onDemand]);
    // also where nothing changed here: an import may have run beside the change
    if (!onDemand) await queueUnneeded(client, [now()]);
  });
}
