import type { Pool } from 'pg';
import { usableClient } from '../client/usable-client.ts';
import { prepared } from '../database/prepared.ts';
import type { NotificationFormat } from '../entities/notification.ts';
import type { Uuid } from '../identifier/type-id.ts';
import { after } from '../oauth/lifetimes.ts';

/** An endpoint whose notifications this process sends for now. */
export interface LeasedEndpoint {
  id: Uuid;
  client_id: Uuid;
  format: Exclude<NotificationFormat, 'set_poll'>;
  url: string;
  failures: number;
}

/** Seconds after which another process goes on where this one is gone. Longer than an endpoint is served, and its last attempt takes. */
export const LEASE_SECONDS = 60;

/**
 * Takes endpoints that have something to send, those served longest ago first. One process at a time serves an endpoint, which keeps
 * its notifications in order; locked rows are left to the others, so several processes share the work.
 */
const lease = prepared<LeasedEndpoint>(`
  with due as (
    select e.id from notification_endpoint e join client c on c.id = e.client_id
    where e.format <> 'set_poll' and e.disabled_at is null and e.paused_at is null and ${usableClient('c')}
      and (e.rest_until is null or e.rest_until <= $1) and (e.leased_until is null or e.leased_until <= $1)
      and exists (select from notification n where n.endpoint_id = e.id and n.state = 'waiting' and n.due_at <= $1)
    order by e.leased_until nulls first, e.id limit $3 for no key update of e skip locked
  )
  update notification_endpoint e set leased_by = $2, leased_until = $4 from due where e.id = due.id
  returning e.id, e.client_id, e.format, e.url, e.failures`);

/** @param process names this process @param most endpoints */
export function leaseEndpoints(
  pool: Pool,
  { now, process, most, seconds }: { now: Date; process: string; most: number; seconds: number },
): Promise<LeasedEndpoint[]> {
  return lease(pool, [now, process, most, after(now, seconds)]);
}

const release = prepared(`
  update notification_endpoint set leased_by = null, leased_until = $3,
    last_delivered_at = coalesce($4, last_delivered_at)
  where id = $1 and leased_by = $2`);

/** Gives an endpoint back. @param deliveredAt its last success, if there was one */
export async function releaseEndpoint(
  pool: Pool,
  endpoint: Uuid,
  { now, process, deliveredAt }: { now: Date; process: string; deliveredAt: Date | undefined },
): Promise<void> {
  await release(pool, [endpoint, process, now, deliveredAt ?? null]);
}
