import { describe, expect, it } from 'vitest';
import { callFan, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

const REGISTERED = 'http://localhost:4000';
const FOREIGN = 'https://evil.example';

const app = await testApp({ env: { ACCESS_TOKEN_TTL: '600' } });
const { access_token: token } = await signIn(app);

const allowedOrigin = (headers: Headers) => headers.get('access-control-allow-origin');

/** @returns what ends it */
function breakDatabase(): () => void {
  const { pool } = app.runtime;
  const { query } = pool;
  pool.query = (() => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))) as never;
  return () => {
    pool.query = query;
  };
}

async function preflight(path: string, origin: string, method = 'GET') {
  return fetch(`${app.config.apiUrl}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization',
    },
  });
}

describe('D-042: CORS of the Fan API', () => {
  it('a page of a registered redirect URI may read answers and the headers that matter', async () => {
    const { headers, status } = await callFan(app, '/tickets', token, { headers: { origin: REGISTERED } });
    expect(status).toBe(200);
    expect(allowedOrigin(headers)).toBe(REGISTERED);
    expect(headers.get('vary')).toContain('Origin');
    const exposed = headers.get('access-control-expose-headers')?.split(',');
    expect(exposed).toEqual(
      expect.arrayContaining(['X-Request-Id', 'X-Error-Code', 'Retry-After', 'RateLimit-Remaining', 'Link']),
    );
  });

  it('never with credentials: tokens are sent by hand', async () => {
    const { headers } = await callFan(app, '/tickets', token, { headers: { origin: REGISTERED } });
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it.each([
    FOREIGN,
    'null',
    'http://localhost:4001',
    'https://localhost:4000',
    'http://localhost:4000.evil.example',
    'http://LOCALHOST:4000',
    'http://localhost:4000/',
  ])('a page of %s may read nothing', async (origin) => {
    const { headers } = await callFan(app, '/tickets', token, { headers: { origin } });
    expect(allowedOrigin(headers)).toBeNull();
    expect(headers.get('vary')).toContain('Origin');
  });

  it.each([
    ['401', '/tickets', undefined],
    ['404', '/nothing', 'token'],
    ['400', '/tickets?limit=0', 'token'],
    ['405', '/tickets', 'token', 'DELETE'],
  ])('error answers too: %s', async (status, path, bearer, method = 'GET') => {
    const answer = await callFan(app, path, bearer && token, { method, headers: { origin: REGISTERED } });
    expect(String(answer.status)).toBe(status);
    expect(allowedOrigin(answer.headers)).toBe(REGISTERED);
    const foreign = await callFan(app, path, bearer && token, { method, headers: { origin: FOREIGN } });
    expect(allowedOrigin(foreign.headers)).toBeNull();
  });

  it.each(['GET', 'POST'])('a preflight for %s from a registered origin is answered yes', async (method) => {
    const { status, headers } = await preflight('/tickets', REGISTERED, method);
    expect(status).toBe(204);
    expect(allowedOrigin(headers)).toBe(REGISTERED);
    expect(headers.get('access-control-allow-methods')?.split(',')).toContain(method);
    expect(headers.get('access-control-allow-headers')?.toLowerCase()).toBe(
      'authorization,content-type,prefer,traceparent,tracestate,x-request-id',
    );
    expect(headers.get('access-control-max-age')).toBe('600');
  });

  it('a preflight from a foreign origin gets no permission', async () => {
    const { headers } = await preflight('/tickets', FOREIGN);
    expect(allowedOrigin(headers)).toBeNull();
    expect(headers.get('access-control-allow-methods')).toBeNull();
  });

  it('a preflight needs no token, as browsers send none', async () => {
    expect((await preflight('/tickets', REGISTERED)).status).toBe(204);
  });

  it('the database away: the answer is 503, readable for an origin that was allowed before, and never Koa’s own', async () => {
    await callFan(app, '/tickets', token, { headers: { origin: REGISTERED } });
    const mend = breakDatabase();
    try {
      const stranger = await callFan(app, '/tickets', token, { headers: { origin: 'https://late.example' } });
      expect(stranger.status).toBe(503);
      expect(Object.keys(stranger.body)).toEqual(['message']);
      expect(allowedOrigin(stranger.headers)).toBeNull();
      const known = await callFan(app, '/tickets', token, { headers: { origin: REGISTERED } });
      expect(known.status).toBe(503);
      expect(allowedOrigin(known.headers)).toBe(REGISTERED);
    } finally {
      mend();
    }
  });

  it('an answer given while the database was away is not remembered', async () => {
    const origin = 'http://127.0.0.1:4000';
    const mend = breakDatabase();
    try {
      await callFan(app, '/tickets', token, { headers: { origin } });
    } finally {
      mend();
    }
    const { headers } = await callFan(app, '/tickets', token, { headers: { origin } });
    expect(allowedOrigin(headers)).toBe(origin);
  });
});
