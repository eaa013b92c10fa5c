import { setTimeout as sleep } from 'node:timers/promises';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { ConsentGrant } from '../../../src/entities/consent-grant.ts';
import { NotificationAttempt, NotificationEndpoint } from '../../../src/entities/notification.ts';
import { revokeGrant } from '../../../src/grant/revoke-grant.ts';
import { turnActionOff, turnActionOn } from '../../../src/grant/switch-action.ts';
import type { Id } from '../../../src/identifier/type-id.ts';
import { changeEndpoint, rotateEndpointSecret } from '../../../src/notification/change-endpoint.ts';
import { expireNotifications, purgeNotifications } from '../../../src/notification/end-notifications.ts';
import { pauseEndpoint, resumeEndpoint } from '../../../src/notification/pause-endpoint.ts';
import { replayDead, replayNotification } from '../../../src/notification/replay-notifications.ts';
import { sendTest } from '../../../src/notification/send-test.ts';
import { testApp } from '../../support/test-app.ts';
import {
  delivererOf,
  endpointOf,
  eventIn,
  makeGrants,
  notificationsOf,
  readEndpoint,
  startReceiver,
} from './notification-stage.ts';

const app = await testApp({ env: { NOTIFICATION_LOOPBACK: 'true' } });
const REVOKED = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked';

beforeEach(async () => {
  app.resetClock();
  await app.context().em.nativeDelete(NotificationEndpoint, {});
});

const revoke = (grantId: Id<'grant'>) =>
  revokeGrant(app.context(), { grantId, reason: 'revoked_by_staff', actor: 'staff:someone' });

async function fanOf(grantId: Id<'grant'>): Promise<Id<'usr'>> {
  return (await app.context().em.findOneOrFail(ConsentGrant, { id: grantId })).fan.id;
}

/** Turns an action off and on again: two changes of one grant. */
async function toggle(grantId: Id<'grant'>): Promise<void> {
  const fan = await fanOf(grantId);
  const change = { grantIds: [grantId], action: 'fan:listings:write' } as const;
  await turnActionOff(app.context(), fan, change);
  await turnActionOn(app.context(), fan, change);
}

const attemptsOf = () => app.context().em.find(NotificationAttempt, {}, { orderBy: { id: 'asc' } });

describe('RFC 8935: Security Event Tokens by push', () => {
  it('a revoked grant is told by a token that the JWKS verifies', async () => {
    const receiver = await startReceiver();
    const { endpoint, secret } = await endpointOf(app, 'set_push', receiver.url);
    const [grant] = (await makeGrants(app, 1)) as [Id<'grant'>];
    await revoke(grant);
    await delivererOf(app).turn();
    expect(secret).toBeNull();
    const [received] = receiver.received;
    expect(received?.headers['content-type']).toBe('application/secevent+jwt');
    const jwks = createRemoteJWKSet(new URL(`${app.config.authUrl}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(received?.body ?? '', jwks, {
      issuer: app.config.authUrl,
      audience: app.kit.client_id,
      typ: 'secevent+jwt',
    });
    const [written] = await notificationsOf(app, endpoint);
    expect(payload).toMatchObject({
      jti: written?.jti,
      sub_id: {
        format: 'complex',
        user: { format: 'iss_sub', iss: app.config.authUrl, sub: await fanOf(grant) },
        session: { format: 'opaque', id: grant },
      },
      events: { [REVOKED]: { initiating_entity: 'admin', grant_id: grant, reason: 'revoked_by_staff' } },
    });
    expect(payload.exp).toBeUndefined();
    expect(JSON.stringify(payload)).not.toMatch(/\+1555|phone/);
    expect(written?.state).toBe('delivered');
    expect(await attemptsOf()).toMatchObject([{ status: 202, failure: null }]);
  });

  it('what is rolled back is told to nobody', async () => {
    const { endpoint } = await endpointOf(app, 'set_push', 'http://127.0.0.1:9/');
    const [grant] = (await makeGrants(app, 1)) as [Id<'grant'>];
    const changed = app.context().em.transactional(async (em) => {
      await em.nativeUpdate(ConsentGrant, { id: grant }, { revokedAt: new Date(), revokedReason: 'expired' });
      throw new Error('no');
    });
    await expect(changed).rejects.toThrow('no');
    expect(await notificationsOf(app, endpoint)).toEqual([]);
  });

  it('a client without endpoints, a disabled endpoint and one for other types get nothing', async () => {
    const { endpoint: disabled } = await endpointOf(app, 'set_push', 'http://127.0.0.1:9/');
    const { endpoint: other } = await endpointOf(app, 'set_push', 'http://127.0.0.1:9/');
    await changeEndpoint(app.context(), disabled.id, { enabled: false }, 'system');
    await changeEndpoint(app.context(), other.id, { types: ['listing.ended'] }, 'system');
    const [grant] = (await makeGrants(app, 1)) as [Id<'grant'>];
    await revoke(grant);
    expect(await notificationsOf(app, disabled)).toEqual([]);
    expect(await notificationsOf(app, other)).toEqual([]);
  });
});

describe('order', () => {
  it('of a grant, the next follows once the one before was taken; other grants do not wait for it', async () => {
    const receiver = await startReceiver();
    await endpointOf(app, 'set_push', receiver.url);
    const [held, free] = (await makeGrants(app, 2)) as [Id<'grant'>, Id<'grant'>];
    await toggle(held);
    await toggle(free);
    await revoke(held);
    receiver.answer = (one, response) => void response.writeHead(eventIn(one.body).grant === held ? 500 : 202).end();
    await delivererOf(app).turn();
    const grants = receiver.received.map(({ body }) => eventIn(body).grant);
    expect(grants.filter((grant) => grant === held)).toHaveLength(1);
    expect(grants.filter((grant) => grant === free)).toHaveLength(2);
    receiver.answer = (_, response) => void response.writeHead(202).end();
    app.advance(10);
    await delivererOf(app).turn();
    const told = receiver.received.map(({ body }) => eventIn(body)).filter(({ grant }) => grant === held);
    expect(told.map(({ uri }) => uri.split('/').at(-1))).toEqual([
      'token-claims-change',
      'token-claims-change',
      'token-claims-change',
      'session-revoked',
    ]);
    expect(told[0]?.jti).toBe(told[1]?.jti);
    expect(new Set(told.map(({ jti }) => jti)).size).toBe(3);
    expect(
      told.slice(1).map(({ members }) => (members.claims as { granted_actions: string[] })?.granted_actions?.length),
    ).toEqual([1, 2, undefined]);
  });

  it('two processes at once send nothing twice, and nothing out of order', async () => {
    const receiver = await startReceiver();
    const { endpoint } = await endpointOf(app, 'set_push', receiver.url);
    const grants = await makeGrants(app, 10);
    for (const grant of grants) await toggle(grant);
    receiver.answer = (_, response) => void setTimeout(() => response.writeHead(202).end(), 5);
    const [one, two] = [delivererOf(app), delivererOf(app)];
    await Promise.all([one.turn(), two.turn(), two.turn(), one.turn()]);
    const sent = receiver.received.map(({ body }) => eventIn(body).jti);
    expect(new Set(sent).size).toBe(20);
    expect(sent).toHaveLength(20);
    const written = await notificationsOf(app, endpoint);
    for (const grant of grants) {
      const inOrder = written.filter(({ lane }) => grant.length > 0 && lane).map(({ jti }) => jti);
      const told = receiver.received.map(({ body }) => eventIn(body)).filter((event) => event.grant === grant);
      expect(told.map(({ jti }) => inOrder.indexOf(jti as never))).toEqual(
        told.map(({ jti }) => inOrder.indexOf(jti as never)).toSorted((a, b) => a - b),
      );
    }
  });

  it('where a process is gone in the middle, another goes on after its lease: nothing is lost, and only the same jti comes twice', async () => {
    const receiver = await startReceiver();
    const { endpoint } = await endpointOf(app, 'set_push', receiver.url);
    const [grant] = (await makeGrants(app, 1)) as [Id<'grant'>];
    for (let i = 0; i < 5; i++) await toggle(grant);
    // the first process never learns the answer to its second request, as one that was killed
    let release = () => {};
    receiver.answer = (_, response) => {
      if (receiver.received.length < 2) return void response.writeHead(202).end();
      release = () => response.destroy();
    };
    const gone = delivererOf(app);
    void gone.turn();
    while (receiver.received.length < 2) await sleep(10);
    receiver.answer = (_, response) => void response.writeHead(202).end();
    expect(await delivererOf(app).turn(), 'the lease holds').toBe(0);
    app.advance(61);
    await delivererOf(app).turn();
    const told = receiver.received.map(({ body }) => eventIn(body).jti);
    const written = (await notificationsOf(app, endpoint)).map(({ jti }) => String(jti));
    expect(told).toEqual([written[0], written[1], ...written.slice(1)]);
    release();
    await gone.stop();
    expect((await notificationsOf(app, endpoint)).map(({ state }) => state)).toEqual(written.map(() => 'delivered'));
  });
});

describe('failures', () => {
  it('an endpoint that fails five times in a row rests, however much waits; then one attempt shows whether it is well', async () => {
    const receiver = await startReceiver();
    const { endpoint } = await endpointOf(app, 'set_push', receiver.url);
    for (const grant of await makeGrants(app, 30)) await revoke(grant);
    receiver.answer = (_, response) => void response.writeHead(500).end('<script>alert(1)</script>\0 no');
    await delivererOf(app).turn();
    const first = receiver.received.length;
    expect(first).toBeGreaterThanOrEqual(5);
    expect(first).toBeLessThan(10);
    expect(await delivererOf(app).turn()).toBe(0);
    app.advance(60);
    await delivererOf(app).turn();
    expect(receiver.received).toHaveLength(first + 1);
    expect((await attemptsOf()).at(-1)).toMatchObject({ status: 500, answer: '<script>alert(1)</script>  no' });
    receiver.answer = (_, response) => void response.writeHead(202).end();
    app.advance(300);
    await delivererOf(app).turn();
    await delivererOf(app).turn();
    expect((await notificationsOf(app, endpoint)).filter(({ state }) => state !== 'delivered')).toEqual([]);
    expect(await readEndpoint(app, endpoint)).toMatchObject({ failures: 0, failingSince: null });
  });

  it('what comes while a receiver hangs over one grant is sent to it', async () => {
    const receiver = await startReceiver();
    await endpointOf(app, 'set_push', receiver.url);
    const [hung, next] = (await makeGrants(app, 2)) as [Id<'grant'>, Id<'grant'>];
    receiver.answer = (one, response) => eventIn(one.body).grant === hung || response.writeHead(202).end();
    await revoke(hung);
    void delivererOf(app).turn();
    while (receiver.received.length < 1) await sleep(10);
    await revoke(next);
    await expect.poll(() => receiver.received.length, { timeout: 5_000 }).toBe(2);
  });

  it('a receiver that asks for time gets it, for all its grants', async () => {
    const receiver = await startReceiver();
    const { endpoint } = await endpointOf(app, 'set_push', receiver.url);
    for (const grant of await makeGrants(app, 20)) await revoke(grant);
    receiver.answer = (_, response) => void response.writeHead(429, { 'retry-after': '600' }).end();
    await delivererOf(app).turn();
    const asked = receiver.received.length;
    expect(asked).toBeLessThan(5);
    app.advance(500);
    await delivererOf(app).turn();
    expect(receiver.received).toHaveLength(asked);
    receiver.answer = (_, response) => void response.writeHead(202).end();
    app.advance(200);
    await delivererOf(app).turn();
    expect((await notificationsOf(app, endpoint)).map(({ state }) => state)).toEqual(Array(20).fill('delivered'));
  });

  it('a client whose receiver hangs holds up no other client', async () => {
    const { makeClient } = await import('../../support/make-client.ts');
    const other = await makeClient(app);
    const [hanging, healthy] = [await startReceiver(), await startReceiver()];
    await endpointOf(app, 'set_push', hanging.url);
    await endpointOf(app, 'set_push', healthy.url, other);
    hanging.answer = () => {};
    for (const grant of await makeGrants(app, 5)) await revoke(grant);
    for (const grant of await makeGrants(app, 20, other)) await revoke(grant);
    const deliverer = delivererOf(app);
    const began = performance.now();
    void deliverer.turn();
    while (healthy.received.length < 20 && performance.now() - began < 5_000) await sleep(10);
    expect(healthy.received).toHaveLength(20);
    expect(hanging.received).toHaveLength(4);
  });

  it('after three days a notification is dead, the endpoint is disabled, and its people get an e-mail', async () => {
    const receiver = await startReceiver();
    const { endpoint } = await endpointOf(app, 'set_push', receiver.url);
    const [grant] = (await makeGrants(app, 1)) as [Id<'grant'>];
    await revoke(grant);
    receiver.answer = (_, response) => void response.writeHead(503, { 'retry-after': '30' }).end();
    await delivererOf(app).turn();
    const [waiting] = await notificationsOf(app, endpoint);
    expect((waiting?.dueAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(25_000);
    app.advance(3 * 86_400 - 60);
    await delivererOf(app).turn();
    expect(await readEndpoint(app, endpoint)).toMatchObject({ disabledAt: null });
    app.advance(120);
    await expireNotifications(app.context());
    expect(await notificationsOf(app, endpoint)).toMatchObject([
      { state: 'dead', failure: 'not delivered within 3 days' },
    ]);
    await replayDead(app.context(), endpoint.id, 'system');
    await delivererOf(app).turn();
    expect(await readEndpoint(app, endpoint)).toMatchObject({ disabledReason: 'failing' });
    await expect(replayDead(app.context(), endpoint.id, 'system')).rejects.toThrow(/disabled/);
    await changeEndpoint(app.context(), endpoint.id, { enabled: true }, 'system');
    receiver.answer = (_, response) => void response.writeHead(202).end();
    app.advance(3_700);
    await delivererOf(app).turn();
    expect(await notificationsOf(app, endpoint)).toMatchObject([{ state: 'delivered' }]);
    app.advance(31 * 86_400);
    await purgeNotifications(app.context());
    expect(await notificationsOf(app, endpoint)).toEqual([]);
  });

  it('the status 410 disables the endpoint at once', async () => {
    const receiver = await startReceiver();
    const { endpoint } = await endpointOf(app, 'set_push', receiver.url);
    const [grant] = (await makeGrants(app, 1)) as [Id<'grant'>];
    await revoke(grant);
    receiver.answer = (_, response) => void response.writeHead(410).end();
    await delivererOf(app).turn();
    expect(await readEndpoint(app, endpoint)).toMatchObject({ disabledReason: 'gone' });
  });

  it('a redirect is not followed, and is a failure', async () => {
    const [receiver, target] = [await startReceiver(), await startReceiver()];
    await endpointOf(app, 'set_push', receiver.url);
    const [grant] = (await makeGrants(app, 1)) as [Id<'grant'>];
    await revoke(grant);
    receiver.answer = (_, response) => void response.writeHead(307, { location: target.url }).end();
    await delivererOf(app).turn();
    expect(target.received).toEqual([]);
    expect((await attemptsOf()).at(-1)?.failure).toBe('answered 307: redirects are not followed');
  });

  it('an answer without end is cut off, and its status counts', async () => {
    const receiver = await startReceiver();
    const { endpoint } = await endpointOf(app, 'set_push', receiver.url);
    const [grant] = (await makeGrants(app, 1)) as [Id<'grant'>];
    await revoke(grant);
    receiver.answer = (_, response) => {
      response.writeHead(200);
      const more = setInterval(() => response.write('x'.repeat(65_536)), 1);
      response.on('close', () => clearInterval(more));
    };
    await delivererOf(app).turn();
    expect(await notificationsOf(app, endpoint)).toMatchObject([{ state: 'delivered' }]);
    expect((await attemptsOf()).at(-1)?.answer).toHaveLength(1_024);
  });

  it('a notification that cannot be written is dead at once, and holds up nothing', async () => {
    const receiver = await startReceiver();
    const { endpoint } = await endpointOf(app, 'set_push', receiver.url);
    const [grant] = (await makeGrants(app, 1)) as [Id<'grant'>];
    await toggle(grant);
    await app.runtime.pool.query(`update notification set data = '{}' where id = (select min(id) from notification)`);
    await delivererOf(app).turn();
    expect((await notificationsOf(app, endpoint)).map(({ state }) => state)).toEqual(['dead', 'delivered']);
  });
});

describe('Standard Webhooks', () => {
  it('while a secret rotates both sign; afterwards the new one alone', async () => {
    const receiver = await startReceiver();
    const { endpoint, secret } = await endpointOf(app, 'standard_webhooks', receiver.url);
    const send = async () => {
      await sendTest(app.context(), endpoint.id);
      await delivererOf(app).turn();
      const { body, headers } = receiver.received.at(-1) ?? { body: '', headers: {} };
      return (key: string | null) => new Webhook(key ?? '').verify(body, headers as Record<string, string>);
    };
    expect((await send())(secret)).toMatchObject({ type: 'endpoint.test', data: { state: expect.any(String) } });
    const { secret: next } = await rotateEndpointSecret(app.context(), endpoint.id, 'system');
    const during = await send();
    expect(during(secret)).toBeTruthy();
    expect(during(next)).toBeTruthy();
    app.advance(25 * 3_600);
    await sendTest(app.context(), endpoint.id);
    await delivererOf(app).turn();
    expect(String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  it('tells the same as a token, under the id of the token', async () => {
    const receiver = await startReceiver();
    const { endpoint } = await endpointOf(app, 'standard_webhooks', receiver.url);
    const [grant] = (await makeGrants(app, 1)) as [Id<'grant'>];
    await revoke(grant);
    await delivererOf(app).turn();
    const [written] = await notificationsOf(app, endpoint);
    expect(receiver.received[0]?.headers['webhook-id']).toBe(written?.jti);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({
      type: 'grant.revoked',
      timestamp: written?.occurredAt.toISOString(),
      data: { sub: await fanOf(grant), grant_id: grant, reason: 'revoked_by_staff' },
    });
  });
});

describe('staff and partners', () => {
  it('a paused endpoint gets nothing until it is resumed, and then everything', async () => {
    const receiver = await startReceiver();
    const { endpoint } = await endpointOf(app, 'set_push', receiver.url);
    await pauseEndpoint(app.context(), endpoint.id, 'too much', 'staff:someone');
    const [grant] = (await makeGrants(app, 1)) as [Id<'grant'>];
    await revoke(grant);
    await delivererOf(app).turn();
    expect(receiver.received).toEqual([]);
    await resumeEndpoint(app.context(), endpoint.id, 'well again', 'staff:someone');
    await delivererOf(app).turn();
    expect(receiver.received).toHaveLength(1);
  });

  it('a replay has the same jti', async () => {
    const receiver = await startReceiver();
    const { endpoint } = await endpointOf(app, 'set_push', receiver.url);
    const { jti } = await sendTest(app.context(), endpoint.id);
    await delivererOf(app).turn();
    await replayNotification(app.context(), endpoint.id, jti, 'system');
    await delivererOf(app).turn();
    expect(receiver.received.map(({ body }) => eventIn(body).jti)).toEqual([jti, jti]);
  });
});
