import type { PoolClient } from 'pg';
import type { NarrowingReason } from '../audit/audit-actions.ts';
import { insertAudit, sqlAction } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { inTransaction, prepared } from '../database/prepared.ts';
import { idOf, type Uuid } from '../identifier/type-id.ts';

export interface Narrowing {
  fans: Uuid[];
  tickets: Uuid[];
  reason: NarrowingReason;
  now: Date;
  requestId: string | null;
}

/** Locks in the order of ids, against deadlocks, and without blocking rows that refer to a grant. */
const narrow = prepared<{ id: Uuid; lost: Uuid[] }>(`
  with held as (
    select id, ticket_ids from consent_grant
    where fan_id = any($1) and mode = 'selected' and revoked_at is null and ticket_ids && $2::uuid[]
    order by id for no key update
  )
  update consent_grant g
  set ticket_ids = array(
    select kept from unnest(held.ticket_ids) with ordinality as t(kept, place) where kept <> all($2) order by place)
  from held where held.id = g.id
  returning g.id, array(select lost from unnest(held.ticket_ids) as t(lost) where lost = any($2)) as lost`);

const audit = prepared(
  insertAudit({
    at: '$2',
    actor: `'system'`,
    action: sqlAction('grant.narrowed'),
    subject: 'subject',
    details: 'details',
    requestId: '$3',
    from: 'jsonb_to_recordset($1::jsonb) as s(subject text, details jsonb)',
  }),
);

/**
 * Removes tickets from every live `selected` grant of the fans, within the caller's transaction. A separate statement, so that
 * it sees each grant committed before the tickets' locks were released (`hold-tickets.ts`).
 * @returns how many grants were narrowed
 */
export async function narrowGrants(
  client: PoolClient,
  { fans, tickets, reason, now, requestId }: Narrowing,
): Promise<number> {
  if (tickets.length === 0) return 0;
  const narrowed = await narrow(client, [fans, tickets]);
  const entries = narrowed.map(({ id, lost }) => ({
    subject: idOf('grant', id),
    details: { reason, tickets: lost.map((ticket) => idOf('tkt', ticket)) },
  }));
  if (entries.length > 0) await audit(client, [JSON.stringify(entries), now, requestId]);
  return narrowed.length;
}

const BATCH = 1000;

const readEnded = prepared<{ fan_id: Uuid; ticket_id: Uuid }>(`
  select g.fan_id, t.id as ticket_id
  from consent_grant g cross join lateral unnest(g.ticket_ids) as granted(ticket_id)
    join ticket t on t.id = granted.ticket_id join ticket_type tt on tt.id = t.ticket_type_id
    join event e on e.id = tt.event_id and e.ends_at <= $1
  where g.mode = 'selected' and g.revoked_at is null and g.ticket_ids <> '{}'
  limit ${BATCH}`);

/** Removes the tickets of ended events from grants. Partners do not see them after the event's end anyway. */
export async function narrowEndedGrants({
  pool,
  now,
  requestId,
}: Pick<Context, 'pool' | 'now' | 'requestId'>): Promise<void> {
  for (;;) {
    const ended = await readEnded(pool, [now()]);
    if (ended.length === 0) return;
    const fans = [...new Set(ended.map((row) => row.fan_id))];
    const tickets = [...new Set(ended.map((row) => row.ticket_id))];
    const narrowing: Narrowing = { fans, tickets, reason: 'event_ended', now: now(), requestId };
    await inTransaction(pool, (client) => narrowGrants(client, narrowing));
    if (ended.length < BATCH) return;
  }
}
