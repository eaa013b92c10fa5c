import type { Context } from '../../platform/context.ts';
import { inBatches } from '../../platform/database/in-batches.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { countDead } from './count-dead.ts';
import { GIVE_UP_DAYS } from './retry-times.ts';

const BATCH = 1_000;

const expire = prepared(`
  update notification set state = 'dead', ended_at = $1, failure = 'not delivered within ${GIVE_UP_DAYS} days'
  where id = any(array(
    select id from notification where state not in ('delivered', 'dead') and expires_at <= $1
    order by expires_at limit ${BATCH} for update skip locked))
  returning id`);

/** Ends notifications that were not delivered in time; they can be replayed. The next of their lanes follow. */
export async function expireNotifications(
  { pool, now }: Pick<Context, 'pool' | 'now'>,
  limit?: AbortSignal,
): Promise<void> {
  const step = async () => {
    const { length } = await expire(pool, [now()]);
    countDead('expired', length);
    return length;
  };
  await inBatches(BATCH, step, limit);
}
