import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { NotificationAttempt, NotificationEndpoint } from '../../../src/entities/notification.ts';
import { revokeGrant } from '../../../src/grant/revoke-grant.ts';
import { pauseEndpoint, resumeEndpoint } from '../../../src/notification/pause-endpoint.ts';
import { testApp } from '../../support/test-app.ts';
import {
  delivererOf,
  endpointOf,
  makeGrants,
  notificationsOf,
  readEndpoint,
  startReceiver,
} from './notification-stage.ts';

const app = await testApp({ env: { NOTIFICATION_LOOPBACK: 'true' } });

beforeEach(async () => {
  app.resetClock();
  await app.context().em.nativeDelete(NotificationEndpoint, {});
});

async function revokeSome(count: number): Promise<void> {
  for (const grantId of await makeGrants(app, count)) {
    await revokeGrant(app.context(), { grantId, reason: 'revoked_by_staff', actor: 'staff:someone' });
  }
}

describe('D-312: one process at a time serves an endpoint', () => {
  it('a process that lives renews its lease for as long as it serves', async () => {
    const receiver = await startReceiver();
    await endpointOf(app, 'set_push', receiver.url);
    await revokeSome(1);
    receiver.answer = (_, response) => void setTimeout(() => response.writeHead(202).end(), 1_500);
    const serving = delivererOf(app, { leaseSeconds: 0.6 }).turn();
    await sleep(1_200);
    expect(await delivererOf(app).turn()).toBe(0);
    await serving;
    expect(receiver.received).toHaveLength(1);
  });

  it.each([202, 500])(
    'a process that has lost its lease records no answer %i, and begins nothing more',
    async (status) => {
      const receiver = await startReceiver();
      const { endpoint } = await endpointOf(app, 'set_push', receiver.url);
      await revokeSome(8);
      const answers: ((status: number) => void)[] = [];
      receiver.answer = (_, response) => void answers.push((given) => response.writeHead(given).end());
      const old = delivererOf(app);
      const ended = old.turn();
      await expect.poll(() => answers.length).toBe(4);
      app.advance(61);
      const next = delivererOf(app).turn();
      await expect.poll(() => answers.length).toBe(8);
      for (const answer of answers.slice(0, 4)) answer(status);
      await ended;
      expect((await notificationsOf(app, endpoint)).map(({ state, attempts }) => [state, attempts])).toEqual(
        Array(8).fill(['waiting', 0]),
      );
      expect(await readEndpoint(app, endpoint)).toMatchObject({ failures: 0, restUntil: null });
      expect(await app.context().em.count(NotificationAttempt, { status })).toBe(4);
      receiver.answer = (_, response) => void response.writeHead(202).end();
      for (const answer of answers.slice(4)) answer(202);
      await next;
      expect((await notificationsOf(app, endpoint)).map(({ state }) => state)).toEqual(Array(8).fill('delivered'));
      expect(receiver.received).toHaveLength(12);
    },
  );
});

it('a pause holds from the next attempt on, though more was read ahead', async () => {
  const receiver = await startReceiver();
  const { endpoint } = await endpointOf(app, 'set_push', receiver.url);
  await revokeSome(20);
  let pausing: Promise<unknown> | undefined;
  receiver.answer = async (_, response) => {
    pausing ??= pauseEndpoint(app.context(), endpoint.id, 'too much', 'staff:someone');
    await pausing;
    response.writeHead(202).end();
  };
  await delivererOf(app).turn();
  expect(receiver.received.length).toBeLessThanOrEqual(4);
  expect(await delivererOf(app).turn()).toBe(0);
  await resumeEndpoint(app.context(), endpoint.id, 'well again', 'staff:someone');
  await delivererOf(app).turn();
  expect((await notificationsOf(app, endpoint)).map(({ state }) => state)).toEqual(Array(20).fill('delivered'));
});

it('a receiver that takes its time gets more at a time, once it has taken some', async () => {
  const receiver = await startReceiver();
  await endpointOf(app, 'set_push', receiver.url);
  await revokeSome(100);
  let open = 0;
  let most = 0;
  receiver.answer = async (_, response) => {
    open += 1;
    most = Math.max(most, open);
    await sleep(100);
    open -= 1;
    response.writeHead(202).end();
  };
  await delivererOf(app).turn();
  expect(most).toBeGreaterThan(8);
  expect(most).toBeLessThanOrEqual(32);
});
