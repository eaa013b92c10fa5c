import { afterAll, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { PartnerProvider } from '../../../../src/entities/partner-member.ts';
import { askForLink as takeRequest } from '../../../../src/people/workspace/ask-for-link.ts';
import { reinviteMember } from '../../../../src/people/workspace/invite-member.ts';
import { revokeMember } from '../../../../src/people/workspace/revoke-member.ts';
import { removePartnerProvider, setPartnerProvider } from '../../../../src/people/workspace/set-partner-provider.ts';
import type { Id } from '../../../../src/platform/identifier/type-id.ts';
import { startMailServer, textOf } from '../../../support/mail-server.ts';
import { newPartner } from '../../../support/make-client.ts';
import { ADA, CLIENT_SECRET, startProvider } from '../../../support/oidc-provider.ts';
import { testApp } from '../../../support/test-app.ts';
import { openStaffBrowser, pressButton, type StaffBrowser } from '../admin/staff-browser.ts';
import { askForLink, invite, linkIn, newEmail, press, viewerOf } from './sign-in-stage.ts';

const mails = await startMailServer();
const env = {
  SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
  MAIL_FROM: 'Tickets <tickets@example.com>',
  TRUSTED_PROXIES: '1',
};
const app = await testApp({ env });
const provider = await startProvider();
afterAll(() => Promise.all([provider.stop(), mails.stop()]));
const auth = `${app.config.partnersUrl}/auth`;
provider.register(app.config.partnersUrl);
const { id: partner } = await newPartner(app);
await setUpProvider(partner);

function setUpProvider(partnerId: Id<'ptn'>) {
  const wish = { partnerId, issuer: provider.issuer, clientId: 'console', clientSecret: CLIENT_SECRET };
  return setPartnerProvider(app.context(), wish, 'system');
}

/** Somebody new, whom a new partner has invited. */
async function invitation() {
  const { id: partner } = await newPartner(app);
  const email = newEmail();
  return { partner, email, ...(await invite(app, mails, partner, email)) };
}

/** A browser in which somebody new has joined. */
async function joined() {
  const { link, ...member } = await invitation();
  const browser = openStaffBrowser();
  await press(browser, link);
  return { ...member, browser };
}

/** The form of a link, as a browser sends it that has not seen its page. */
function sendForm(browser: StaffBrowser, link: string): Promise<Response> {
  const { origin, searchParams } = new URL(link);
  const body = new URLSearchParams({ secret: searchParams.get('secret') ?? '' });
  return browser.open(`${auth}/link`, { method: 'POST', body, headers: { origin } });
}

const mailsTo = (email: string) => mails.mails.filter(({ to }) => to.includes(email)).length;

async function newLink(browser: ReturnType<typeof openStaffBrowser>, email: string): Promise<string> {
  const before = mailsTo(email);
  expect((await askForLink(browser, app, email)).status).toBe(202);
  await expect.poll(() => mailsTo(email)).toBeGreaterThan(before);
  return linkIn(mails, email);
}

/** How many e-mails a request for a link sends, with what is done after its answer. */
async function mailsOfRequest(email: string): Promise<number> {
  const before = mailsTo(email);
  const rest = await takeRequest(app.context(), { email, address: '192.0.2.1', browserSecret: 'of a browser' });
  await rest();
  return mailsTo(email) - before;
}

describe('an invitation', () => {
  it('signs in after a press, once, and the session is of the member', async () => {
    const { id, email, link, partner } = await invitation();
    const browser = openStaffBrowser();
    // programs that look into e-mails open links, also with HEAD and more than once
    for (const method of ['GET', 'HEAD', 'GET']) expect((await fetch(link, { method })).status).toBe(200);
    const answer = await press(browser, link);
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(app.config.partnersUrl);
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('fan_member='));
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(await viewerOf(browser, app)).toMatchObject({
      status: 200,
      data: { viewer: { id, email, name: 'Mia Member', partner: { id: partner } } },
    });
    const again = await openStaffBrowser().open(link);
    expect(again.status).toBe(400);
    expect(await again.text()).toContain('already used');
  });

  it('is sent from the configured sender, in plain words', async () => {
    const { email } = await invitation();
    const mail = mails.mails.findLast(({ to }) => to.includes(email));
    expect(mail).toMatchObject({ from: 'tickets@example.com', to: [email] });
    expect(mail?.source).toContain('From: Tickets <tickets@example.com>');
    expect(mail && textOf(mail)).toContain('Hello Mia Member,');
  });

  it('that is pressed in several browsers at once signs in one of them', async () => {
    const { link } = await invitation();
    const pages = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const browser = openStaffBrowser();
        return { browser, page: await browser.open(link) };
      }),
    );
    const answers = await Promise.all(pages.map(({ browser, page }) => pressButton(browser, link, page)));
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 400, 400, 400, 400, 400]);
  });

  it('ends after 7 days, and a new one can be sent, which ends the one before', async () => {
    const { id, email, link } = await invitation();
    app.advance(7 * 86_400 + 1);
    expect((await openStaffBrowser().open(link)).status).toBe(400);
    expect(await mailsOfRequest(email), 'who was invited does not renew the invitation').toBe(0);
    await reinviteMember(app.context(), id, 'system');
    const second = linkIn(mails, email);
    await reinviteMember(app.context(), id, 'system');
    expect((await openStaffBrowser().open(second)).status).toBe(400);
    expect((await press(openStaffBrowser(), linkIn(mails, email))).status).toBe(302);
    app.resetClock();
    await expect(reinviteMember(app.context(), id, 'system')).rejects.toThrow('has joined already');
  });

  it('of a revoked person signs in nobody, and the session of one ends at once', async () => {
    const { id, link } = await invitation();
    await revokeMember(app.context(), id, 'Left.', 'system');
    expect((await openStaffBrowser().open(link)).status).toBe(400);
    const person = await joined();
    expect(await mailsOfRequest(person.email)).toBe(1);
    await revokeMember(app.context(), person.id, 'Left.', 'system');
    expect(await viewerOf(person.browser, app)).toMatchObject({ status: 401 });
    expect(await mailsOfRequest(person.email)).toBe(0);
  });
});

describe('a sign-in link', () => {
  it('works once, after a press, in the browser that asked for it', async () => {
    const { email, id } = await joined();
    const browser = openStaffBrowser();
    const link = await newLink(browser, email);
    const elsewhere = openStaffBrowser();
    const refused = await elsewhere.open(link);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('only in the browser in which you asked for it');
    // also where another browser sends the form itself
    expect((await sendForm(elsewhere, link)).status).toBe(400);
    expect(await viewerOf(elsewhere, app)).toMatchObject({ status: 401 });
    expect((await press(browser, link)).status).toBe(302);
    expect(await viewerOf(browser, app)).toMatchObject({ data: { viewer: { id } } });
    expect((await browser.open(link)).status).toBe(400);
  });

  it('is asked for with the same answer whether or not somebody has the address', async () => {
    const { email } = await joined();
    const answers = await Promise.all(
      [email, newEmail()].map(async (address) => {
        const answer = await askForLink(openStaffBrowser(), app, address);
        return { status: answer.status, body: await answer.text(), cookies: answer.headers.getSetCookie().length };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toEqual({ status: 202, body: '{"sent":true}', cookies: 1 });
  });

  it('is asked for five times an hour at most for one address, also for one that nobody has', async () => {
    const nobody = newEmail();
    const statuses: number[] = [];
    for (let call = 0; call < 6; call++) statuses.push((await askForLink(openStaffBrowser(), app, nobody)).status);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
    expect((await askForLink(openStaffBrowser(), app, newEmail())).status).toBe(202);
  });

  it('is asked for twenty times an hour at most from one network', async () => {
    const ask = () => askForLink(openStaffBrowser(), app, newEmail(), '198.51.100.9');
    const statuses = (await Promise.all(Array.from({ length: 22 }, ask))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(20);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
  });
});

describe('a session', () => {
  it('ends by signing out, also for whoever has its secret', async () => {
    const { browser } = await joined();
    const { partnersUrl } = app.config;
    const stolen = browser.cookie(partnersUrl, 'fan_member');
    const headers = { origin: new URL(partnersUrl).origin, accept: 'application/json' };
    const out = await browser.open(`${partnersUrl}/auth/logout`, { method: 'POST', headers });
    expect(await out.json()).toEqual({ redirectTo: `${partnersUrl}/auth/signed-out` });
    const replayed = openStaffBrowser();
    await replayed.jar.setCookie(`fan_member=${stolen}`, partnersUrl);
    expect(await viewerOf(replayed, app)).toMatchObject({ status: 401 });
  });

  it('of a member opens no page of the console, and one of staff none of the workspace', async () => {
    const { browser } = await joined();
    const secret = browser.cookie(app.config.partnersUrl, 'fan_member') ?? '';
    const { adminUrl } = app.config;
    const headers = { 'content-type': 'application/json', 'x-console': '1', cookie: `fan_staff=${secret}` };
    const body = JSON.stringify({ query: '{ viewer { id } }' });
    expect((await fetch(`${adminUrl}/graphql`, { method: 'POST', headers, body })).status).toBe(401);
  });

  it('calls only with the header of the page, and from its origin', async () => {
    const { browser } = await joined();
    const url = `${app.config.partnersUrl}/graphql`;
    const body = JSON.stringify({ query: '{ viewer { id } }' });
    const call = (headers: Record<string, string>) =>
      browser.open(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
    expect((await call({})).status).toBe(403);
    expect((await call({ 'x-workspace': '1', origin: 'https://evil.example' })).status).toBe(403);
    expect((await call({ 'x-workspace': '1' })).status).toBe(200);
  });

  it('is in the audit log, with the way in and without a secret', async () => {
    const { id, partner } = await joined();
    const entry = await app.context().em.findOne(AuditEntry, { subject: id, action: 'partner_member.signed_in' });
    expect(entry).toMatchObject({ actor: `member:${id}`, details: { partner, via: 'invitation' } });
    expect(JSON.stringify(entry?.details)).not.toMatch(/m[ls]_/);
  });
});

/** Somebody at the provider, whom staff have invited. */
async function invited(claims: object = { email_verified: true }, partnerId = partner) {
  const email = newEmail();
  const { id } = await invite(app, mails, partnerId, email);
  provider.person = { ...ADA, sub: crypto.randomUUID(), email, ...claims };
  return { id, email };
}

/** Goes to the provider and back. @returns the last answer */
async function signIn(browser: StaffBrowser, returnTo = '/partners/clients', partnerId = partner) {
  const start = `${auth}/provider?${new URLSearchParams({ partner: partnerId, returnTo })}`;
  return browser.follow(start, `${app.config.partnersUrl}/clients`);
}

describe('sign-in through a partner’s own provider', () => {
  it('signs in the invited member with the verified address, and ends where it was begun', async () => {
    const { id, email } = await invited();
    const browser = openStaffBrowser();
    expect((await signIn(browser)).url).toBe(`${app.config.partnersUrl}/clients`);
    expect(await viewerOf(browser, app)).toMatchObject({ data: { viewer: { id, email, partner: { id: partner } } } });
    const entry = await app.context().em.findOne(AuditEntry, { subject: id, action: 'partner_member.signed_in' });
    expect(entry?.details).toMatchObject({ via: 'provider', partner });
    // the second time without an invitation
    expect((await signIn(openStaffBrowser())).url).toBe(`${app.config.partnersUrl}/clients`);
  });

  it.each([
    ['not verified', { email_verified: false }],
    ['without a word about it', {}],
    ['another text', { email_verified: 'yes' }],
  ])('refuses an address that is %s', async (_, claims) => {
    await invited(claims);
    const browser = openStaffBrowser();
    const { answer } = await signIn(browser);
    expect(answer?.status).toBe(403);
    expect(await answer?.text()).toContain('verified your e-mail address');
    expect(await viewerOf(browser, app)).toMatchObject({ status: 401 });
  });

  it('refuses who is not invited, is revoked, or came after the invitation had ended', async () => {
    provider.person = { ...ADA, sub: 'stranger', email: newEmail(), email_verified: true } as typeof ADA;
    expect((await signIn(openStaffBrowser())).answer?.status).toBe(403);
    const revoked = await invited();
    await revokeMember(app.context(), revoked.id, 'Left.', 'system');
    expect((await signIn(openStaffBrowser())).answer?.status).toBe(403);
    await invited();
    app.advance(7 * 86_400 + 1);
    expect((await signIn(openStaffBrowser())).answer?.status).toBe(403);
    app.resetClock();
  });

  it('refuses another partner’s member, whose address this provider claims', async () => {
    await invited({ email_verified: true }, (await newPartner(app)).id);
    const { answer } = await signIn(openStaffBrowser());
    expect(answer?.status).toBe(403);
    const entry = { subject: partner, action: 'partner_member.sign_in_refused' };
    expect(await app.context().em.count(AuditEntry, entry)).toBeGreaterThan(0);
  });

  it('refuses another person who has got the address since', async () => {
    const { email } = await invited();
    expect((await signIn(openStaffBrowser())).answer).toBeUndefined();
    provider.person = { ...ADA, sub: crypto.randomUUID(), email, email_verified: true } as typeof ADA;
    expect((await signIn(openStaffBrowser())).answer?.status).toBe(403);
  });

  it('ends after 15 minutes', async () => {
    await invited();
    const browser = openStaffBrowser();
    const begun = await browser.open(`${auth}/provider?partner=${partner}`);
    const { url } = await browser.follow(begun.headers.get('location') ?? '', `${auth}/callback`);
    app.advance(901);
    expect((await browser.open(url)).status).toBe(400);
    app.resetClock();
  });

  it('is the only way in: links lead there, and their own do not sign in', async () => {
    const { partner: other, email, link } = await invitation();
    await setUpProvider(other);
    const page = await (await openStaffBrowser().open(link)).text();
    expect(page).toContain(`/auth/provider?partner=${other}`);
    expect(page).not.toContain('<form');
    expect((await sendForm(openStaffBrowser(), link)).status).toBe(400);
    const before = mails.mails.length;
    await askForLink(openStaffBrowser(), app, email);
    await expect.poll(() => mails.mails.length).toBeGreaterThan(before);
    expect(linkIn(mails, email)).toBe(`${auth}/provider?partner=${other}`);
    await removePartnerProvider(app.context(), other, 'system');
    expect(await (await openStaffBrowser().open(link)).text()).toContain('<form');
  });

  it('answers with a page for a partner without a provider, and for an unknown one', async () => {
    const { id: without } = await newPartner(app);
    expect((await openStaffBrowser().open(`${auth}/provider?partner=${without}`)).status).toBe(409);
    expect((await openStaffBrowser().open(`${auth}/provider?partner=ptn_x`)).status).toBe(400);
  });
});

describe('a provider’s metadata', () => {
  const DISCOVERY = '/.well-known/openid-configuration';

  it('is read once for all sign-ins, and anew after the provider was set again', async () => {
    const { id: other } = await newPartner(app);
    await setUpProvider(other);
    const before = provider.requested.filter((path) => path === DISCOVERY).length;
    const reads = () => provider.requested.filter((path) => path === DISCOVERY).length - before;
    const begin = () => openStaffBrowser().open(`${auth}/provider?partner=${other}`);
    await Promise.all([begin(), begin(), begin()]);
    await invited({ email_verified: true }, other);
    expect((await signIn(openStaffBrowser(), '/partners/clients', other)).answer).toBeUndefined();
    expect(reads()).toBe(1);
    await setUpProvider(other);
    await begin();
    expect(reads()).toBe(3);
  });

  it('that could not be read, or of a sign-in that failed, is not kept', async () => {
    const { id: other } = await newPartner(app);
    await setUpProvider(other);
    const begin = async () => (await openStaffBrowser().open(`${auth}/provider?partner=${other}`)).status;
    provider.outOfOrder = (_, response) => void response.writeHead(503).end();
    expect(await begin()).toBe(503);
    provider.outOfOrder = undefined;
    expect(await begin()).toBe(302);
    const document = await fetch(`${provider.issuer}${DISCOVERY}`);
    const { token_endpoint, ...metadata } = (await document.json()) as { token_endpoint: string };
    // as of a provider that has moved its token endpoint since
    await setUpProvider(other);
    provider.discovery = { ...metadata, token_endpoint: `${token_endpoint}/gone` };
    await invited({ email_verified: true }, other);
    expect((await signIn(openStaffBrowser(), '/partners/clients', other)).answer?.status).toBe(400);
    provider.discovery = undefined;
    await invited({ email_verified: true }, other);
    expect((await signIn(openStaffBrowser(), '/partners/clients', other)).answer).toBeUndefined();
  });
});

describe('setting a provider', () => {
  it('keeps the secret sealed, and reads the discovery document first', async () => {
    const stored = await app.context().em.findOneOrFail(PartnerProvider, { partner });
    expect(stored.sealedSecret).toMatch(/^eyJ/);
    expect(JSON.stringify(stored)).not.toContain(CLIENT_SECRET);
    const set = (issuer: string) =>
      setPartnerProvider(app.context(), { partnerId: partner, issuer, clientId: 'console' }, 'system');
    await expect(set(`${provider.issuer}/nowhere`)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(set('http://127.0.0.1:9')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(set('https://a@b.example')).rejects.toThrow('issuer must have no user name');
  });

  it('asks no private address in production', async () => {
    const context = { ...app.context(), config: { ...app.config, production: true } };
    const set = (issuer: string) =>
      setPartnerProvider(context, { partnerId: partner, issuer, clientId: 'console' }, 'system');
    await expect(set(provider.issuer)).rejects.toThrow('issuer must be an https address');
    await expect(set('https://x.example\\@y.example')).rejects.toThrow('issuer has a character');
    for (const host of ['127.0.0.1:1', '10.0.0.1', '169.254.169.254', '[::1]', '[::ffff:a00:1]', 'localhost'])
      await expect(set(`https://${host}`), host).rejects.toMatchObject({ code: 'unavailable' });
  });
});
