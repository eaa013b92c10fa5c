import type { Pool } from 'pg';
import { prepared, preparedWithDates } from '../database/prepared.ts';
import type { Uuid } from '../identifier/type-id.ts';
import type { WaitingNotification } from './notification-body.ts';

/** SQL: what a notification is sent from. */
export const WAITING_COLUMNS =
  'n.id, n.jti, n.lane, n.grant_id, n.fan_id, n.type, n.data, n.occurred_at, n.attempts, n.expires_at';

/** The first of each lane, if it is due, without the lanes on their way. None once the endpoint was paused or disabled. */
const heads = preparedWithDates<WaitingNotification>(`
  select ${WAITING_COLUMNS} from notification n
  where n.endpoint_id = $1 and n.state = 'waiting' and n.due_at <= $2 and n.expires_at > $2 and n.lane <> all($3)
    and not exists (
      select from notification before
      where before.endpoint_id = n.endpoint_id and before.lane = n.lane and before.state = 'waiting' and before.id < n.id
    )
    and exists (select from notification_endpoint e where e.id = $1 and e.disabled_at is null and e.paused_at is null)
  order by n.due_at, n.id limit $4`);

/** What can be sent now: at most one notification of each lane. @param busy lanes with one on its way */
export function readHeads(
  pool: Pool,
  endpoint: Uuid,
  { now, busy, most }: { now: Date; busy: readonly Uuid[]; most: number },
): Promise<WaitingNotification[]> {
  return heads(pool, [endpoint, now, busy, most]);
}

/** Lanes whose followers came while the head waits for its next attempt: looking at them again and again would cost. */
const defer = prepared(`
  update notification n set due_at = head.due_at
  from (
    select distinct on (w.lane) w.lane, w.due_at from notification w
    where w.endpoint_id = $1 and w.state = 'waiting' and w.lane = any(array(
      select d.lane from notification d where d.endpoint_id = $1 and d.state = 'waiting' and d.due_at <= $2 limit 1000))
    order by w.lane, w.id
  ) head
  where n.endpoint_id = $1 and n.state = 'waiting' and n.lane = head.lane and head.due_at > $2 and n.due_at < head.due_at`);

/** Lets notifications wait as long as the one before them in their lane. */
export async function deferFollowers(pool: Pool, endpoint: Uuid, now: Date): Promise<void> {
  await defer(pool, [endpoint, now]);
}
