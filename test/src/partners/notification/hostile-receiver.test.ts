import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { ConsentGrant } from '../../../../src/entities/consent-grant.ts';
import { NotificationAttempt } from '../../../../src/entities/notification.ts';
import { turnActionOff, turnActionOn } from '../../../../src/oauth/grant/switch-action.ts';
import { rotateEndpointSecret } from '../../../../src/partners/notification/change-endpoint.ts';
import { createEndpointFetch } from '../../../../src/partners/notification/endpoint-url.ts';
import type { Fetch } from '../../../../src/platform/public-fetch.ts';
import { testApp } from '../../../support/test-app.ts';
import {
  delivererOf,
  notificationsOf,
  type Received,
  revokeAll,
  stageOf,
  startReceiver,
} from './notification-stage.ts';

const app = await testApp();
const HOUR = 3_600;
const FAULTS = ['hangs', 'fails', 'to us', 'to a private address'] as const;
const idOf = ({ headers }: Received) => String(headers['webhook-id']);

function isSignedWith(secret: string, { headers, body }: Received): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
  const expected = new Webhook(secret).sign(String(headers['webhook-id']), at, body);
  return String(headers['webhook-signature']).split(' ').includes(expected);
}

it('a receiver that hangs, fails and redirects inwards while its secret rotates gets everything, each grant in order', async () => {
  const { receiver, endpoint, secret: old, grants, grant } = await stageOf(app, 6, 'standard_webhooks');
  const inside = await startReceiver();
  const fan = (await app.context().em.findOneOrFail(ConsentGrant, { id: grant })).fan.id;
  for (let i = 0; i < 2; i++) {
    const change = { grantIds: grants, action: 'fan:listings:write' } as const;
    await turnActionOff(app.context(), fan, change);
    await turnActionOn(app.context(), fan, change);
  }
  await revokeAll(app, grants);
  const taken: string[] = [];
  /** The call of each notification, which the test ends in place of ten seconds. */
  const calls = new Map<string | null, AbortController>();
  const faultsLeft = new Map<string, number>();
  let faults = 0;
  let rotated: Promise<{ secret: string | null }> | undefined;
  receiver.answer = async (one, response) => {
    if (receiver.received.length === 10) rotated = rotateEndpointSecret(app.context(), endpoint.id, 'system');
    await rotated;
    // none, one or two before each is taken
    const left = faultsLeft.get(idOf(one)) ?? faultsLeft.size % 3;
    faultsLeft.set(idOf(one), left - 1);
    const fault = left > 0 ? FAULTS[faults++ % FAULTS.length] : undefined;
    if (fault === 'hangs') return calls.get(idOf(one))?.abort(new DOMException('ten seconds are over', 'TimeoutError'));
    if (fault === 'fails') return void response.writeHead(500).end();
    if (fault === 'to us') return void response.writeHead(307, { location: inside.url }).end();
    if (fault !== undefined) return void response.writeHead(308, { location: 'http://169.254.169.254/latest' }).end();
    taken.push(idOf(one));
    response.writeHead(202).end();
  };
  const real = createEndpointFetch(app.config);
  const fetch: Fetch = (url, init) => {
    const call = new AbortController();
    calls.set(new Headers(init.headers as HeadersInit).get('webhook-id'), call);
    return real(url, { ...init, signal: AbortSignal.any([init.signal as AbortSignal, call.signal]) });
  };
  const states = async () => (await notificationsOf(app, endpoint)).map(({ state }) => state);
  for (let hour = 0; hour < 40 && (await states()).includes('waiting'); hour++) {
    await delivererOf(app, { fetch }).turn();
    app.advance(HOUR);
  }
  const written = await notificationsOf(app, endpoint);
  expect(written.map(({ state }) => state)).toEqual(Array(6 * 5).fill('delivered'));
  expect(new Set(taken)).toEqual(new Set(written.map(({ jti }) => String(jti))));
  expect(taken).toHaveLength(written.length);
  for (const grant of new Set(written.map(({ lane }) => lane))) {
    const ofGrant = written.filter(({ lane }) => lane === grant).map(({ jti }) => String(jti));
    expect(taken.filter((jti) => ofGrant.includes(jti))).toEqual(ofGrant);
    const begun = [...new Set(receiver.received.map(idOf))];
    expect(begun.filter((jti) => ofGrant.includes(jti))).toEqual(ofGrant);
  }
  expect(inside.received).toEqual([]);
  const attempts = await app.context().em.find(NotificationAttempt, {});
  expect(attempts).toHaveLength(receiver.received.length);
  expect(new Set(attempts.map(({ failure }) => failure))).toEqual(
    new Set([
      null,
      'answered 500',
      'answered 307: redirects are not followed',
      'answered 308: redirects are not followed',
      'no answer within 10 s',
    ]),
  );
  const { secret: fresh } = (await rotated) ?? { secret: null };
  const within = receiver.received.filter((one) => isSignedWith(String(old), one));
  expect(receiver.received.every((one) => isSignedWith(String(old), one) || isSignedWith(String(fresh), one))).toBe(
    true,
  );
  expect(within.length).toBeGreaterThanOrEqual(10);
  expect(isSignedWith(String(fresh), receiver.received.at(-1) as Received)).toBe(true);
});
