import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NOTIFICATION_TYPES } from '../../src/entities/notification.ts';
import { type Id, uuidOf } from '../../src/identifier/type-id.ts';
import { addEndpoint } from '../../src/notification/add-endpoint.ts';
import { createDeliverer } from '../../src/notification/deliver-notifications.ts';
import { signIn } from '../support/partner.ts';
import { testApp } from '../support/test-app.ts';

/**
 * D-317: 10^5 waiting notifications drain beside sign-ins. Windows with and without the deliverer take turns, in the process that
 * serves the sign-ins, at the default rate; the receiver is a process of its own. Afterwards the rest drains as fast as it can.
 * `WINDOW_SECONDS`, `WAITING` and `DRAIN=no` make a shorter run.
 */
const WINDOW_SECONDS = Number(process.env.WINDOW_SECONDS ?? 20);
const WAITING = Number(process.env.WAITING ?? 100_000);
const ROUNDS = 3;
const SIGN_INS_AT_ONCE = 2;
/** Of the p99 with deliveries to that without. */
const MOST_RATIO = 1.6;

const app = await testApp({ env: { NOTIFICATION_LOOPBACK: 'true' } });
let receiver: ChildProcess;
beforeAll(async () => {
  receiver = fork(new URL('./kill/notification-receiver.ts', import.meta.url));
  const [port] = (await once(receiver, 'message')) as [number];
  const wish = { format: 'set_push', url: `http://127.0.0.1:${port}/`, types: NOTIFICATION_TYPES } as const;
  const { endpoint } = await addEndpoint(app.context(), app.kit.client_id as Id<'client'>, wish, 'system');
  await fill(uuidOf('nep', endpoint.id));
});
afterAll(() => void receiver.kill());

/** As many grants as notifications, as the triggers write them. */
async function fill(endpoint: string): Promise<void> {
  await app.runtime.pool.query(
    `insert into notification (jti, endpoint_id, lane, grant_id, fan_id, type, data, occurred_at, due_at, expires_at)
     select gen_random_uuid(), $1, lane, lane, gen_random_uuid(), 'grant.revoked', '{"reason": "expired"}', now(), now(),
       now() + interval '3 days'
     from (select gen_random_uuid() as lane from generate_series(1, $2::int)) as lanes`,
    [endpoint, WAITING],
  );
  await app.runtime.pool.query('analyze notification');
}

async function countWaiting(): Promise<number> {
  const { rows } = await app.runtime.pool.query<{ count: number }>(
    `select count(*)::int as count from notification where state = 'waiting'`,
  );
  return rows[0]?.count ?? 0;
}

/** Signs in over and over. @returns milliseconds of each sign-in, from authorize to the tokens */
async function signInFor(seconds: number): Promise<number[]> {
  const until = performance.now() + seconds * 1_000;
  const times: number[] = [];
  const one = async () => {
    while (performance.now() < until) {
      const began = performance.now();
      await signIn(app);
      times.push(performance.now() - began);
      await sleep(20);
    }
  };
  await Promise.all(Array.from({ length: SIGN_INS_AT_ONCE }, one));
  return times;
}

function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
}

it('10^5 waiting notifications drain at their rate, and a sign-in takes about as long as without them', async () => {
  await signInFor(3);
  const without: number[] = [];
  const beside: number[] = [];
  let delivered = 0;
  for (let round = 0; round < ROUNDS; round++) {
    without.push(...(await signInFor(WINDOW_SECONDS)));
    const before = await countWaiting();
    const deliverer = createDeliverer(() => app.context());
    const running = deliverer.run();
    beside.push(...(await signInFor(WINDOW_SECONDS)));
    await deliverer.stop();
    await running;
    delivered += before - (await countWaiting());
  }
  const perSecond = delivered / (ROUNDS * WINDOW_SECONDS);
  const ratio = quantile(beside, 0.99) / quantile(without, 0.99);
  const figures = [0.5, 0.99].map((part) => [part, quantile(without, part), quantile(beside, part)]);
  console.log({ waiting: WAITING, perSecond, signIns: [without.length, beside.length], figures, ratio });
  expect(perSecond).toBeGreaterThan(0.8 * app.config.notifications.rate);
  expect(ratio).toBeLessThan(MOST_RATIO);
});

it.skipIf(process.env.DRAIN === 'no')('all of them arrive, each once', async () => {
  const notifications = { ...app.config.notifications, rate: 10_000 };
  const fast = createDeliverer(() => ({ ...app.context(), config: { ...app.config, notifications } }));
  const began = performance.now();
  const rest = await countWaiting();
  while ((await countWaiting()) > 0) await fast.turn();
  const perSecond = (rest / (performance.now() - began)) * 1_000;
  receiver.send('count');
  const [counted] = (await once(receiver, 'message')) as [{ received: number; different: number }];
  console.log({ rest, perSecond, counted });
  expect(counted).toEqual({ received: WAITING, different: WAITING });
});
