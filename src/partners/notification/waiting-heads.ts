import type { Pool } from 'pg';
import { filterOnly } from '../../platform/database/filter-only.ts';
import { prepared, preparedWithDates } from '../../platform/database/prepared.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import type { WaitingNotification } from './notification-body.ts';

/** SQL: the columns that a notification is sent from. */
export const WAITING_COLUMNS =
  'n.id, n.jti, n.lane, n.grant_id, n.fan_id, n.type, n.data, n.occurred_at, n.attempts, n.expires_at';

/** Due notifications that are searched for heads, before the lanes are read one by one. */
const NEAR = 100;
const FIRST_LANE = '00000000-0000-0000-0000-000000000000' as Uuid;

/** The heads among the `NEAR` notifications that have been due longest. However long a lane is, no more are read. */
const near = preparedWithDates<WaitingNotification>(`
  with due as materialized (
    select * from notification
    where endpoint_id = $1 and state = 'waiting' and due_at <= $2 order by due_at, id limit ${NEAR}
  ), n as (
    select distinct on (lane) * from due order by lane, id
  )
  select ${WAITING_COLUMNS} from n
  where n.expires_at > $2 and n.lane <> all($3) and n.id = (
    select first.id from notification first
    where first.endpoint_id = $1 and first.lane = n.lane and first.ended_at is null order by first.id limit 1)
  order by n.due_at, n.id limit $4`);

/** The heads of further lanes, each by one step in the index, without their followers. None where `near` covered all that is due. */
const onwards = preparedWithDates<WaitingNotification>(`
  with recursive heads as (
    (
      select * from notification
      where endpoint_id = $1 and ended_at is null and lane > $5 and ${NEAR} = (select count(*) from (
        select from notification where endpoint_id = $1 and state = 'waiting' and due_at <= $2 limit ${NEAR}) due)
      order by lane, id limit 1
    )
    union all
    select next.* from heads cross join lateral (
      select * from notification where endpoint_id = $1 and ended_at is null and lane > heads.lane order by lane, id limit 1
    ) next
  )
  select ${WAITING_COLUMNS} from heads n
  where n.due_at <= $2 and n.expires_at > $2 and n.lane <> all($3) limit $4`);

export interface HeadsWanted {
  now: Date;
  /** Lanes with an attempt under way. */
  busy: readonly Uuid[];
  most: number;
}

/**
 * Reads what can be sent now: at most one notification of each lane, the first. Those due longest come first; where none of these can be
 * sent, lane after lane is read, so that none is left out.
 */
export function createHeadReader(
  pool: Pool,
  endpoint: Uuid,
): (wanted: HeadsWanted) => Promise<readonly WaitingNotification[]> {
  let lane = FIRST_LANE;
  return async ({ now, busy, most }) => {
    const nearest = await near(pool, [endpoint, now, busy, most]);
    if (nearest.length > 0) return nearest;
    const from = lane;
    let further = await onwards(pool, [endpoint, now, busy, most, from]);
    if (further.length === 0 && from !== FIRST_LANE) {
      further = await onwards(pool, [endpoint, now, busy, most, FIRST_LANE]);
    }
    lane = further.at(-1)?.lane ?? FIRST_LANE;
    return further;
  };
}

/**
 * Defers followers that arrived while the head waits for its next attempt, so that they are not read each time. `offset 0` makes the
 * planner look the followers up for each lane (D-337).
 */
const defer = prepared(`
  with due as (
    select distinct lane from (
      select lane from notification where endpoint_id = $1 and state = 'waiting' and due_at <= $2 limit 1000) found
  ), follower as materialized (
    select f.id, head.due_at from due cross join lateral (
      select lane, due_at from notification where endpoint_id = $1 and lane = due.lane and ended_at is null order by id limit 1
    ) head cross join lateral (
      select id from notification
      where endpoint_id = $1 and lane = head.lane and ended_at is null and due_at < head.due_at offset 0
    ) f where head.due_at > $2
  )
  update notification n set due_at = follower.due_at from follower
  where n.id = follower.id and ${filterOnly('n.ended_at is null')}`);

/** Makes notifications wait as long as the head of their lane. */
export async function deferFollowers(pool: Pool, endpoint: Uuid, now: Date): Promise<void> {
  await defer(pool, [endpoint, now]);
}
