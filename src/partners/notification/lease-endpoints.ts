import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { NotificationFormat } from '../../entities/notification.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { usableClient } from '../client/usable-client.ts';
import type { WaitingNotification } from './notification-body.ts';

/** An endpoint whose notifications this process sends for now. */
export interface LeasedEndpoint {
  id: Uuid;
  client_id: Uuid;
  format: Exclude<NotificationFormat, 'set_poll'>;
  url: string;
  failures: number;
  /** Identifies this lease alone, not its process. */
  leased_by: string;
}

/** Seconds until a lease expires, so that another process takes over from one that is gone. A live one renews it three times in them. */
export const LEASE_SECONDS = 10;

/**
 * Takes endpoints that have something to send, those served longest ago first. One process at a time serves an endpoint, which keeps its
 * notifications in order; locked rows are left to the others, so several processes share the work. Due notifications are looked up for
 * each endpoint: an `exists` could become a join that reads all that wait (D-337).
 */
const lease = prepared<LeasedEndpoint>(`
  with due as (
    select e.id from notification_endpoint e join client c on c.id = e.client_id
    where e.format <> 'set_poll' and e.disabled_at is null and e.paused_at is null and ${usableClient('c')}
      and (e.rest_until is null or e.rest_until <= $1) and (e.leased_until is null or e.leased_until <= $1)
      and (select true from notification n where n.endpoint_id = e.id and n.state = 'waiting' and n.due_at <= $1 limit 1)
    order by e.leased_until nulls first, e.id limit $3 for no key update of e skip locked
  )
  update notification_endpoint e set leased_by = $2, leased_until = $4 from due where e.id = due.id
  returning e.id, e.client_id, e.format, e.url, e.failures, e.leased_by`);

/** @param most endpoints */
export function leaseEndpoints(
  pool: Pool,
  { now, most, seconds }: { now: Date; most: number; seconds: number },
): Promise<LeasedEndpoint[]> {
  return lease(pool, [now, randomUUID(), most, after(now, seconds)]);
}

/** Renews nothing where another process has taken the endpoint meanwhile. */
const renew = prepared<{ id: Uuid }>(`
  update notification_endpoint set leased_until = $3 where id = $1 and leased_by = $2 returning id`);

const release = prepared(`
  update notification_endpoint set leased_by = null, leased_until = $3,
    last_delivered_at = coalesce($4, last_delivered_at)
  where id = $1 and leased_by = $2`);

/** A lease that is renewed until it ends or is lost. */
export interface HeldLease {
  /** False once it may have expired: no attempt begins then. */
  isHeld(): boolean;
  /** Gives the endpoint back. @param deliveredAt its last success, if there was one */
  release(deliveredAt: Date | undefined): Promise<void>;
  /** Stops renewing it: another process takes over after it has expired. */
  end(): void;
}

interface HoldOptions {
  now: () => Date;
  seconds: number;
  /** When the lease was asked for, by `performance.now()`. */
  since: number;
}

/** Holds the lease of an endpoint. */
export function holdLease(
  pool: Pool,
  { id, leased_by: by }: LeasedEndpoint,
  { now, seconds, since }: HoldOptions,
): HeldLease {
  let until = since + seconds * 1_000;
  let isEnded = false;
  async function renewOnce(): Promise<void> {
    const began = performance.now();
    // where the database does not answer, the lease expires
    const renewed = await renew(pool, [id, by, after(now(), seconds)]).catch(() => undefined);
    if (renewed?.length === 0) end();
    else if (renewed && !isEnded) until = began + seconds * 1_000;
  }
  const timer = setInterval(renewOnce, (seconds * 1_000) / 3).unref();
  function end(): void {
    isEnded = true;
    clearInterval(timer);
    until = Number.NEGATIVE_INFINITY;
  }
  return {
    isHeld: () => performance.now() < until,
    async release(deliveredAt) {
      end();
      await release(pool, [id, by, now(), deliveredAt ?? null]);
    },
    end,
  };
}

/** The state of a notification and its endpoint right before an attempt. */
export interface Sendable {
  /** Whether its endpoint is served: it is neither paused nor disabled, and the lease is still this one. */
  served: boolean;
  /** Whether the notification still waits. */
  waits: boolean;
  /** The endpoint's present URL. */
  url: string;
}

const look = prepared<Sendable>(`
  select e.url, coalesce((select n.state = 'waiting' from notification n where n.id = $3), false) as waits,
    e.leased_by is not distinct from $2 and e.paused_at is null and e.disabled_at is null and ${usableClient('c')} as served
  from notification_endpoint e join client c on c.id = e.client_id where e.id = $1`);

/** Checks right before an attempt, since notifications are read ahead. @returns undefined where the endpoint was removed */
export async function maySend(
  pool: Pool,
  { id, leased_by: by }: LeasedEndpoint,
  notification: Pick<WaitingNotification, 'id'>,
): Promise<Sendable | undefined> {
  return (await look(pool, [id, by, notification.id]))[0];
}
