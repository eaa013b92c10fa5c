import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { homePage } from '../../../../adapters/fan-pages/plain-pages/home-page.ts';
import { wordsFor } from '../../../../adapters/fan-pages/plain-pages/page-words.ts';
import { createPlainPages } from '../../../../adapters/fan-pages/plain-pages/plain-pages.ts';
import { readConfig } from '../../../../src/platform/config/read-config.ts';
import { png } from '../../../src/partners/client/logo-images.ts';
import { testApp } from '../../../support/test-app.ts';

const app = await testApp();

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

function open(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return fetch(app.origin + path, { method, headers: { accept: BROWSER, ...headers } });
}

async function shown(answer: Response): Promise<[lang: string | undefined, heading: string | undefined]> {
  const html = await answer.text();
  return [/<html lang="([^"]+)"/.exec(html)?.[1], /<h1>(.*?)<\/h1>/.exec(html)?.[1]];
}

const BAD_LINK = '/oauth2/authorize?client_id=nobody&redirect_uri=https%3A%2F%2Fp.example';

describe('the error page of the authorize endpoint', () => {
  it.each([
    ['en', 'This sign-in link doesn’t work'],
    ['de-AT', 'Dieser Anmeldelink funktioniert nicht'],
    ['es', 'Este enlace de inicio de sesión no funciona'],
    ['fr-CA', 'Ce lien de connexion ne fonctionne pas'],
    ['ja', 'このログインリンクは使えません'],
    ['pt-BR', 'Este link de login não funciona'],
  ])('is in the language of the browser: %s', async (language, heading) => {
    const answer = await open(BAD_LINK, { 'accept-language': `nl;q=0.9,${language},en;q=0.1` });
    expect(answer.status).toBe(400);
    expect(await shown(answer)).toEqual([language, heading]);
  });

  it('OpenID Connect Core §3.1.2.1: ui_locales comes before the browser’s languages, in a query and in a form', async () => {
    const wish = { 'accept-language': 'de' };
    expect((await shown(await open(`${BAD_LINK}&ui_locales=nl%20fr`, wish)))[0]).toBe('fr');
    expect((await shown(await open(`${BAD_LINK}&ui_locales=nl`, wish)))[0]).toBe('de');
    const form = await fetch(`${app.origin}/oauth2/authorize?ui_locales=es`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'nobody', ui_locales: 'ja' }),
      headers: wish,
    });
    expect([form.status, (await shown(form))[0]]).toEqual([400, 'ja']);
  });

  it.each(['%00', '<script>', 'x'.repeat(9_000), `${'en-'.repeat(100)}`])(
    'no value of ui_locales or Accept-Language breaks it',
    async (wish) => {
      const answer = await open(`${BAD_LINK}&ui_locales=${encodeURIComponent(wish)}`, { 'accept-language': wish });
      expect([answer.status, (await shown(answer))[0]]).toEqual([400, 'en']);
    },
  );

  it('tells the developer code, description and request ID, in English whatever the fan speaks', async () => {
    const answer = await open(BAD_LINK, { 'accept-language': 'fr' });
    const html = await answer.text();
    expect(html).toContain('<dd lang="en"><bdi>invalid_request</bdi></dd>');
    expect(html).toMatch(/<dd lang="en"><bdi>The app that sent you here is not known: .*client_id/);
    expect(html).toContain(`<dd><bdi>${answer.headers.get('x-request-id')}</bdi></dd>`);
  });

  it('is the same page for programs', async () => {
    const answer = await open(BAD_LINK, { accept: 'application/json' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect((await open(BAD_LINK, {}, 'HEAD')).status).toBe(405);
  });
});

describe('the policy of these pages', () => {
  it.each([BAD_LINK, '/', '/nothing', '/login/nothing', '/admin/auth/sign-in'])(
    '%s: only its own style, no script',
    async (path) => {
      const answer = await open(path);
      const html = await answer.text();
      const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
      const hash = createHash('sha256').update(style).digest('base64');
      expect(answer.headers.get('content-security-policy')).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      );
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(html).not.toMatch(/<script|\sstyle=|\son\w+=/);
    },
  );

  it('the logo comes from the host of the login pages, and no other image does', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fan-api-logo-'));
    const OPERATOR_LOGO = join(folder, 'logo.png');
    writeFileSync(OPERATOR_LOGO, png());
    const config = readConfig({ OPERATOR_LOGO, LOGIN_URL: 'https://login.example/in' });
    rmSync(folder, { recursive: true });
    const page = (await createPlainPages(config)).write(homePage(config, undefined), { requestId: 'r' });
    expect(page.headers['Content-Security-Policy']).toContain(
      "; img-src 'self' https://login.example; form-action 'self'",
    );
    expect(page.body).toMatch(/<img src="https:\/\/login\.example\/in\/operator\/[\w-]{16}" alt="">/);
  });
});

describe('an unknown address', () => {
  it.each([
    '/nothing',
    '/oauth2/nothing',
    '/login/nothing',
    '/login/apps/nothing',
    '/login/operator/nothing',
    '/admin/auth/nothing',
  ])('%s has a page for a browser, with a way to the start page', async (path) => {
    const answer = await open(path, { 'accept-language': 'pt' });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('vary')).toBe('Accept, Accept-Language');
    const html = await answer.clone().text();
    expect(html).toContain(`href="${app.config.authUrl}/"`);
    expect(await shown(answer)).toEqual(['pt', 'Página não encontrada']);
  });

  it.each([
    ['/nothing', '{"error":"invalid_request","error_description":"there is no /nothing here"}'],
    ['/', '{"error":"invalid_request","error_description":"there is no / here"}'],
    ['/login/nothing', 'Not Found'],
    ['/login/apps/nothing', 'Not Found'],
    ['/fan/nothing', '{"message":"There is no /fan/nothing here."}'],
  ])('%s answers programs as before', async (path, body) => {
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5']) {
      const answer = await open(path, { accept });
      expect([answer.status, await answer.text()], accept).toEqual([404, body]);
    }
  });

  it('the Fan API answers browsers in its own shape too, and so does a form sent to nowhere', async () => {
    expect(await (await open('/fan/nothing')).json()).toEqual({ message: 'There is no /fan/nothing here.' });
    const posted = await open('/nothing', {}, 'POST');
    expect(await posted.json()).toEqual({ error: 'invalid_request', error_description: 'there is no /nothing here' });
  });

  it('HEAD has the headers of the page and no body', async () => {
    const answer = await open('/nothing', {}, 'HEAD');
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await answer.text()).toBe('');
  });
});

it('a page that can not be opened says so in the language of the browser', async () => {
  const answer = await open(`/login?x=${'x'.repeat(17_408)}`, { 'accept-language': 'es' });
  expect([answer.status, await shown(answer)]).toEqual([414, ['es', 'No se puede abrir esta página']]);
});

describe('the start page', () => {
  const linksOf = (env: Record<string, string>, playground?: string) =>
    homePage(readConfig(env), playground)(wordsFor()).sections?.flatMap(({ links }) => links.map(({ href }) => href));

  it('links to every surface that is served', async () => {
    const html = await (await open('/')).text();
    const links = [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => href);
    expect(links.map((href) => href.replace(app.origin, ''))).toEqual([
      '/docs',
      '/partners',
      '/playground',
      '/login/inbox',
      '/.well-known/openid-configuration',
      '/fan/openapi.json',
      '/idl.json',
      '/clusters.json',
      '/login/apps',
      '/admin',
    ]);
    for (const href of links) expect((await fetch(href)).status, href).toBe(200);
  });

  it('links to no surface that is not served', () => {
    const origin = 'http://localhost:3000';
    expect(linksOf({ SURFACES: 'auth' })).toEqual([`${origin}/.well-known/openid-configuration`]);
    expect(linksOf({ SURFACES: 'login', AUTH_URL: 'https://id.example/a' })).toEqual([
      `${origin}/login/inbox`,
      'https://id.example/a/.well-known/openid-configuration',
      `${origin}/login/apps`,
    ]);
  });
});
