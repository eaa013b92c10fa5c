import type { Pool, PoolClient } from 'pg';
import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import { newId, type Uuid, uuidOf } from '../identifier/type-id.ts';

/** Seconds after which a co-signed listing can't appear any more. */
const MAY_APPEAR_SECONDS = 180;

const ofPermits = prepared<{ id: Uuid }>(`
  select p.id from permit p
  where p.id = any($1) and p.issued_at is not null
    and (exists (select from listing l where l.permit_id = p.id and l.closed_at is null)
      or exists (select from listing_signature s where s.permit_id = p.id and s.action = 'list' and s.signed_at > $2))`);

const ofAll = prepared<{ id: Uuid }>(`
  select p.id from listing l join permit p on p.id = l.permit_id and p.revoked_at is not null and p.partner_id is null
  where l.closed_at is null
    and not exists (select from permit_task k where k.permit_id = p.id and k.kind = 'close_listing' and k.state = 'open')
  order by p.id limit 1000`);

const insertTasks = prepared(`
  insert into permit_task (id, permit_id, kind, next_attempt_at, actor, request_id, created_at)
  select id, permit_id, 'close_listing', $2, $3, $4, $2
  from jsonb_to_recordset($1::jsonb) as g(id uuid, permit_id uuid) order by permit_id
  on conflict (permit_id, kind) where state = 'open' do nothing`);

interface Asked {
  actor: string;
  requestId: string | null;
  now: Date;
}

/** Has the listings of withdrawn permits closed onchain, also one that was co-signed a moment ago and may still appear. */
export async function closeListingsOf(client: PoolClient, permits: readonly Uuid[], asked: Asked): Promise<void> {
  if (permits.length === 0) return;
  const since = new Date(asked.now.getTime() - MAY_APPEAR_SECONDS * 1000);
  await insert(client, await ofPermits(client, [permits, since]), asked);
}

/** Finds open listings of withdrawn permits that nobody is closing, however they came to be. */
export async function closeForgottenListings({
  pool,
  now,
  requestId,
}: Pick<Context, 'pool' | 'now' | 'requestId'>): Promise<void> {
  await insert(pool, await ofAll(pool, []), { actor: 'system', requestId, now: now() });
}

async function insert(database: Pool | PoolClient, permits: readonly { id: Uuid }[], asked: Asked): Promise<void> {
  if (permits.length === 0) return;
  const tasks = permits.map(({ id }) => ({ id: uuidOf('task', newId('task')), permit_id: id }));
  await insertTasks(database, [JSON.stringify(tasks), asked.now, asked.actor, asked.requestId]);
}
