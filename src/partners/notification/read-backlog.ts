import type { Pool } from 'pg';
import type { NotificationState } from '../../entities/notification.ts';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { type Id, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import { usableClient } from '../client/usable-client.ts';
import { GIVE_UP_DAYS, RESTS_AFTER } from './retry-times.ts';

/** Notifications that wait, for any reason. */
export interface Backlog {
  /** Counted up to 10,000, so that a long queue costs no more to look at. */
  waiting: number;
  /** Since the oldest of them was written or replayed; 0 where none waits. */
  oldestWaitingSeconds: number;
  /** How late we are at healthy endpoints: a receiver that fails, rests or polls does not count. */
  oldestDueSeconds: number;
}

const read = prepared<Backlog & { [column: string]: unknown }>(`
  select (
      select count(*)::int from (select from notification where state not in ('delivered', 'dead') order by expires_at limit 10000) few
    ) as waiting,
    coalesce((
      select greatest(0, extract(epoch from now() - expires_at + interval '${GIVE_UP_DAYS} days'))::float8
      from notification where state not in ('delivered', 'dead') order by expires_at limit 1
    ), 0) as "oldestWaitingSeconds",
    coalesce((
      select greatest(0, extract(epoch from now() - min(first.due_at)))::float8
      from notification_endpoint e join client c on c.id = e.client_id cross join lateral (
        select n.due_at from notification n where n.endpoint_id = e.id and n.state = 'waiting' order by n.due_at, n.id limit 1
      ) first
      where e.format <> 'set_poll' and e.disabled_at is null and e.paused_at is null and e.failures < ${RESTS_AFTER}
        and ${usableClient('c')}
    ), 0) as "oldestDueSeconds"`);

/** Reads the indexes of waiting notifications, one entry of each endpoint: delivered ones cost nothing. */
export async function readBacklog(pool: Pool): Promise<Backlog> {
  const [row] = await read(pool, []);
  return row ?? { waiting: 0, oldestWaitingSeconds: 0, oldestDueSeconds: 0 };
}

const count = prepared<{ endpoint: Uuid; count: number }>(`
  select e.id as endpoint, (
    select count(*)::int from (
      select from notification n where n.endpoint_id = e.id and n.state = $2 limit $3
    ) few
  ) as count
  from unnest($1::uuid[]) as e(id)`);

/** How many notifications of each endpoint are in a state. @param most counted of each */
export async function countNotifications(
  { pool }: Pick<Context, 'pool'>,
  endpoints: readonly Id<'nep'>[],
  state: NotificationState,
  most: number,
): Promise<number[]> {
  const uuids = endpoints.map((id) => uuidOf('nep', id));
  const counts = new Map((await count(pool, [uuids, state, most])).map((row) => [row.endpoint, row.count]));
  return uuids.map((uuid) => counts.get(uuid) ?? 0);
}
