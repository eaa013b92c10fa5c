import { expect, it } from 'vitest';
import { inboxUrl } from '../../../adapters/login/inbox.ts';
import { readConfig } from '../../../src/config/config.ts';
import { createInbox } from '../../../src/verification/inbox.ts';
import { authorize, login } from '../../support/partner.ts';
import { enableProductionClient } from '../../support/production.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();

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

it('a number that is written at the moment keeps no other waiting, so that two never wait in a circle', async () => {
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
