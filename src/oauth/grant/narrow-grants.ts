import type { PoolClient } from 'pg';
import { prepared } from '../../platform/database/prepared.ts';
import { idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import type { NarrowingReason } from '../../record/audit/audit-actions.ts';
import { recordAudits } from '../../record/audit/record-audit.ts';

export interface Narrowing {
  fans: Uuid[];
  tickets: Uuid[];
  reason: NarrowingReason;
  now: Date;
  /** The ID of the request that took a ticket away, if any. Each request gets its own audit entry. */
  requestOf: (ticket: Uuid) => string | null;
}

/** Locks grants in the order of their ids, to prevent deadlocks. `no key update` does not block new codes and tokens of a grant. */
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

/**
 * Removes tickets from every live `selected` grant of the fans, within the caller's transaction. The caller's
 * change of the tickets waits for consents that lock them (`lockHeldTickets`); a statement after it sees the grants of those consents.
 * @returns how many grants were narrowed
 */
export async function narrowGrants(
  client: PoolClient,
  { fans, tickets, reason, now, requestOf }: Narrowing,
): Promise<number> {
  if (tickets.length === 0) return 0;
  const narrowed = await narrow(client, [fans, tickets]);
  const entries = narrowed.flatMap(({ id, lost }) => {
    const ofRequests = Map.groupBy(lost, requestOf);
    return [...ofRequests].map(([request_id, ofRequest]) => ({
      action: 'grant.narrowed' as const,
      subject: idOf('grant', id),
      details: { reason, tickets: ofRequest.map((ticket) => idOf('tkt', ticket)) },
      request_id,
    }));
  });
  await recordAudits(client, entries, { actor: 'system', requestId: null, now });
  return narrowed.length;
}
