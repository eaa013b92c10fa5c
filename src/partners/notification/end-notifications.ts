import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { Counter } from 'prom-client';
import type { SqlContext } from '../../platform/context.ts';
import { filterOnly } from '../../platform/database/filter-only.ts';
import { inBatches } from '../../platform/database/in-batches.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { bodyOf, type WaitingNotification } from './notification-body.ts';
import { GIVE_UP_DAYS } from './retry-times.ts';

const BATCH = 1_000;

const expire = prepared(`
  update notification set state = 'dead', ended_at = $1, failure = 'not delivered within ${GIVE_UP_DAYS} days'
  where id = any(array(
    select id from notification where state not in ('delivered', 'dead') and expires_at <= $1
    order by expires_at limit ${BATCH} for update skip locked))
  returning id`);

/** Ends notifications that were not delivered in time; they can be replayed. The next ones of their lanes follow. */
export async function expireNotifications({ pool, now }: SqlContext, limit?: AbortSignal): Promise<void> {
  const step = async () => {
    const { length } = await expire(pool, [now()]);
    countDead('expired', length);
    return length;
  };
  await inBatches(BATCH, step, limit);
}

const bury = prepared(`
  update notification set state = 'dead', ended_at = $2, failure = 'the service could not write it'
  where id = $1 and ${filterOnly(`state = 'waiting'`)} returning id`);

/**
 * Ends a notification whose data does not fit its type: it would fail in every attempt, and block its lane.
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

/** Why a notification is dead: nobody received it in time, the client refused it in a poll, or the service could not write it. */
const REASONS = ['expired', 'refused', 'unreadable'] as const;

const dead = new Counter({
  name: 'notifications_dead_total',
  help: 'Notifications that this process has given up, by reason (expired, refused, unreadable)',
  labelNames: ['reason'],
});
// present from the first scrape on: Prometheus sees no increase where a series begins
for (const reason of REASONS) dead.inc({ reason }, 0);

/** Counts notifications that are dead from now on. */
export function countDead(reason: (typeof REASONS)[number], count: number): void {
  dead.inc({ reason }, count);
}
