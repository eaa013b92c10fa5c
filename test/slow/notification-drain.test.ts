import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NOTIFICATION_TYPES } from '../../src/entities/notification.ts';
import { addEndpoint } from '../../src/partners/notification/change-endpoint.ts';
import { createDeliverer, type Deliverer } from '../../src/partners/notification/deliver-notifications.ts';
import { type Id, uuidOf } from '../../src/platform/identifier/type-id.ts';
import { signIn } from '../support/partner.ts';
import { testApp } from '../support/test-app.ts';
import type { Counted } from './kill/notification-receiver.ts';

/**
 * D-312: 10^5 waiting notifications drain beside sign-ins. Windows with and without the deliverer take turns, in the process that
 * serves the sign-ins, first at the default rate, then at `RAISED`; the receiver is a process of its own. Then the rest drains at that
 * rate without sign-ins. All in all it takes less than ten minutes. `WINDOW_SECONDS`, `WAITING` and `DRAIN=no` make a shorter run.
 */
const WINDOW_SECONDS = Number(process.env.WINDOW_SECONDS ?? 20);
const WAITING = Number(process.env.WAITING ?? 100_000);
/** Delivered before. */
const HISTORY = 300_000;
/** Of one grant each: its order is checked. */
const DEPTH = 5;
/** Notifications per second where a process has room. */
const RAISED = 500;
const ROUNDS = 3;
const SIGN_INS_AT_ONCE = 2;
/** Of the p99 with deliveries to that without. */
const MOST_RATIO = 1.6;

const app = await testApp();
let receiver: ChildProcess;
beforeAll(async () => {
  receiver = fork(new URL('./kill/notification-receiver.ts', import.meta.url));
  const [port] = (await once(receiver, 'message')) as [number];
  const wish = { format: 'set_push', url: `http://127.0.0.1:${port}/`, types: NOTIFICATION_TYPES } as const;
  const { endpoint } = await addEndpoint(app.context(), app.kit.client_id as Id<'client'>, wish, 'system');
  await fill(uuidOf('nep', endpoint.id));
});
afterAll(() => void receiver.kill());

/**
 * A few of each grant, in turns, as the triggers write them, after a quiet time: PostgreSQL has counted what was delivered before, and
 * nothing that waits.
 */
async function fill(endpoint: string): Promise<void> {
  await app.runtime.pool.query(
    `insert into notification (jti, endpoint_id, lane, grant_id, fan_id, type, data, occurred_at, due_at, expires_at, state, ended_at)
     select gen_random_uuid(), $1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'grant.revoked', '{"reason": "expired"}',
       now(), now(), now() + interval '3 days', 'delivered', now()
     from generate_series(1, $2::int)`,
    [endpoint, HISTORY],
  );
  await app.runtime.pool.query('vacuum analyze notification');
  await app.runtime.pool.query(
    `with lanes as (select gen_random_uuid() as lane from generate_series(1, $2::int))
     insert into notification (jti, endpoint_id, lane, grant_id, fan_id, type, data, occurred_at, due_at, expires_at)
     select gen_random_uuid(), $1, lane, lane, gen_random_uuid(), 'grant.revoked', '{"reason": "expired"}',
       now() + place * interval '1 second', now(), now() + interval '3 days'
     from generate_series(1, $3::int) place, lanes order by place, lane`,
    [endpoint, WAITING / DEPTH, DEPTH],
  );
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

/** Rounds of sign-ins without deliveries and beside them. @returns how many were delivered per second, and by how much the p99 grew */
async function measureBeside(rate: number): Promise<{ perSecond: number; ratio: number }> {
  const without: number[] = [];
  const beside: number[] = [];
  let delivered = 0;
  let seconds = 0;
  for (let round = 0; round < ROUNDS; round++) {
    without.push(...(await signInFor(WINDOW_SECONDS)));
    const waiting = await countWaiting();
    const began = performance.now();
    const deliverer = delivererAt(rate);
    const running = deliverer.run();
    beside.push(...(await signInFor(WINDOW_SECONDS)));
    await deliverer.stop();
    await running;
    delivered += waiting - (await countWaiting());
    seconds += (performance.now() - began) / 1_000;
  }
  const perSecond = delivered / seconds;
  const ratio = quantile(beside, 0.99) / quantile(without, 0.99);
  console.log(
    `${rate} per second allowed, ${perSecond.toFixed(0)} delivered. Sign-ins without deliveries: ${figuresOf(without)}; beside them: ${figuresOf(beside)}; p99 times ${ratio.toFixed(2)}`,
  );
  return { perSecond, ratio };
}

function delivererAt(rate: number): Deliverer {
  const notifications = { ...app.config.notifications, rate };
  return createDeliverer(() => ({ ...app.context(), config: { ...app.config, notifications } }));
}

function figuresOf(times: readonly number[]): string {
  return `${times.length}, p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms`;
}

it('10^5 waiting notifications drain at their rate, and a sign-in takes about as long as without them', async () => {
  await signInFor(3);
  const { perSecond, ratio } = await measureBeside(app.config.notifications.rate);
  expect(perSecond).toBeGreaterThan(0.8 * app.config.notifications.rate);
  expect(ratio).toBeLessThan(MOST_RATIO);
});

it.skipIf(process.env.DRAIN === 'no')(
  'at a raised rate all of them arrive, each once, and each grant in order',
  async () => {
    await measureBeside(RAISED);
    const rest = await countWaiting();
    const began = performance.now();
    const fast = delivererAt(RAISED);
    while ((await countWaiting()) > 0) await fast.turn();
    const seconds = (performance.now() - began) / 1_000;
    receiver.send('count');
    const [counted] = (await once(receiver, 'message')) as [Counted];
    const perSecond = rest / seconds;
    console.log(
      `Without sign-ins: ${rest} in ${seconds.toFixed(0)} s, ${perSecond.toFixed(0)} per second; ${WAITING} would take ${(WAITING / perSecond).toFixed(0)} s`,
    );
    expect(counted).toEqual({ received: WAITING, different: WAITING, outOfOrder: 0 });
  },
);
