import type { Pool } from 'pg';
import type { SqlContext } from '../../platform/context.ts';
import { prepared, preparedWithDates } from '../../platform/database/prepared.ts';
import { type Id, idOf, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';

const note = prepared(`
  insert into feed_follower (account_id, event, position, seen_at, snapshot_at) values ($1, $2, $3, $4, case when $5 then $4::timestamptz end)
  on conflict (account_id, event) do update set position = excluded.position, seen_at = excluded.seen_at,
    snapshot_at = coalesce(excluded.snapshot_at, feed_follower.snapshot_at)`);

/** What a service account has read of the feed. */
export interface Read {
  account: Id<'sva'>;
  /** Reference of the event that it follows; undefined for all. */
  event: string | undefined;
  /** It has read everything up to there. */
  position: number;
  /** Whether by a snapshot. */
  bySnapshot: boolean;
}

/** Notes how far a follower is, for people. */
export async function noteFollower({ pool, now }: SqlContext, read: Read): Promise<void> {
  const { account, event = '', position, bySnapshot } = read;
  await note(pool, [uuidOf('sva', account), event, position, now(), bySnapshot]);
}

/** Tickets that are counted for a follower. */
export const MOST_BEHIND = 1_000;

/** A service account that follows the feed, and how far it is behind. */
export interface Follower {
  account: Id<'sva'>;
  name: string;
  /** Null for all events. */
  event: string | null;
  seenAt: Date;
  snapshotAt: Date | null;
  /** Tickets that it has not read since they changed, at most one more than `MOST_BEHIND`. */
  behind: number;
  /** Since when the first of them waits. */
  behindSince: Date | null;
}

type FollowerRow = Omit<Follower, 'account'> & { id: Uuid };

/** Of the tickets that come next in the feed, those of the follower's event. */
const readFollowers = preparedWithDates<FollowerRow>(`
  select a.id, a.name, nullif(f.event, '') as event, f.seen_at as "seenAt", f.snapshot_at as "snapshotAt", late.behind,
    late.since as "behindSince"
  from feed_follower f join service_account a on a.id = f.account_id and a.disabled_at is null cross join lateral (
    select count(*)::int as behind, min(n.changed_at) as since
    from (
      (select ticket_id, changed_at from ticket_feed where position > f.position and not pending order by position limit ${MOST_BEHIND + 1})
      union all (select ticket_id, changed_at from ticket_feed where pending limit ${MOST_BEHIND + 1})
      limit ${MOST_BEHIND + 1}
    ) n join ticket t on t.id = n.ticket_id join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
    where f.event in ('', e.reference)
  ) late order by f.seen_at desc, a.id limit 100`);

/** Who follows the feed, the last one to be seen first: at most 100. */
export async function listFollowers(pool: Pool): Promise<Follower[]> {
  return (await readFollowers(pool, [])).map(({ id, ...follower }) => ({ account: idOf('sva', id), ...follower }));
}
