import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { filterOnly } from '../../platform/database/filter-only.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { countDead } from './count-dead.ts';
import { bodyOf, type WaitingNotification } from './notification-body.ts';

const bury = prepared(`
  update notification set state = 'dead', ended_at = $2, failure = 'the service could not write it'
  where id = $1 and ${filterOnly(`state = 'waiting'`)} returning id`);

/**
 * Ends a notification that does not hold what its type has: it would fail in every attempt, and hold up its lane.
 * @returns whether it was one
 */
export async function buryUnreadable(
  { pool, log, now }: { pool: Pool; log: Logger; now: () => Date },
  notification: WaitingNotification,
): Promise<boolean> {
  try {
    bodyOf(notification);
    return false;
  } catch (err) {
    log.error({ err, notification: notification.id }, 'a notification cannot be written');
    countDead('unreadable', (await bury(pool, [notification.id, now()])).length);
    return true;
  }
}
