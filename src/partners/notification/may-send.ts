import type { Pool } from 'pg';
import { prepared } from '../../platform/database/prepared.ts';
import { usableClient } from '../client/usable-client.ts';
import type { LeasedEndpoint } from './lease-endpoints.ts';
import type { WaitingNotification } from './notification-body.ts';

/** What is known of an attempt at the moment in which it would begin. */
export interface Sendable {
  /** Whether its endpoint is served: it is neither paused nor disabled, and the lease is still this one. */
  served: boolean;
  /** Whether the notification still waits. */
  waits: boolean;
  /** Where it goes now. */
  url: string;
}

const look = prepared<Sendable>(`
  select e.url, coalesce((select n.state = 'waiting' from notification n where n.id = $3), false) as waits,
    e.leased_by is not distinct from $2 and e.paused_at is null and e.disabled_at is null and ${usableClient('c')} as served
  from notification_endpoint e join client c on c.id = e.client_id where e.id = $1`);

/** Looks right before an attempt, since notifications are read ahead. @returns undefined where the endpoint was removed */
export async function maySend(
  pool: Pool,
  { id, leased_by: by }: LeasedEndpoint,
  notification: Pick<WaitingNotification, 'id'>,
): Promise<Sendable | undefined> {
  return (await look(pool, [id, by, notification.id]))[0];
}
