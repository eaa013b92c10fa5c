import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { helpLinks } from '../../../adapters/http/help-link.ts';
import { protection } from '../../../adapters/http/protect-answers.ts';
import { readConfig } from '../../../src/platform/config/read-config.ts';
import { callFan, postForm, refreshForm, signIn } from '../../support/partner.ts';
import type { TestApp } from '../../support/start-app.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();

/** What a socket gets back for bytes. */
async function raw(of: TestApp, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(of.origin).port), 'localhost');
  socket.on('error', () => undefined);
  socket.write(bytes);
  return text(socket);
}

interface Answer {
  status: number;
  headers: Headers;
  body: string;
}

/** Sends bytes as they are. */
async function send(bytes: string): Promise<Answer> {
  const whole = await raw(app, bytes);
  const [head = '', body = ''] = whole.split(/\r\n\r\n(.*)/s);
  const [line = '', ...fields] = head.split('\r\n');
  expect(line).toMatch(/^HTTP\/1\.1 \d{3} [A-Z]/);
  const headers = new Headers(fields.map((field) => field.split(/: (.*)/s).slice(0, 2) as [string, string]));
  return { status: Number(line.split(' ')[1]), headers, body };
}

const request = (method: string, target: string, fields = '') =>
  send(`${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${fields}\r\n`);

/** How errors of an address look. */
const SHAPES = {
  fan: ({ headers, body }: Answer) => {
    expect(JSON.parse(body)).toEqual({ message: expect.stringMatching(/^[A-Z].+\.$/) });
    expect(headers.get('x-error-code')).toMatch(/^[a-z_]+$/);
  },
  oauth: ({ body }: Answer) => {
    expect(JSON.parse(body)).toEqual({ error: 'invalid_request', error_description: expect.stringMatching(/.{10}/) });
  },
  page: ({ headers, body }: Answer) => {
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(body).toMatch(/^<!doctype html>.*<h1>.*<dt>Request ID<\/dt><dd><bdi>[0-9a-f-]{36}/s);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  },
  calls: ({ body }: Answer) => expect(JSON.parse(body)).toEqual({ error: { message: expect.any(String) } }),
  graphql: ({ body }: Answer) =>
    expect(JSON.parse(body)).toEqual({
      errors: [{ message: expect.any(String), extensions: { code: 'invalid_request' } }],
    }),
} satisfies Record<string, (answer: Answer) => void>;

const ADDRESSES: [string, keyof typeof SHAPES][] = [
  ['/fan/tickets', 'fan'],
  ['/fan/none', 'fan'],
  ['/oauth2/token', 'oauth'],
  ['/oauth2/userinfo', 'oauth'],
  ['/.well-known/openid-configuration', 'oauth'],
  ['/oauth2/authorize', 'page'],
  ['/oauth2/authorize/', 'page'],
  ['/login', 'page'],
  ['/login/inbox', 'page'],
  ['/login/apps', 'page'],
  ['/login/trpc/session.get', 'calls'],
  ['/admin', 'page'],
  ['/admin/auth/sign-in', 'page'],
  ['/admin/graphql', 'graphql'],
  ['/playground', 'page'],
];

/** Requests that are refused for their form, and that Node lets through. */
const REFUSED: [string, number, (target: string) => Promise<Answer>][] = [
  ['a URL of 17 KiB', 414, (target) => request('GET', `${target}?x=${'x'.repeat(17_408)}`)],
  ['header fields of 17 KiB', 431, (target) => request('GET', target, `X: ${'x'.repeat(17_408)}\r\n`)],
  ['PROPFIND, which Node knows', 501, (target) => request('PROPFIND', target)],
  ['TRACE', 501, (target) => request('TRACE', target)],
];

describe.each(ADDRESSES)('%s answers in its own shape', (path, shape) => {
  it.each(REFUSED)('%s: %i', async (_, status, ask) => {
    const answer = await ask(path);
    expect(answer.status).toBe(status);
    SHAPES[shape](answer);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('connection')).toBe('close');
    expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(answer.body));
  });

  it('DELETE is 405, with what is allowed', async () => {
    const answer = await request('DELETE', path);
    // there is nothing at one of them
    expect(answer.status).toBe(path === '/fan/none' ? 404 : 405);
    SHAPES[shape](answer);
    if (answer.status === 405) expect(answer.headers.get('allow')).toMatch(/GET|POST/);
  });
});

describe('a compressed body is refused by 415', () => {
  const compressed = (path: string, type: string, headers: Record<string, string> = {}) =>
    fetch(app.origin + path, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': type, 'content-encoding': 'gzip', ...headers },
    });

  it.each([
    ['/oauth2/token', 'application/x-www-form-urlencoded'],
    ['/oauth2/revoke', 'application/x-www-form-urlencoded'],
    ['/oauth2/authorize', 'application/x-www-form-urlencoded'],
    ['/login/trpc/phone.sendCode', 'application/json'],
    ['/login/apps/trpc/phone.sendCode', 'application/json'],
    ['/admin/auth/link', 'application/x-www-form-urlencoded'],
  ])('%s', async (path, type) => {
    const answer = await compressed(path, type);
    expect(answer.status).toBe(415);
    expect(answer.headers.get('accept-encoding')).toBe('identity');
    expect(await answer.text()).toContain('Content-Encoding is not supported');
  });

  it('/admin/graphql, in its shape', async () => {
    const answer = await compressed('/admin/graphql', 'application/json', { 'x-console': '1' });
    expect([answer.status, await answer.json()]).toMatchObject([415, { errors: [{ message: /Content-Encoding/ }] }]);
  });

  it('Content-Encoding: identity counts as none', async () => {
    const answer = await compressed('/oauth2/token', 'application/x-www-form-urlencoded', {
      'content-encoding': 'identity',
    });
    expect(answer.status).toBe(400);
  });
});

describe('what Node refuses by itself', () => {
  it('a partner’s page may read that its URL was too long', async () => {
    const origin = 'http://localhost:4000';
    for (const path of ['/fan/tickets', '/oauth2/userinfo']) {
      const answer = await fetch(`${app.origin}${path}?x=${'x'.repeat(17_408)}`, { headers: { origin } });
      expect([answer.status, answer.headers.get('access-control-allow-origin')], path).toEqual([414, origin]);
    }
  });

  it('a state of 4 KiB, each of its bytes percent-encoded, is no URL that is too long', async () => {
    const answer = await request('GET', `/oauth2/authorize?state=${'%C3%A4'.repeat(2048)}`);
    expect(answer.status).toBe(400);
  });

  it.each<[string, number, () => Promise<Answer>]>([
    ['a URL of 60 KiB', 414, () => request('GET', `/fan/tickets?x=${'x'.repeat(61_440)}`)],
    ['header fields of 60 KiB', 431, () => request('GET', '/oauth2/token', `X: ${'x'.repeat(61_440)}\r\n`)],
    ['FOO, which nobody knows', 501, () => request('FOO', '/login')],
    ['CONNECT', 501, () => request('CONNECT', 'example.com:443')],
    ['a header line without a colon', 400, () => request('GET', '/admin', 'no colon\r\n')],
    ['bytes that are no request line', 400, () => send('\x16\x03\x01\x00\xc8\x01\x00\r\n\r\n')],
  ])('%s: %i, in plain text with a request id', async (_, status, ask) => {
    const { status: answered, headers, body } = await ask();
    expect(answered).toBe(status);
    expect(body).toMatch(/^The [ \w./]+\.\n$/);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('connection')).toBe('close');
    expect(Number(headers.get('content-length'))).toBe(body.length);
  });

  it('a later part of header fields that are too long is 431, too', async () => {
    const socket = connect(Number(new URL(app.origin).port), 'localhost');
    socket.on('error', () => {});
    socket.write(`GET /fan/tickets HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.write('x'.repeat(40_000));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('a good request is answered, also where garbage follows it', async () => {
    const good = 'GET /.well-known/jwks.json HTTP/1.1\r\nHost: localhost\r\n\r\n';
    for (const garbage of ['\x01\x02\r\n\r\n', 'x'.repeat(50), 'FOO / HTTP/1.1\r\n\r\n']) {
      const answer = await send(good + garbage);
      expect(answer.status).toBe(200);
      // nothing stands behind the answer
      expect(Object.keys(JSON.parse(answer.body))).toEqual(['keys']);
    }
  });

  it('a broken body is answered once', async () => {
    const head = 'HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n';
    const answer = await send(`POST /oauth2/token ${head}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc`);
    expect([answer.status, answer.body]).toEqual([400, 'The request is not valid HTTP/1.1.\n']);
    expect(answer.headers.get('connection')).toBe('close');
  });
});

const HSTS = 'max-age=31536000';
const HTTPS = {
  AUTH_URL: 'https://auth.example',
  API_URL: 'https://api.example/fan',
  LOGIN_URL: 'https://auth.example/login',
  ADMIN_URL: 'https://staff.example/admin',
};

const secure = await testApp({ env: HTTPS });

const PATHS = [
  ...['/', '/none', '/healthz', '/readyz', '/idl.json', '/clusters.json', '/favicon.ico'],
  ...['/.well-known/jwks.json', '/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'],
  ...['/oauth2/authorize', '/oauth2/token', '/oauth2/userinfo', '/oauth2/revoke', '/oauth2/hand-over', '/oauth2/none'],
  ...['/fan/tickets', '/fan/authorizations', '/fan/claims/execute', '/fan/openapi.json', '/fan/none'],
  ...['/login', '/login/none', '/login/trpc/session.get', '/login/apps', '/login/apps/trpc/apps.list'],
  ...['/login/assets/none.js', '/login/apps/receipts/none.html', '/login/logos/none/none', '/login/operator-logo'],
  ...['/login/inbox', '/playground', '/admin', '/admin/graphql', '/admin/audit.csv', '/admin/import', '/admin/clients'],
  ...['/admin/import/none', '/admin/auth/link?token=x', '/admin/auth/sign-in', '/admin/auth/sign-out'],
];
/** The answer, in lower case, to a request that closes its connection. */
const ask = async (of: TestApp, line: string, fields: string) =>
  (await raw(of, `${line} HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`)).toLowerCase();
const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE', 'PROPFIND'];

async function sweep(app: TestApp, host: string, secured: boolean): Promise<string[]> {
  const faults: string[] = [];
  for (const path of PATHS) {
    const answers = METHODS.map(async (method) => {
      const fields = `Host: ${host}\r\nAccept: text/html\r\nContent-Length: 0\r\n`;
      const answer = await ask(app, `${method} ${path}`, fields);
      const [head = ''] = answer.split('\r\n\r\n');
      const status = head.split(' ')[1];
      if (head.split('x-content-type-options: nosniff').length !== 2)
        faults.push(`${method} ${path}: ${status} sniffed`);
      if (head.includes(`strict-transport-security: ${HSTS}`) !== secured)
        faults.push(`${method} ${path}: ${status} HSTS`);
    });
    await Promise.all(answers);
  }
  return faults;
}

describe('every answer of every surface', () => {
  it.each([
    ['localhost', app, false],
    ['auth.example', secure, true],
    ['api.example', secure, true],
    ['staff.example', secure, true],
  ])('has nosniff, with any status, and HSTS where the addresses are https: %s', async (host, of, secured) => {
    expect(await sweep(of, host, secured)).toEqual([]);
  });

  it.each([
    ['an expectation that nobody knows', 'Host: auth.example\r\nExpect: magic\r\n', 200],
    ['HTTP/1.1 without a host (RFC 9112 §3.2)', '', 400],
  ])('%s gets both as well', async (_, fields, status) => {
    const answer = await ask(secure, 'GET /healthz', fields);
    expect(answer).toMatch(new RegExp(`^http/1.1 ${status} `));
    expect(answer).toContain('x-content-type-options: nosniff');
    expect(answer).toContain(`strict-transport-security: ${HSTS}`);
  });

  it('an error that no surface catches is answered with both, an id and no word of it', async () => {
    using _broken = vi
      .spyOn(secure.runtime.pool, 'query')
      .mockRejectedValue(new Error('a secret of the database') as never);
    for (const target of ['/login/logos/client_x/y', '/login?session_id=sess_x']) {
      const each = await ask(secure, `GET ${target}`, 'Host: auth.example\r\n');
      expect(each).toContain('x-content-type-options: nosniff');
      expect(each).toContain('strict-transport-security');
      expect(each).toContain('x-request-id');
      expect(each).not.toContain('secret');
    }
  });

  it('where only some addresses are https, the host decides', () => {
    const of = protection(readConfig({ API_URL: 'https://api.example', ADMIN_URL: 'http://10.0.0.1:3000/admin' }));
    expect(of('api.example')).toHaveProperty('Strict-Transport-Security', HSTS);
    expect(of('10.0.0.1:3000')).not.toHaveProperty('Strict-Transport-Security');
  });
});

describe('the help link of an error', () => {
  let docs: string;
  beforeAll(async () => {
    docs = await (await fetch(`${app.config.docsUrl}/errors`)).text();
  });

  /** The anchor of the answer's help link; undefined where it has none. */
  function helpOf({ headers }: { headers: Headers }): string | undefined {
    const link = new RegExp(`<${app.config.docsUrl}/errors#([\\w-]+)>; rel="help"`);
    return link.exec(headers.get('link') ?? '')?.[1];
  }

  /** Every link must lead to an entry. */
  function expectHelp(answer: { headers: Headers }, anchor: string): void {
    expect(helpOf(answer)).toBe(anchor);
    expect(docs).toContain(`id="${anchor}"`);
  }

  it.each([
    ['no token', '/tickets', undefined, {}, 'access_token_missing'],
    ['no JWT', '/tickets', 'x', {}, 'access_token_malformed'],
    ['an unknown path', '/ticket', undefined, {}, 'unknown_route'],
    ['another method', '/tickets', undefined, { method: 'PUT' }, 'method_not_allowed'],
    ['a bad query', '/tickets?limit=x', 'good', {}, 'invalid_request'],
    ['a scope that is missing', '/claims/execute', 'good', { method: 'POST', body: '{}' }, 'scope_missing'],
  ])('of the Fan API leads to the entry of its code: %s', async (_, path, token, init, code) => {
    const good = token === 'good' && (await signIn(app, { scope: 'openid fan:tickets:read' })).access_token;
    const answer = await callFan(app, path, good || token, init);
    expect(answer.headers.get('x-error-code')).toBe(code);
    expectHelp(answer, code);
  });

  it('is absent from a successful answer', async () => {
    const { access_token } = await signIn(app, { scope: 'openid fan:tickets:read' });
    expect(helpOf(await callFan(app, '/tickets', access_token))).toBeUndefined();
  });

  it.each([
    ['token', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['token', {}, 'invalid_request'],
    ['token', refreshForm(app, 'x'), 'invalid_grant'],
    ['token', { client_secret: 'x' }, 'invalid_client'],
    ['userinfo', {}, 'invalid_token'],
    ['nothing', {}, 'invalid_request'],
  ])('of the authorization server (%s, %j) leads to the entry of %s', async (path, form, code) => {
    expectHelp(await postForm(app, `/oauth2/${path}`, form as Record<string, string>), `oauth-${code}`);
  });

  it('of the page of a wrong authorize request, which shows it to developers as well', async () => {
    const answer = await fetch(`${app.config.authUrl}/oauth2/authorize?client_id=x`);
    expect(answer.status).toBe(400);
    expectHelp(answer, 'oauth-invalid_request');
    expect(await answer.text()).toContain(`href="${app.config.docsUrl}/errors#oauth-invalid_request"`);
  });

  it('is not there where the documentation is served nowhere; with DOCS_URL, it leads there', () => {
    expect(helpLinks(readConfig({ SURFACES: 'fan' }))('fan', 404, 'not_found')).toBeUndefined();
    const elsewhere = helpLinks(readConfig({ SURFACES: 'fan', DOCS_URL: 'https://dev.example/docs' }));
    expect(elsewhere('fan', 404, 'not_found')).toBe('<https://dev.example/docs/errors#not_found>; rel="help"');
  });

  it('of a fault of ours, and of a dependency that is down, has the code of their protocol', () => {
    const linkOf = helpLinks(readConfig({}));
    expect(linkOf('fan', 500)).toContain('#internal>');
    expect(linkOf('oauth', 500, 'internal')).toContain('#oauth-server_error>');
    expect(linkOf('oauth', 503, 'unavailable')).toContain('#oauth-temporarily_unavailable>');
    expect(linkOf('text', 503)).toContain('#unavailable>');
    expect(linkOf('graphql', 500)).toBeUndefined();
  });
});
