import type { NotificationState } from '../../entities/notification.ts';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { type Id, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';

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
