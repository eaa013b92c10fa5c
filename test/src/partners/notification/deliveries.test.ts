import { setTimeout as sleep } from 'node:timers/promises';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { ConsentGrant } from '../../../../src/entities/consent-grant.ts';
import { NotificationAttempt, NotificationEndpoint } from '../../../../src/entities/notification.ts';
import { purge } from '../../../../src/entities/retention.ts';
import { turnActionOff, turnActionOn } from '../../../../src/oauth/grant/switch-action.ts';
import {
  changeEndpoint,
  pauseEndpoint,
  resumeEndpoint,
  rotateEndpointSecret,
} from '../../../../src/partners/notification/change-endpoint.ts';
import { expireNotifications } from '../../../../src/partners/notification/end-notifications.ts';
import {
  replayDead,
  replayNotification,
  sendTest,
} from '../../../../src/partners/notification/replay-notifications.ts';
import type { Id } from '../../../../src/platform/identifier/type-id.ts';
import { changeClient, makeClient } from '../../../support/make-client.ts';
import { testApp } from '../../../support/test-app.ts';
import {
  answers,
  delivererOf,
  endpointOf,
  eventIn,
  makeGrants,
  notificationsOf,
  readEndpoint,
  revokeAll,
  stageOf,
  startReceiver,
} from './notification-stage.ts';

const app = await testApp();

beforeEach(async () => {
  app.resetClock();
  await app.context().em.nativeDelete(NotificationEndpoint, {});
});

const REVOKED = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked';
const turn = () => delivererOf(app).turn();
const revoke = (...grants: Id<'grant'>[]) => revokeAll(app, grants);
async function deliver(...grants: Id<'grant'>[]): Promise<void> {
  await revoke(...grants);
  await turn();
}

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
  it('a revoked grant is reported by a token that the JWKS verifies', async () => {
    const { receiver, endpoint, secret, grant } = await stageOf(app, 1);
    await deliver(grant);
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

  it('is due for a process that looks within the same millisecond', async () => {
    const { grants } = await stageOf(app, 5);
    await revoke(...grants);
    const { pool } = app.context();
    const { rows } = await pool.query(
      'select extract(microseconds from due_at)::int % 1000 as beyond from notification',
    );
    expect(rows).toEqual(grants.map(() => ({ beyond: 0 })));
  });

  it('a change that is rolled back notifies nobody', async () => {
    const { endpoint, grant } = await stageOf(app, 1);
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
    await revoke(...(await makeGrants(app, 1)));
    expect(await notificationsOf(app, disabled)).toEqual([]);
    expect(await notificationsOf(app, other)).toEqual([]);
  });
});

describe('order', () => {
  it('of a grant, the next follows once the one before was taken; other grants do not wait for it', async () => {
    const { receiver, grants } = await stageOf(app, 2);
    const [held, free] = grants as [Id<'grant'>, Id<'grant'>];
    await toggle(held);
    await toggle(free);
    await revoke(held);
    receiver.answer = (one, response) => void response.writeHead(eventIn(one.body).grant === held ? 500 : 202).end();
    await turn();
    const sentTo = receiver.received.map(({ body }) => eventIn(body).grant);
    expect(sentTo.filter((grant) => grant === held)).toHaveLength(1);
    expect(sentTo.filter((grant) => grant === free)).toHaveLength(2);
    answers(receiver, 202);
    app.advance(10);
    await turn();
    const told = receiver.received.map(({ body }) => eventIn(body)).filter(({ grant }) => grant === held);
    const changed = 'token-claims-change';
    const kinds = told.map(({ uri }) => uri.split('/').at(-1));
    expect(kinds).toEqual([changed, changed, changed, 'session-revoked']);
    expect(told[0]?.jti).toBe(told[1]?.jti);
    expect(new Set(told.map(({ jti }) => jti)).size).toBe(3);
    const left = told.slice(1).map(({ members }) => (members.claims as { granted_actions: string[] })?.granted_actions);
    expect(left.map((actions) => actions?.length)).toEqual([1, 2, undefined]);
  });

  it('two processes at once send nothing twice, and nothing out of order', async () => {
    const { receiver, endpoint, grants } = await stageOf(app, 10);
    for (const grant of grants) await toggle(grant);
    receiver.answer = (_, response) => void setTimeout(() => response.writeHead(202).end(), 5);
    const [one, two] = [delivererOf(app), delivererOf(app)];
    await Promise.all([one.turn(), two.turn(), two.turn(), one.turn()]);
    const sent = receiver.received.map(({ body }) => eventIn(body).jti);
    expect(new Set(sent).size).toBe(20);
    expect(sent).toHaveLength(20);
    const written = await notificationsOf(app, endpoint);
    const inOrder = written.map(({ jti }) => String(jti));
    for (const grant of grants) {
      const told = receiver.received.map(({ body }) => eventIn(body)).filter((event) => event.grant === grant);
      const places = told.map(({ jti }) => inOrder.indexOf(jti));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
  });

  it('where a process is gone in the middle, another goes on after its lease: nothing is lost, and only the same jti comes twice', async () => {
    const { receiver, endpoint, states, grant } = await stageOf(app, 1);
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
    answers(receiver, 202);
    expect(await turn(), 'the lease holds').toBe(0);
    app.advance(61);
    await turn();
    const told = receiver.received.map(({ body }) => eventIn(body).jti);
    const written = (await notificationsOf(app, endpoint)).map(({ jti }) => String(jti));
    expect(told).toEqual([written[0], written[1], ...written.slice(1)]);
    release();
    await gone.stop();
    expect(await states()).toEqual(written.map(() => 'delivered'));
  });
});

describe('failures', () => {
  it('an endpoint that fails five times in a row rests, however much waits; then one attempt shows whether it is well', async () => {
    const { receiver, endpoint, grants } = await stageOf(app, 30);
    receiver.answer = (_, response) => void response.writeHead(500).end('<script>alert(1)</script>\0 no');
    await deliver(...grants);
    const first = receiver.received.length;
    expect(first).toBeGreaterThanOrEqual(5);
    expect(first).toBeLessThan(10);
    expect(await turn()).toBe(0);
    app.advance(60);
    await turn();
    expect(receiver.received).toHaveLength(first + 1);
    expect((await attemptsOf()).at(-1)).toMatchObject({ status: 500, answer: '<script>alert(1)</script>  no' });
    answers(receiver, 202);
    app.advance(300);
    await turn();
    await turn();
    expect((await notificationsOf(app, endpoint)).filter(({ state }) => state !== 'delivered')).toEqual([]);
    expect(await readEndpoint(app, endpoint)).toMatchObject({ failures: 0, failingSince: null });
  });

  it('while a receiver hangs over one grant, notifications of others are sent to it', async () => {
    const { receiver, grants } = await stageOf(app, 2);
    const [hung, next] = grants as [Id<'grant'>, Id<'grant'>];
    receiver.answer = (one, response) => eventIn(one.body).grant === hung || response.writeHead(202).end();
    await revoke(hung);
    void turn();
    while (receiver.received.length < 1) await sleep(10);
    await revoke(next);
    await expect.poll(() => receiver.received.length, { timeout: 5_000 }).toBe(2);
  });

  it('a receiver that asks for time gets it, for all its grants', async () => {
    const { receiver, states, grants } = await stageOf(app, 20);
    answers(receiver, 429, { 'retry-after': '600' });
    await deliver(...grants);
    const asked = receiver.received.length;
    expect(asked).toBeLessThan(5);
    app.advance(500);
    await turn();
    expect(receiver.received).toHaveLength(asked);
    answers(receiver, 202);
    app.advance(200);
    await turn();
    expect(await states()).toEqual(Array(20).fill('delivered'));
  });

  it('a client whose receiver hangs holds up no other client', async () => {
    const other = await makeClient(app);
    const [hanging, healthy] = [await startReceiver(), await startReceiver()];
    await endpointOf(app, 'set_push', hanging.url);
    await endpointOf(app, 'set_push', healthy.url, other);
    hanging.answer = () => {};
    await revoke(...(await makeGrants(app, 5)), ...(await makeGrants(app, 20, other)));
    const deliverer = delivererOf(app);
    const began = performance.now();
    void deliverer.turn();
    while (healthy.received.length < 20 && performance.now() - began < 5_000) await sleep(10);
    expect(healthy.received).toHaveLength(20);
    expect(hanging.received).toHaveLength(4);
  });

  it('after three days a notification is dead, the endpoint is disabled, and its people get an e-mail', async () => {
    const { receiver, endpoint, grant } = await stageOf(app, 1);
    answers(receiver, 503, { 'retry-after': '30' });
    await deliver(grant);
    const [waiting] = await notificationsOf(app, endpoint);
    expect((waiting?.dueAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(25_000);
    app.advance(3 * 86_400 - 60);
    await turn();
    expect(await readEndpoint(app, endpoint)).toMatchObject({ disabledAt: null });
    app.advance(120);
    await expireNotifications(app.context());
    expect(await notificationsOf(app, endpoint)).toMatchObject([
      { state: 'dead', failure: 'not delivered within 3 days' },
    ]);
    await replayDead(app.context(), endpoint.id, 'system');
    await turn();
    expect(await readEndpoint(app, endpoint)).toMatchObject({ disabledReason: 'failing' });
    await expect(replayDead(app.context(), endpoint.id, 'system')).rejects.toThrow(/disabled/);
    await changeEndpoint(app.context(), endpoint.id, { enabled: true }, 'system');
    answers(receiver, 202);
    app.advance(3_700);
    await turn();
    expect(await notificationsOf(app, endpoint)).toMatchObject([{ state: 'delivered' }]);
    app.advance(31 * 86_400);
    await purge(app.context());
    expect(await notificationsOf(app, endpoint)).toEqual([]);
  });

  it('the status 410 disables the endpoint at once', async () => {
    const { receiver, endpoint, grant } = await stageOf(app, 1);
    answers(receiver, 410);
    await deliver(grant);
    expect(await readEndpoint(app, endpoint)).toMatchObject({ disabledReason: 'gone' });
  });

  it.each([307, 308])('an answer %i is a failure: the redirect is not followed', async (status) => {
    const { receiver, grant } = await stageOf(app, 1);
    const inside = await startReceiver();
    answers(receiver, status, { location: inside.url });
    await deliver(grant);
    const failure = `answered ${status}: redirects are not followed`;
    expect(await attemptsOf()).toMatchObject([{ status, failure }]);
    expect(inside.received).toEqual([]);
  });

  it('a receiver that hangs has failed after ten seconds, and gets the same again', async () => {
    const { states, grant } = await stageOf(app, 1);
    await revoke(grant);
    const fetch = () => Promise.reject(new DOMException('ten seconds are over', 'TimeoutError'));
    await delivererOf(app, { fetch }).turn();
    expect(await attemptsOf()).toMatchObject([{ status: null, failure: 'no answer within 10 s' }]);
    app.advance(10);
    await turn();
    expect(await states()).toEqual(['delivered']);
  });

  it('an answer without end is cut off, and its status counts', async () => {
    const { receiver, endpoint, grant } = await stageOf(app, 1);
    await revoke(grant);
    receiver.answer = (_, response) => {
      response.writeHead(200);
      const more = setInterval(() => response.write('x'.repeat(65_536)), 1);
      response.on('close', () => clearInterval(more));
    };
    await turn();
    expect(await notificationsOf(app, endpoint)).toMatchObject([{ state: 'delivered' }]);
    expect((await attemptsOf()).at(-1)?.answer).toHaveLength(1_024);
  });

  it('a notification that cannot be written is dead at once, and holds up nothing', async () => {
    const { states, grant } = await stageOf(app, 1);
    await toggle(grant);
    await app.runtime.pool.query(`update notification set data = '{}' where id = (select min(id) from notification)`);
    await turn();
    expect(await states()).toEqual(['dead', 'delivered']);
  });
});

describe('Standard Webhooks', () => {
  it('while a secret rotates both sign; afterwards the new one alone', async () => {
    const { receiver, endpoint, secret } = await stageOf(app, 0, 'standard_webhooks');
    const send = async () => {
      await sendTest(app.context(), endpoint.id);
      await turn();
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
    await turn();
    expect(String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  it('says the same as a token, under the id of the token', async () => {
    const { receiver, endpoint, grant } = await stageOf(app, 1, 'standard_webhooks');
    await deliver(grant);
    const [written] = await notificationsOf(app, endpoint);
    expect(receiver.received[0]?.headers['webhook-id']).toBe(written?.jti);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({
      type: 'grant.revoked',
      timestamp: written?.occurredAt.toISOString(),
      data: { sub: await fanOf(grant), grant_id: grant, reason: 'revoked_by_staff' },
    });
  });
});

it('a replay has the same jti', async () => {
  const { receiver, endpoint } = await stageOf(app, 0);
  const { jti } = await sendTest(app.context(), endpoint.id);
  await turn();
  await replayNotification(app.context(), endpoint.id, jti, 'system');
  await turn();
  expect(receiver.received.map(({ body }) => eventIn(body).jti)).toEqual([jti, jti]);
});

describe('D-312: one process at a time serves an endpoint', () => {
  it('a process that lives renews its lease for as long as it serves', async () => {
    const { receiver, endpoint, grant } = await stageOf(app, 1);
    await revoke(grant);
    let answer = () => {};
    receiver.answer = (_, response) => {
      answer = () => response.writeHead(202).end();
    };
    vi.useFakeTimers({ toFake: ['setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const serving = delivererOf(app, { leaseSeconds: 60 }).turn();
    const leasedUntil = async () => (await readEndpoint(app, endpoint)).leasedUntil?.getTime() ?? 0;
    await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(1);
    // 80 seconds, in which the lease is renewed twice
    for (let i = 0; i < 2; i++) {
      const before = await leasedUntil();
      app.advance(40);
      vi.advanceTimersByTime(20_000);
      await expect.poll(leasedUntil, { timeout: 10_000 }).toBeGreaterThan(before);
    }
    expect(await turn()).toBe(0);
    answer();
    await serving;
    expect(receiver.received).toHaveLength(1);
  });

  it.each([202, 500])(
    'a process that has lost its lease records no answer %i, and begins nothing more',
    async (status) => {
      const { receiver, endpoint, states, grants } = await stageOf(app, 8);
      await revoke(...grants);
      const held: ((status: number) => void)[] = [];
      receiver.answer = (_, response) => void held.push((given) => response.writeHead(given).end());
      const old = delivererOf(app);
      const ended = old.turn();
      await expect.poll(() => held.length).toBe(4);
      app.advance(61);
      const next = turn();
      await expect.poll(() => held.length).toBe(8);
      for (const answer of held.slice(0, 4)) answer(status);
      await ended;
      expect((await notificationsOf(app, endpoint)).map(({ state, attempts }) => [state, attempts])).toEqual(
        Array(8).fill(['waiting', 0]),
      );
      expect(await readEndpoint(app, endpoint)).toMatchObject({ failures: 0, restUntil: null });
      expect(await app.context().em.count(NotificationAttempt, { status })).toBe(4);
      answers(receiver, 202);
      for (const answer of held.slice(4)) answer(202);
      await next;
      expect(await states()).toEqual(Array(8).fill('delivered'));
      expect(receiver.received).toHaveLength(12);
    },
  );
});

it('a pause holds from the next attempt on, though more was read ahead', async () => {
  const { receiver, endpoint, states, grants } = await stageOf(app, 20);
  await revoke(...grants);
  let pausing: Promise<unknown> | undefined;
  receiver.answer = async (_, response) => {
    pausing ??= pauseEndpoint(app.context(), endpoint.id, 'too much', 'staff:someone');
    await pausing;
    response.writeHead(202).end();
  };
  await turn();
  expect(receiver.received.length).toBeLessThanOrEqual(4);
  expect(await turn()).toBe(0);
  await resumeEndpoint(app.context(), endpoint.id, 'well again', 'staff:someone');
  await turn();
  expect(await states()).toEqual(Array(20).fill('delivered'));
});

it('a receiver that takes its time gets more at a time, once it has taken some', async () => {
  const { receiver, grants } = await stageOf(app, 100);
  await revoke(...grants);
  let open = 0;
  let most = 0;
  receiver.answer = async (_, response) => {
    open += 1;
    most = Math.max(most, open);
    await sleep(100);
    open -= 1;
    response.writeHead(202).end();
  };
  await turn();
  expect(most).toBeGreaterThan(8);
  expect(most).toBeLessThanOrEqual(32);
});

describe('poll', () => {
  let endpoint: NotificationEndpoint;
  let token: string;

  beforeEach(async () => {
    const made = await endpointOf(app, 'set_poll');
    endpoint = made.endpoint;
    token = made.secret ?? '';
  });

  async function poll(body: object, bearer = token) {
    const answer = await fetch(`${app.config.apiUrl}/notifications/poll`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ returnImmediately: true, ...body }),
    });
    const given = (await answer.json()) as { sets: Record<string, string>; moreAvailable: boolean; message?: string };
    return { status: answer.status, ...given };
  }

  async function revokeSome(count: number): Promise<Id<'grant'>[]> {
    const grants = await makeGrants(app, count);
    await revoke(...grants);
    return grants;
  }

  describe('RFC 8936: Security Event Tokens by poll', () => {
    it('hands out what waits in order until it is acknowledged, and says whether there is more', async () => {
      const grants = await revokeSome(3);
      const first = await poll({ maxEvents: 2 });
      expect(first).toMatchObject({ status: 200, moreAvailable: true });
      expect(Object.values(first.sets).map((set) => eventIn(set).grant)).toEqual(grants.slice(0, 2));
      for (const [jti, set] of Object.entries(first.sets)) expect(eventIn(set).jti).toBe(jti);
      expect(Object.keys((await poll({ maxEvents: 2 })).sets)).toEqual(Object.keys(first.sets));
      const ack = Object.keys(first.sets);
      const last = await poll({ ack });
      expect(Object.values(last.sets).map((set) => eventIn(set).grant)).toEqual(grants.slice(2));
      expect(last.moreAvailable).toBe(false);
      expect(Object.keys((await poll({ ack })).sets), 'an acknowledgement may come again').toEqual(
        Object.keys(last.sets),
      );
      expect(await poll({ ack: Object.keys(last.sets), maxEvents: 0 })).toMatchObject({
        sets: {},
        moreAvailable: false,
      });
      expect((await notificationsOf(app, endpoint)).map(({ state }) => state)).toEqual(Array(3).fill('delivered'));
    });

    it('notes when the client last polled, once a minute', async () => {
      const polledAt = async () => (await readEndpoint(app, endpoint)).lastPolledAt?.getTime();
      expect(await polledAt()).toBeUndefined();
      await poll({});
      const first = await polledAt();
      expect(first).toBeGreaterThan(Date.now() - 10_000);
      app.advance(40);
      await poll({});
      expect(await polledAt()).toBe(first);
      app.advance(21);
      await poll({ maxEvents: 0 });
      expect(await polledAt()).toBeGreaterThan((first ?? 0) + 60_000);
    });

    it('what the client refuses is dead, with its words', async () => {
      await revokeSome(1);
      const [jti] = Object.keys((await poll({})).sets);
      await poll({
        setErrs: { [jti ?? '']: { err: 'invalid_key', description: 'no such kid' }, nonsense: { err: 'x' } },
      });
      expect(await notificationsOf(app, endpoint)).toMatchObject([
        { state: 'dead', failure: 'refused: invalid_key, no such kid' },
      ]);
    });

    it('a poll that may wait is answered when something comes', async () => {
      const waiting = poll({ returnImmediately: false });
      await revokeSome(1);
      expect(Object.keys((await waiting).sets)).toHaveLength(1);
    });

    it('takes no notification of another endpoint', async () => {
      const { endpoint: other, secret } = await endpointOf(app, 'set_poll');
      await revokeSome(1);
      const [jti] = Object.keys((await poll({}, secret ?? '')).sets);
      await poll({ ack: [jti] });
      expect(await notificationsOf(app, other)).toMatchObject([{ jti, state: 'waiting' }]);
    });

    it.each([
      [{ ack: 'x' }, /^ack/],
      [{ maxEvents: -1 }, /^maxEvents/],
      [{ returnImmediately: 1 }, /^returnImmediately/],
      [{ setErrs: { a: 'b' } }, /^setErrs/],
    ])('refuses %j, and names the member', async (body, message) => {
      expect(await poll(body)).toMatchObject({ status: 400, message: expect.stringMatching(message) });
    });
  });

  describe('D-313: a poll is authenticated by the token of its endpoint', () => {
    it('an unknown token, a disabled endpoint and a client that is not enabled are refused', async () => {
      expect((await poll({}, 'nt_unknown')).status).toBe(401);
      await changeClient(app, app.kit.client_id as Id<'client'>, { status: 'draft' });
      expect(await poll({})).toMatchObject({ status: 401, message: 'The client of this endpoint is not enabled.' });
      await changeClient(app, app.kit.client_id as Id<'client'>, { status: 'sandbox-ready' });
      await changeEndpoint(app.context(), endpoint.id, { enabled: false }, 'system');
      expect(await poll({})).toMatchObject({ status: 401, message: 'The endpoint of this token is disabled.' });
    });

    it('after a rotation both tokens work for a day', async () => {
      const { secret } = await rotateEndpointSecret(app.context(), endpoint.id, 'system');
      expect([(await poll({})).status, (await poll({}, secret ?? '')).status]).toEqual([200, 200]);
      app.advance(24 * 3_600 + 1);
      expect([(await poll({})).status, (await poll({}, secret ?? '')).status]).toEqual([401, 200]);
    });

    it('a paused endpoint has nothing', async () => {
      await revokeSome(1);
      await pauseEndpoint(app.context(), endpoint.id, 'why', 'staff:someone');
      expect(await poll({})).toMatchObject({ status: 200, sets: {} });
    });
  });
});

test('a test that failed is sent again at once when it is asked for again: one waits at a time', async () => {
  const { receiver, endpoint } = await stageOf(app, 0);
  answers(receiver, 500);
  const { jti } = await sendTest(app.context(), endpoint.id);
  expect((await sendTest(app.context(), endpoint.id)).jti).toBe(jti);
  await turn();
  await turn();
  expect(receiver.received).toHaveLength(1);
  answers(receiver, 202);
  await sendTest(app.context(), endpoint.id);
  await turn();
  expect(receiver.received.map(({ body }) => eventIn(body).jti)).toEqual([jti, jti]);
  expect((await sendTest(app.context(), endpoint.id)).jti).not.toBe(jti);
});
