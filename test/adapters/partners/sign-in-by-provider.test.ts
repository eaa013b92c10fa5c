import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { PartnerProvider } from '../../../src/entities/partner-member.ts';
import type { Id } from '../../../src/identifier/type-id.ts';
import { revokeMember } from '../../../src/workspace/revoke-member.ts';
import { removePartnerProvider, setPartnerProvider } from '../../../src/workspace/set-partner-provider.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { ADA, CLIENT_SECRET, startProvider, type TestProvider } from '../../support/oidc-provider.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';
import { openStaffBrowser, type StaffBrowser } from '../admin/staff-browser.ts';
import { askForLink, invite, linkIn, newEmail, newPartner, viewerOf } from './sign-in-stage.ts';

let mails: MailServer;
let provider: TestProvider;
let app: TestApp;
let partner: Id<'ptn'>;
let auth: string;
beforeAll(async () => {
  mails = await startMailServer();
  provider = await startProvider();
  const mail = { SMTP_URL: `smtp://127.0.0.1:${mails.port}`, MAIL_FROM: 'tickets@example.com', TRUSTED_PROXIES: '1' };
  app = await startApp({ env: mail });
  auth = `${app.config.partnersUrl}/auth`;
  provider.register(app.config.partnersUrl);
  partner = await newPartner(app);
  await useProvider(partner);
});
afterAll(async () => {
  await app?.stop();
  await provider?.stop();
  await mails?.stop();
});

function useProvider(partnerId: Id<'ptn'>) {
  const wish = { partnerId, issuer: provider.issuer, clientId: 'console', clientSecret: CLIENT_SECRET };
  return setPartnerProvider(app.context(), wish, 'system');
}

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
    await invited({ email_verified: true }, await newPartner(app));
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

  it('takes the provider’s answer once, and only in the browser that began', async () => {
    await invited();
    const browser = openStaffBrowser();
    const begun = await browser.open(`${auth}/provider?partner=${partner}`);
    const { url } = await browser.follow(begun.headers.get('location') ?? '', `${auth}/callback`);
    expect((await openStaffBrowser().open(url)).status).toBe(400);
    const answers = await Promise.all([browser.open(url), browser.open(url), browser.open(url)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 400, 400]);
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

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/admin',
    '/partners/auth/logout',
    '/partnersx',
  ])('does not send anybody on to %s', async (returnTo) => {
    await invited();
    const browser = openStaffBrowser();
    const begun = await browser.open(`${auth}/provider?${new URLSearchParams({ partner, returnTo })}`);
    const { url } = await browser.follow(begun.headers.get('location') ?? '', `${auth}/callback`);
    expect((await browser.open(url)).headers.get('location')).toBe(app.config.partnersUrl);
  });

  it('is the only way in: links lead there, and their own do not sign in', async () => {
    const other = await newPartner(app);
    const email = newEmail();
    const { link } = await invite(app, mails, other, email);
    await useProvider(other);
    const page = await (await openStaffBrowser().open(link)).text();
    expect(page).toContain(`/auth/provider?partner=${other}`);
    expect(page).not.toContain('<form');
    const secret = new URL(link).searchParams.get('secret') ?? '';
    const body = new URLSearchParams({ secret });
    const headers = { origin: new URL(auth).origin };
    expect((await fetch(`${auth}/link`, { method: 'POST', body, headers, redirect: 'manual' })).status).toBe(400);
    const before = mails.mails.length;
    await askForLink(openStaffBrowser(), app, email);
    await expect.poll(() => mails.mails.length).toBeGreaterThan(before);
    expect(linkIn(mails, email)).toBe(`${auth}/provider?partner=${other}`);
    await removePartnerProvider(app.context(), other, 'system');
    expect(await (await openStaffBrowser().open(link)).text()).toContain('<form');
  });

  it('answers a partner without a provider, and one that there is not, with a page', async () => {
    const without = await newPartner(app);
    expect((await openStaffBrowser().open(`${auth}/provider?partner=${without}`)).status).toBe(409);
    expect((await openStaffBrowser().open(`${auth}/provider?partner=ptn_x`)).status).toBe(400);
  });
});

describe('a provider’s metadata', () => {
  const DISCOVERY = '/.well-known/openid-configuration';

  it('is read once for all sign-ins, and anew after the provider was set again', async () => {
    const other = await newPartner(app);
    await useProvider(other);
    const before = provider.requested.filter((path) => path === DISCOVERY).length;
    const reads = () => provider.requested.filter((path) => path === DISCOVERY).length - before;
    const begin = () => openStaffBrowser().open(`${auth}/provider?partner=${other}`);
    await Promise.all([begin(), begin(), begin()]);
    await invited({ email_verified: true }, other);
    expect((await signIn(openStaffBrowser(), '/partners/clients', other)).answer).toBeUndefined();
    expect(reads()).toBe(1);
    await useProvider(other);
    await begin();
    expect(reads()).toBe(3);
  });

  it('that could not be read, or of a sign-in that failed, is not kept', async () => {
    const other = await newPartner(app);
    await useProvider(other);
    const begin = async () => (await openStaffBrowser().open(`${auth}/provider?partner=${other}`)).status;
    provider.outOfOrder = (_, response) => void response.writeHead(503).end();
    expect(await begin()).toBe(503);
    provider.outOfOrder = undefined;
    expect(await begin()).toBe(302);
    const { token_endpoint, ...metadata } = (await (await fetch(`${provider.issuer}${DISCOVERY}`)).json()) as object & {
      token_endpoint: string;
    };
    // as of a provider that has moved its token endpoint since
    await useProvider(other);
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
    const wish = { partnerId: partner, issuer: `${provider.issuer}/nowhere`, clientId: 'console' };
    await expect(setPartnerProvider(app.context(), wish, 'system')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(
      setPartnerProvider(app.context(), { ...wish, issuer: 'http://127.0.0.1:9' }, 'system'),
    ).rejects.toMatchObject({
      code: 'unavailable',
    });
    await expect(
      setPartnerProvider(app.context(), { ...wish, issuer: 'https://a@b.example' }, 'system'),
    ).rejects.toThrow('issuer must have no user name');
  });

  it('asks no private address in production', async () => {
    const context = app.context();
    const config = { ...app.config, production: true };
    const set = (issuer: string) =>
      setPartnerProvider(
        { ...context, config, em: context.em },
        { partnerId: partner, issuer, clientId: 'console' },
        'system',
      );
    await expect(set(provider.issuer)).rejects.toThrow('issuer must be an https address');
    await expect(set('https://x.example\\@y.example')).rejects.toThrow('issuer has a character');
    for (const host of ['127.0.0.1:1', '10.0.0.1', '169.254.169.254', '[::1]', '[::ffff:a00:1]', 'localhost'])
      await expect(set(`https://${host}`), host).rejects.toMatchObject({ code: 'unavailable' });
  });
});
