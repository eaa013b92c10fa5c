import { register } from 'prom-client';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { NotificationEndpoint } from '../../../src/entities/notification.ts';
import { type Uuid, uuidOf } from '../../../src/identifier/type-id.ts';
import { expireNotifications } from '../../../src/notification/end-notifications.ts';
import { readBacklog } from '../../../src/notification/read-backlog.ts';
import { measureWork } from '../../support/measure-work.ts';
import { testApp } from '../../support/test-app.ts';
import { endpointOf } from './notification-stage.ts';

const app = await testApp();
const { pool } = app.runtime;
let endpoint: NotificationEndpoint;

beforeAll(async () => {
  endpoint = (await endpointOf(app, 'set_push', 'https://partner.example/events')).endpoint;
});
beforeEach(async () => {
  await pool.query('truncate notification cascade');
  await change({ failures: 0, pausedAt: null, disabledAt: null });
});

const change = (data: Partial<NotificationEndpoint>) =>
  app.context().em.nativeUpdate(NotificationEndpoint, { id: endpoint.id }, data as object);

/** @param minutes since it was written, of each @param dueMinutes since it was due */
async function write(
  state: string,
  count: number,
  minutes: number,
  dueMinutes = minutes,
  of: Uuid = uuidOf('nep', endpoint.id),
) {
  await pool.query(
    `insert into notification (jti, endpoint_id, lane, type, data, state, ended_at, occurred_at, due_at, expires_at)
     select gen_random_uuid(), $1, gen_random_uuid(), 'endpoint.test', '{}', $2, case when $2 <> 'waiting' then now() end, now(),
       now() - $5 * interval '1 minute', now() - $4 * interval '1 minute' + interval '3 days'
     from generate_series(1, $3::int)`,
    [of, state, count, minutes, dueMinutes],
  );
}

it('tells how many wait, how long, and how late attempts are', async () => {
  expect(await readBacklog(pool)).toEqual({ waiting: 0, oldestWaitingSeconds: 0, oldestDueSeconds: 0 });
  await write('waiting', 2, 30, 20);
  await write('waiting', 1, 10, -5);
  await write('delivered', 1, 90);
  const { waiting, oldestWaitingSeconds, oldestDueSeconds } = await readBacklog(pool);
  expect(waiting).toBe(3);
  expect(oldestWaitingSeconds / 60).toBeCloseTo(30, 0);
  expect(oldestDueSeconds / 60).toBeCloseTo(20, 0);
});

it.each([
  ['fails', { failures: 5 }],
  ['is paused', { pausedAt: new Date() }],
  ['is disabled', { disabledAt: new Date() }],
])('we are not late at an endpoint that %s', async (_, data) => {
  await write('waiting', 1, 30);
  await change(data);
  expect(await readBacklog(pool)).toMatchObject({ waiting: 1, oldestDueSeconds: 0 });
});

it('we are not late at an endpoint that polls', async () => {
  const { endpoint: polling } = await endpointOf(app, 'set_poll');
  await write('waiting', 1, 30, 30, uuidOf('nep', polling.id));
  expect(await readBacklog(pool)).toMatchObject({ waiting: 1, oldestDueSeconds: 0 });
});

it('reads a few rows, however many were delivered', async () => {
  await write('delivered', 20_000, 60);
  await write('waiting', 3, 5);
  await pool.query('vacuum analyze notification');
  const { rows } = await measureWork(app, () => readBacklog(pool));
  expect(rows).toBeLessThan(50);
});

async function countExpired(): Promise<number> {
  const metric = await register.getSingleMetric('notifications_dead_total')?.get();
  return metric?.values.find(({ labels }) => labels.reason === 'expired')?.value ?? Number.NaN;
}

it('what is given up is counted, by reason', async () => {
  await write('waiting', 3, 3 * 24 * 60 + 1);
  const before = await countExpired();
  await expireNotifications(app.context());
  expect((await countExpired()) - before).toBe(3);
});
