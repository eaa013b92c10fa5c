import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ConsentGrant } from '../../src/entities/consent-grant.ts';
import { turnActionOff, turnActionOn } from '../../src/oauth/grant/switch-action.ts';
import {
  endpointOf,
  eventIn,
  makeGrants,
  notificationsOf,
  startReceiver,
} from '../src/partners/notification/notification-stage.ts';
import { createDatabase } from '../support/database.ts';
import { KEY_ENCRYPTION_KEY } from '../support/start-app.ts';
import { testApp } from '../support/test-app.ts';

/** D-312: two processes deliver, and are killed by SIGKILL at random moments while grants change. */
const KILLS = Number(process.env.KILLS ?? 25);
const GRANTS = 8;
const LONGEST_LIFE_MS = 1_500;
/** Fast enough that each life begins with hundreds of notifications in a few lanes, and is killed in the middle of them. */
const CHANGE_PAUSE_MS = 250;

const { url: databaseUrl } = await createDatabase();
const app = await testApp({ databaseUrl });
const DELIVERER_ENV = JSON.stringify({
  DATABASE_URL: databaseUrl,
  KEY_ENCRYPTION_KEY,
  LOG_LEVEL: 'silent',
});

async function startDeliverer(): Promise<ChildProcess> {
  const file = new URL('./kill/notification-deliverer.ts', import.meta.url);
  const child = fork(file, { env: { ...process.env, DELIVERER_ENV } });
  await once(child, 'message');
  return child;
}

async function countWaiting(): Promise<number> {
  const { rows } = await app.runtime.pool.query<{ count: number }>(
    `select count(*)::int as count from notification where state = 'waiting'`,
  );
  return rows[0]?.count ?? 0;
}

it('nothing is lost, nothing comes twice but under its jti, and the events of each grant come in order', async () => {
  const receiver = await startReceiver();
  const { endpoint } = await endpointOf(app, 'set_push', receiver.url);
  const grants = await makeGrants(app, GRANTS);
  receiver.answer = (_, response) => void setTimeout(() => response.writeHead(202).end(), Math.random() * 30);
  const [first] = grants;
  const fan = (await app.context().em.findOneOrFail(ConsentGrant, { id: first ?? ('' as never) })).fan.id;
  const killing = new AbortController();
  const changing = (async () => {
    while (!killing.signal.aborted) {
      const change = { grantIds: grants, action: 'fan:listings:write' } as const;
      await turnActionOff(app.context(), fan, change);
      await turnActionOn(app.context(), fan, change);
      await sleep(CHANGE_PAUSE_MS);
    }
  })();
  for (let kill = 0; kill < KILLS; kill++) {
    const children = await Promise.all([startDeliverer(), startDeliverer()]);
    await sleep(Math.random() * LONGEST_LIFE_MS);
    for (const child of children) child.kill('SIGKILL');
  }
  killing.abort();
  await changing;
  const left = await countWaiting();
  const last = await startDeliverer();
  const began = performance.now();
  try {
    await expect.poll(countWaiting, { timeout: 120_000, interval: 1_000 }).toBe(0);
  } finally {
    last.kill('SIGKILL');
  }
  const perSecond = left / ((performance.now() - began) / 1_000);
  const written = await notificationsOf(app, endpoint);
  const told = receiver.received.map(({ body }) => eventIn(body));
  const came = { once: written.length, again: told.length - written.length };
  console.log({ kills: 2 * KILLS, came, left, perSecond });
  expect(came.again, 'some came twice, or no kill hit a delivery').toBeGreaterThan(0);
  expect(new Set(told.map(({ jti }) => jti))).toEqual(new Set(written.map(({ jti }) => String(jti))));
  for (const grant of grants) {
    const order = [...new Set(told.filter((event) => event.grant === grant).map(({ jti }) => jti))];
    const wanted = written.filter(({ jti }) => order.includes(jti)).map(({ jti }) => String(jti));
    expect(order).toEqual(wanted);
  }
});
