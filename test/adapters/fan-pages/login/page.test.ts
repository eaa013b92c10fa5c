import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { inboxUrl } from '../../../../adapters/fan-pages/login/inbox.ts';
import { removeClientLogo, setClientLogo } from '../../../../src/partners/client/client-logo.ts';
import { readConfig } from '../../../../src/platform/config/read-config.ts';
import { createInbox } from '../../../../src/sign-in/verification/inbox.ts';
import { IMAGES, png } from '../../../src/partners/client/logo-images.ts';
import { countStatements } from '../../../support/count-statements.ts';
import { makeClient } from '../../../support/make-client.ts';
import { authorize, login } from '../../../support/partner.ts';
import { enableProductionClient } from '../../../support/production.ts';
import { startApp, type TestApp } from '../../../support/start-app.ts';
import { testApp } from '../../../support/test-app.ts';

const app = await testApp();

/** As it is written: `fetch` would tidy the path up first. */
function rawGet(path: string) {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(app.origin);
    const call = request({ hostname, port, path }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      resolve({ status: answer.statusCode, text });
    });
    call.on('error', reject).end();
  });
}

describe('the hosted login page', () => {
  it.each(['/login', '/login/', '/login?session_id=sess_x&client_name=%3Cscript%3E'])(
    '%s is a page that no other site can frame, script or read, and that is not stored',
    async (path) => {
      const answer = await fetch(app.origin + path);
      const html = await answer.text();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      const policy = answer.headers.get('content-security-policy')?.split('; ');
      expect(policy).toEqual(
        expect.arrayContaining(["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]),
      );
      expect(policy?.join()).not.toContain('unsafe');
      expect(html).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/);
    },
  );

  it('its scripts and styles are served to be kept for a year', async () => {
    const html = await (await fetch(`${app.origin}/login`)).text();
    const assets = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map((match) => match[1]);
    expect(assets.length).toBeGreaterThan(1);
    for (const asset of assets) {
      const answer = await fetch(`${app.origin}/login/${asset}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('max-age=31536000,immutable');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it.each([
    '/login/assets/../../../../package.json',
    '/login/assets/..%2f..%2f..%2f..%2f..%2fpackage.json',
    '/login/assets/%2e%2e%2f%2e%2e%2fapp.tsx',
    '/login/assets/..\\..\\app.tsx',
    '/login/assets/%00',
    '/login/assets/.built-from',
    '/login/assets/nothing.js',
    '/login/assets/',
  ])('nothing else can be had by way of its assets: %s', async (path) => {
    const { status, text } = await rawGet(path);
    expect([400, 403, 404]).toContain(status);
    expect(text).not.toContain('fan-api');
    expect(text).not.toMatch(/adapters\/login|node_modules/);
  });
});

describe('the inbox of development', () => {
  /** The numbers and codes that the page shows, newest first. */
  async function shown(of: TestApp = app) {
    const answer = await fetch(`${of.origin}/login/inbox`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const pairs = (await answer.text()).matchAll(/<dt>(?<phone>\+\d+), .*?<\/dt><dd>(?<code>\d{6})<\/dd>/g);
    return [...pairs].map(({ groups }) => ({ phone: groups?.phone, code: groups?.code ?? '' }));
  }

  it('the inbox of development shows a code, on every process, and the code signs in', async () => {
    expect(await shown()).toEqual([]);
    const client = await enableProductionClient(app);
    const started = await authorize(app, client);
    await login(app, started, 'phone.sendCode', { phone: '+12025550142' });
    const [entry] = await shown();
    expect(entry?.phone).toBe('+12025550142');
    const second = await startApp({ databaseUrl: app.config.databaseUrl ?? '' });
    expect(await shown(second).finally(() => second.stop())).toEqual([entry]);
    await login(app, started, 'phone.verifyCode', { code: entry?.code ?? '' });
  });

  it('shows the last code of a number, newest number first, for ten minutes', async () => {
    const client = await enableProductionClient(app);
    const started = await authorize(app, client);
    for (const phone of ['+12025550143', '+12025550144', '+12025550143']) {
      app.advance(31);
      await login(app, started, 'phone.sendCode', { phone });
    }
    expect((await shown()).slice(0, 2).map(({ phone }) => phone)).toEqual(['+12025550143', '+12025550144']);
    await app.context().em.execute(`update inbox_message set sent_at = sent_at - interval '11 minutes'`);
    expect(await shown()).toEqual([]);
  });

  it('a number that is being written makes no other wait, so that two never deadlock', async () => {
    const inbox = createInbox(app.runtime.pool);
    const [busy, other] = ['+12025550145', '+12025550146'] as const;
    for (const phone of [busy, other]) await inbox.keep(phone, '000000');
    await app.context().em.execute(`update inbox_message set sent_at = sent_at - interval '11 minutes'`);
    await app.context().em.transactional(async (holder) => {
      await holder.execute('select 1 from inbox_message where phone = ? for update', [busy]);
      await inbox.keep(other, '111111');
    });
    expect(await shown()).toEqual([{ phone: other, code: '111111' }]);
  });

  it('there is none in production, nor where codes go to real phones, nor without the login pages', () => {
    const config = readConfig({});
    expect(inboxUrl(config)).toBe('http://localhost:3000/login/inbox');
    expect(inboxUrl({ ...config, production: true })).toBeUndefined();
    expect(inboxUrl({ ...config, surfaces: new Set(['auth']) })).toBeUndefined();
    const twilio = { accountSid: '', username: '', password: '', serviceSid: '', fallbackServiceSid: undefined };
    expect(
      inboxUrl({ ...config, verification: { provider: 'twilio', ...twilio }, smtp: { url: '', from: '' } }),
    ).toBeUndefined();
  });

  it('an e-mail is readable: its subject, its lines, its link as a link; the page does not reload by itself', async () => {
    const text = 'Front Row invites you.\n\nOpen this link:\nhttps://partner.example/a?b=c\n\nIt is valid for a day.';
    await app.runtime.mail.send({ to: 'ada@partner.example', subject: 'You are invited', text });
    const answer = await fetch(`${app.origin}/login/inbox`);
    expect(answer.headers.get('refresh')).toBeNull();
    const html = await answer.text();
    expect(html).toContain('<h2>You are invited</h2>');
    expect(html).toMatch(/<p>To ada@partner\.example, \d\d:\d\d:\d\d UTC\n\nFront Row invites you\.\n/);
    expect(html).toContain('href="https://partner.example/a?b=c">Open the link</a>');
    expect(html).toContain('>Reload</a>');
  });
});

const set = (clientId: string, base64: string) => setClientLogo(app.context(), clientId, base64, 'system');

async function addressOf(clientId: string): Promise<string | null> {
  const { logo } = await login<{ logo: string | null }>(app, await authorize(app, { clientId }), 'session.get');
  return logo === null ? null : new URL(logo, `${app.config.loginUrl}/`).href;
}

describe('the logo on the login pages', () => {
  it.each([
    ['png', png().toString('base64')],
    ['jpeg', IMAGES.jpeg],
    ['webp', IMAGES.webpExtended],
  ])(
    'a %s is served as just that, to be kept for good, and for nothing but an image of our own pages',
    async (kind, base64) => {
      const clientId = await makeClient(app);
      await set(clientId, base64);
      const answer = await fetch((await addressOf(clientId)) ?? '');
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': `image/${kind}`,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(Buffer.from(await answer.arrayBuffer()).toString('base64')).toBe(base64);
    },
  );

  it('another picture has another address; the old one is gone, and so is every one when it is removed', async () => {
    const clientId = await makeClient(app);
    await set(clientId, png().toString('base64'));
    const old = await addressOf(clientId);
    await set(clientId, IMAGES.jpeg);
    const fresh = await addressOf(clientId);
    expect(fresh).not.toBe(old);
    const statusOf = async (address: string | null) => (await fetch(address ?? '')).status;
    expect([await statusOf(old), await statusOf(fresh)]).toEqual([404, 200]);
    await removeClientLogo(app.context(), clientId, 'system');
    expect(await addressOf(clientId)).toBeNull();
    expect(await statusOf(fresh)).toBe(404);
  });

  it('an address that names no logo is 404 and not kept', async () => {
    const clientId = await makeClient(app);
    await set(clientId, IMAGES.jpeg);
    const [, hash = ''] = /([^/]+)$/.exec((await addressOf(clientId)) ?? '') ?? [];
    const other = await makeClient(app);
    const wrong = [
      `${clientId}/x`,
      `${clientId}/${hash.toLowerCase()}`,
      `${clientId}/${hash}A`,
      `${clientId}/%25`,
      `${clientId}/%00`,
      `${other}/${hash}`,
      `x/${hash}`,
    ];
    for (const path of [...wrong, `${clientId}/${hash.slice(0, 15)}`]) {
      const answer = await fetch(`${app.config.loginUrl}/logos/${path}`);
      expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 404, 'no-store']);
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    }
  });

  it('costs one statement', async () => {
    const clientId = await makeClient(app);
    await set(clientId, IMAGES.jpeg);
    const address = (await addressOf(clientId)) ?? '';
    const { statements } = await countStatements(async () => (await fetch(address)).arrayBuffer());
    expect(statements).toHaveLength(1);
  });
});
