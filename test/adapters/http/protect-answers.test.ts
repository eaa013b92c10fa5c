import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { protection } from '../../../adapters/http/protect-answers.ts';
import { readConfig } from '../../../src/config/config.ts';
import type { TestApp } from '../../support/start-app.ts';
import { testApp } from '../../support/test-app.ts';

const HSTS = 'max-age=31536000';
const HTTPS = {
  AUTH_URL: 'https://auth.example',
  API_URL: 'https://api.example/fan',
  LOGIN_URL: 'https://auth.example/login',
  ADMIN_URL: 'https://staff.example/admin',
};

const plain = await testApp();
const secure = await testApp({ env: HTTPS });

const PATHS = [
  ...['/', '/none', '/healthz', '/readyz', '/idl.json', '/clusters.json', '/favicon.ico'],
  ...['/.well-known/jwks.json', '/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'],
  ...['/oauth2/authorize', '/oauth2/token', '/oauth2/userinfo', '/oauth2/revoke', '/oauth2/hand-over', '/oauth2/none'],
  ...['/fan/tickets', '/fan/authorizations', '/fan/claims/execute', '/fan/openapi.json', '/fan/none'],
  ...[
    '/login',
    '/login/none',
    '/login/trpc/session.get',
    '/login/apps',
    '/login/apps/trpc/apps.list',
    '/login/assets/none.js',
  ],
  ...[
    '/login/apps/receipts/none.html',
    '/login/logos/none/none',
    '/login/operator-logo',
    '/login/inbox',
    '/playground',
  ],
  ...[
    '/admin',
    '/admin/graphql',
    '/admin/audit.csv',
    '/admin/import',
    '/admin/import/none',
    '/admin/auth/link?token=x',
  ],
  ...['/admin/auth/sign-in', '/admin/auth/sign-out', '/admin/clients'],
];
const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE', 'PROPFIND'];

/** What a socket gets back for bytes, as lower-case text. */
async function raw(app: TestApp, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(app.origin).port), 'localhost');
  socket.on('error', () => undefined);
  socket.write(bytes);
  return (await text(socket)).toLowerCase();
}

async function sweep(app: TestApp, host: string, secured: boolean): Promise<string[]> {
  const faults: string[] = [];
  for (const path of PATHS) {
    const answers = METHODS.map(async (method) => {
      const answer = await raw(
        app,
        `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      );
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

describe('D-231: every answer of every surface', () => {
  it('has nosniff, whatever the status; HSTS not where the addresses are http', async () => {
    expect(await sweep(plain, 'localhost', false)).toEqual([]);
  });

  it.each(['auth.example', 'api.example', 'staff.example'])(
    'has HSTS where the addresses are https: %s',
    async (host) => {
      expect(await sweep(secure, host, true)).toEqual([]);
    },
  );

  it.each([
    ['what is no HTTP', 'garbage\r\n\r\n', 400],
    ['a URL that is too long', `GET /fan/${'x'.repeat(60_000)} HTTP/1.1\r\nHost: api.example\r\n\r\n`, 414],
    ['CONNECT', 'CONNECT auth.example:443 HTTP/1.1\r\nHost: auth.example\r\n\r\n', 501],
    [
      'an expectation that nobody knows',
      'GET /healthz HTTP/1.1\r\nHost: auth.example\r\nExpect: magic\r\nConnection: close\r\n\r\n',
      200,
    ],
    ['HTTP/1.1 without a host (RFC 9112 §3.2)', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ])('%s gets both as well', async (_, bytes, status) => {
    const answer = await raw(secure, bytes);
    expect(answer).toMatch(new RegExp(`^http/1.1 ${status} `));
    expect(answer).toContain('x-content-type-options: nosniff');
    expect(answer).toContain(`strict-transport-security: ${HSTS}`);
  });

  it('an error that no surface catches is answered with both, an id and no word of it', async () => {
    const { pool } = secure.runtime;
    const { query } = pool;
    pool.query = (() => Promise.reject(new Error('a secret of the database'))) as never;
    const answer = await raw(
      secure,
      'GET /login/logos/client_x/y HTTP/1.1\r\nHost: auth.example\r\nConnection: close\r\n\r\n',
    );
    const thrown = await raw(
      secure,
      'GET /login?session_id=sess_x HTTP/1.1\r\nHost: auth.example\r\nConnection: close\r\n\r\n',
    );
    pool.query = query;
    for (const each of [answer, thrown]) {
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
