import { setTimeout as sleep } from 'node:timers/promises';
import type { Fetch } from '../../platform/public-fetch.ts';
import { createEndpointFetch } from './endpoint-url.ts';
import { holdLease, LEASE_SECONDS, type LeasedEndpoint, leaseEndpoints } from './lease-endpoints.ts';
import { MOST_AT_ONCE, type ServeContext, serveEndpoint } from './serve-endpoint.ts';

/** Endpoints that a process serves at a time: a few that hang do not hold up the others. */
const ENDPOINTS_AT_ONCE = 64;
/** Attempts of a process at a time, to all endpoints together. */
const ATTEMPTS_AT_ONCE = 256;
const LOOK_EVERY_MS = 1_000;

export interface DeliveryOptions {
  /** By default one that calls public addresses only (`endpoint-url.ts`). */
  fetch?: Fetch;
  /** For tests. */
  leaseSeconds?: number;
}

/** Sends notifications in the background. */
export interface Deliverer {
  /** Takes what is due, and waits until it was served. @returns how many endpoints there were */
  turn(): Promise<number>;
  /** Takes turns until stopped. */
  run(): Promise<void>;
  /** Begins no more attempts, and waits for those under way. */
  stop(): Promise<void>;
}

/**
 * A deliverer of this process. Any number of processes may have one. Its rate is limited, and so is the number of its attempts at a time,
 * so that a long queue drains without delaying sign-ins.
 * @param contextOf makes the context of serving one endpoint
 */
export function createDeliverer(contextOf: () => ServeContext, options: DeliveryOptions = {}): Deliverer {
  const { config, pool, log, now } = contextOf();
  const { leaseSeconds = LEASE_SECONDS } = options;
  const fetch = options.fetch ?? createEndpointFetch(config);
  const stopped = new AbortController();
  const turn = paced(config.notifications.rate, stopped.signal);
  const serving = new Set<Promise<void>>();
  const share = () => Math.min(MOST_AT_ONCE, Math.floor(ATTEMPTS_AT_ONCE / Math.max(1, serving.size)));

  async function serve(endpoint: LeasedEndpoint, since: number): Promise<void> {
    const lease = holdLease(pool, endpoint, { now, seconds: leaseSeconds, since });
    try {
      const options = { fetch, turn, stopped: stopped.signal, lease, share };
      await lease.release(await serveEndpoint(contextOf(), endpoint, options));
    } catch (err) {
      // the lease expires, which is the pause before the next try
      log.error({ err, endpoint: endpoint.id }, 'notifications were not delivered');
    } finally {
      lease.end();
    }
  }

  async function take(): Promise<number> {
    const most = ENDPOINTS_AT_ONCE - serving.size;
    if (most <= 0) return 0;
    const since = performance.now();
    const leased = await leaseEndpoints(pool, { now: now(), most, seconds: leaseSeconds });
    for (const endpoint of leased) {
      const served: Promise<void> = serve(endpoint, since).finally(() => serving.delete(served));
      serving.add(served);
    }
    return leased.length;
  }

  return {
    async turn() {
      const taken = await take();
      await Promise.all(serving);
      return taken;
    },
    async run() {
      while (!stopped.signal.aborted) {
        await take().catch((err: unknown) => log.warn({ err }, 'no notifications could be taken'));
        await sleep(LOOK_EVERY_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
      }
    },
    async stop() {
      stopped.abort();
      await Promise.all(serving);
    },
  };
}

/** Resolves calls one after the other, at this rate. */
function paced(perSecond: number, stopped: AbortSignal): () => Promise<void> {
  const pauseMs = 1_000 / perSecond;
  let next = 0;
  return async () => {
    const now = performance.now();
    next = Math.max(next, now) + pauseMs;
    const wait = next - pauseMs - now;
    if (wait > 1) await sleep(wait, undefined, { signal: stopped }).catch(() => undefined);
  };
}
