/** The samples of the page on events, against what the service sends. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { NOTIFICATION_TYPE_TEXTS } from '../../src/partners/notification/notification-types.ts';
import { sendTest } from '../../src/partners/notification/replay-notifications.ts';
import {
  delivererOf,
  endpointOf,
  eventIn,
  notificationsOf,
  startReceiver,
} from '../src/partners/notification/notification-stage.ts';
import { testApp } from '../support/test-app.ts';
import { readPage } from './page-samples.ts';
import { poll } from './partner/poll.ts';
import { verifySet } from './partner/verify-set.ts';
import { verifyWebhook } from './partner/verify-webhook.ts';

const PARTNER = join(import.meta.dirname, 'partner');
const call = promisify(execFile);
const app = await testApp();

test('the page names every type with the key of its token', () => {
  const page = readPage('events');
  for (const [type, { uri }] of Object.entries(NOTIFICATION_TYPE_TEXTS))
    expect(page).toContain(`\`${type}\` | \`${uri}\``);
});

test('TypeScript verifies a pushed token, and no other', async () => {
  const receiver = await startReceiver();
  const { endpoint } = await endpointOf(app, 'set_push', receiver.url);
  await sendTest(app.context(), endpoint.id);
  await delivererOf(app).turn();
  const token = receiver.received[0]?.body ?? '';
  expect(await verifySet(token, app.config.authUrl, app.kit.client_id)).toHaveProperty('events');
  await expect(verifySet(token, app.config.authUrl, 'another')).rejects.toThrow(/aud/);
});

test('verify-webhook.ts and verify_webhook.py accept a webhook, and none that was changed', async () => {
  const receiver = await startReceiver();
  const { endpoint, secret } = await endpointOf(app, 'standard_webhooks', receiver.url);
  await sendTest(app.context(), endpoint.id);
  await delivererOf(app).turn();
  const { body = '', headers = {} } = receiver.received[0] ?? {};
  const sent = headers as Record<string, string>;
  expect(verifyWebhook(body, sent, secret ?? '')).toMatchObject({ type: 'endpoint.test' });
  expect(() => verifyWebhook(`${body} `, sent, secret ?? '')).toThrow();
  const python = async (text: string) => {
    const program =
      'import json, sys; from verify_webhook import verify_webhook; print(verify_webhook(sys.argv[1].encode(), json.loads(sys.argv[2]), sys.argv[3]))';
    const { stdout } = await call('python3', ['-c', program, text, JSON.stringify(sent), secret ?? ''], {
      cwd: PARTNER,
    });
    return stdout.trim();
  };
  expect([await python(body), await python(`${body} `)]).toEqual(['True', 'False']);
});

test('poll.ts and poll.py acknowledge, and wait for the next event', async () => {
  const { endpoint, secret: given } = await endpointOf(app, 'set_poll');
  const secret = given ?? '';
  const typescript = async (stored: string[]) => Object.keys(await poll(app.config.apiUrl, secret, stored));
  const python = async (stored: string[]) => {
    const program =
      'import json, sys; from poll import poll; print(*poll(*sys.argv[1:3], json.loads(sys.argv[3])), sep="\\n")';
    const args = ['-c', program, app.config.apiUrl, secret, JSON.stringify(stored)];
    return (await call('python3', args, { cwd: PARTNER })).stdout.trim().split('\n');
  };
  /** What comes after an event was acknowledged. */
  const next = async (ask: typeof python, stored: string[]) => {
    const asked = ask(stored);
    await expect
      .poll(async () => (await notificationsOf(app, endpoint)).map(({ state }) => state))
      .not.toContain('waiting');
    await sendTest(app.context(), endpoint.id);
    return asked;
  };
  await sendTest(app.context(), endpoint.id);
  const first = await typescript([]);
  expect(await python([])).toEqual(first);
  const second = await next(python, first);
  const third = await next(typescript, second);
  expect(new Set([...first, ...second, ...third]).size).toBe(3);
});

test('Shell polls and acknowledges', async () => {
  const { endpoint, secret } = await endpointOf(app, 'set_poll');
  await sendTest(app.context(), endpoint.id);
  const poll = async (stored: string) => {
    const env = { ...process.env, API_URL: app.config.apiUrl, ENDPOINT_TOKEN: secret ?? '', STORED: stored };
    const { stdout } = await call('bash', [join(PARTNER, 'poll.sh')], { env });
    return (JSON.parse(stdout) as { sets: Record<string, string> }).sets;
  };
  const [[jti, token] = ['', '']] = Object.entries(await poll(''));
  expect(eventIn(token).jti).toBe(jti);
  expect(await poll(`"${jti}"`)).toEqual({});
});
