import type { Pool } from 'pg';
import { filterOnly } from '../../platform/database/filter-only.ts';
import { prepared, preparedWithDates } from '../../platform/database/prepared.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import type { WaitingNotification } from './notification-body.ts';

/** SQL: what a notification is sent from. */
export const WAITING_COLUMNS =
  'n.id, n.jti, n.lane, n.grant_id, n.fan_id, n.type, n.data, n.occurred_at, n.attempts, n.expires_at';

/** Due notifications among which heads are looked for, before the lanes are walked one by one. */
const NEAR = 100;
const FIRST_LANE = '00000000-0000-0000-0000-000000000000' as Uuid;

/** Those that are the first of their lanes among the ones that are due longest: however long a lane is, no more are looked at. */
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

/** The lanes from one on, each by one step in the index: followers are not read. None where all that is due was near. */
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
  /** Lanes with one on its way. */
  busy: readonly Uuid[];
  most: number;
}

/**
 * Reads what can be sent now: at most one notification of each lane, the first. Those due longest come first; where they are all behind
 * others of lanes that are busy or fail, the lanes follow each other, so that none is left out.
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
 * Lanes whose followers came while the head waits for its next attempt: looking at them again and again would cost. `offset 0` keeps the
 * followers a lookup of each lane (D-337).
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

/** Lets notifications wait as long as the one before them in their lane. */
export async function deferFollowers(pool: Pool, endpoint: Uuid, now: Date): Promise<void> {
  await defer(pool, [endpoint, now]);
}
