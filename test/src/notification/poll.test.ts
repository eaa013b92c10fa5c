import { beforeEach, describe, expect, it } from 'vitest';
import { NotificationEndpoint } from '../../../src/entities/notification.ts';
import { revokeGrant } from '../../../src/grant/revoke-grant.ts';
import type { Id } from '../../../src/identifier/type-id.ts';
import { changeEndpoint, rotateEndpointSecret } from '../../../src/notification/change-endpoint.ts';
import { pauseEndpoint } from '../../../src/notification/pause-endpoint.ts';
import { changeClient } from '../../support/make-client.ts';
import { testApp } from '../../support/test-app.ts';
import { endpointOf, eventIn, makeGrants, notificationsOf, readEndpoint } from './notification-stage.ts';

const app = await testApp({ env: { NOTIFICATION_LOOPBACK: 'true' } });
let endpoint: NotificationEndpoint;
let token: string;

beforeEach(async () => {
  app.resetClock();
  await app.context().em.nativeDelete(NotificationEndpoint, {});
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
  for (const grantId of grants) {
    await revokeGrant(app.context(), { grantId, reason: 'revoked_by_fan', actor: 'fan:someone' });
  }
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
    expect(await poll({ ack: Object.keys(last.sets), maxEvents: 0 })).toMatchObject({ sets: {}, moreAvailable: false });
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
