import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { BAD_TOKENS } from '../../../support/bad-tokens.ts';
import { makeClient } from '../../../support/make-client.ts';
import { callFan, postForm, signIn, type Tokens } from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';

const app = await testApp({ env: { ACCESS_TOKEN_TTL: '600' } });
const tokens = await signIn(app);

const ErrorResponse = z.strictObject({ message: z.string().min(10) });

async function expectRefusal(token: string | undefined, status: number, code: string, path = '/tickets') {
  const answer = await callFan(app, path, token);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('x-error-code')).toBe(code);
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  ErrorResponse.parse(answer.body);
  return answer;
}

async function revoke({ refresh_token: token }: Tokens) {
  expect((await postForm(app, '/oauth2/revoke', { client_id: app.kit.client_id, token })).status).toBe(200);
}

describe('spec §7: 401, the access token is missing, expired or invalid', () => {
  it.each(BAD_TOKENS)('refuses $rule', async ({ authorization, code }) => {
    const header = await authorization(app, tokens);
    const { status, headers, body } = await callFan(app, '/tickets', undefined, {
      headers: header === undefined ? {} : { authorization: header },
    });
    expect(status).toBe(401);
    ErrorResponse.parse(body);
    expect(headers.get('x-error-code')).toBe(code);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('www-authenticate')).toMatch(
      code === 'access_token_missing' ? /^Bearer$/ : /^Bearer error="invalid_token", error_description="[^"\\]+"$/,
    );
  });

  it('no token may come in the query (RFC 6750 §2.3)', () =>
    expectRefusal(undefined, 401, 'access_token_missing', `/tickets?access_token=${tokens.access_token}`));
});

describe('spec §5.13, §7: what the token may do', () => {
  it.each(['fan:read', 'fan:tickets:write', 'fan:write'])('403 for %s: no scope contains another', async (scope) => {
    const clientId = await makeClient(app, { scopes: [scope] });
    const { access_token: token } = await signIn(app, { clientId, scope });
    await expectRefusal(token, 403, 'scope_missing');
  });

  it('a grant that has ended is reported first, then the scope, the action, and last a faulty query', async () => {
    const path = '/tickets?limit=0';
    const unscoped = await signIn(app, { scope: 'openid' });
    const { headers } = await expectRefusal(unscoped.access_token, 403, 'scope_missing', path);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer error="insufficient_scope"/);
    await expectRefusal((await signIn(app, { actions: [] })).access_token, 401, 'action_not_granted', path);
    const revoked = await signIn(app, { actions: [] });
    await revoke(revoked);
    await expectRefusal(revoked.access_token, 401, 'grant_revoked', path);
    await expectRefusal(tokens.access_token, 400, 'invalid_request', path);
  });

  it('an expired token is reported before its revoked grant', async () => {
    const revoked = await signIn(app);
    await revoke(revoked);
    app.advance(601);
    await expectRefusal(revoked.access_token, 401, 'access_token_expired');
    app.resetClock();
  });

  it('a suspended client’s tokens are refused at once, and accepted again once it is enabled', async () => {
    const { access_token: token } = await signIn(app);
    await app.runtime.pool.query(`update client set status = 'suspended'`);
    await expectRefusal(token, 401, 'grant_revoked');
    await app.runtime.pool.query(`update client set status = 'sandbox-ready'`);
    expect((await callFan(app, '/tickets', token)).status).toBe(200);
  });
});

describe('routes', () => {
  it.each(['', '/', '/ticket', '/tickets/1', '/Tickets/x', '/%00'])('404 for the unknown route "%s"', async (path) => {
    await expectRefusal(tokens.access_token, 404, 'unknown_route', path);
  });

  it.each(
    ['/tickets', '/wallet'].flatMap((path) =>
      ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, path] as const),
    ),
  )('405 with Allow for %s %s', async (method, path) => {
    const { status, headers, body } = await callFan(app, path, tokens.access_token, { method });
    expect(status).toBe(405);
    expect(headers.get('allow')?.split(', ')).toContain('GET');
    expect(headers.get('allow')).not.toContain(method);
    expect(headers.get('x-error-code')).toBe('method_not_allowed');
    ErrorResponse.parse(body);
  });

  it.each(['/tickets', '/wallet'])('HEAD %s answers as GET without a body', async (path) => {
    const { access_token: token } = await signIn(app, { scope: 'openid fan:tickets:read fan:claims:write' });
    const { status, body } = await callFan(app, path, token, { method: 'HEAD' });
    expect({ status, body }).toEqual({ status: 200, body: undefined });
  });
});

it('spec §7: an error of our own answers 500 with ErrorResponse and nothing of the cause', async () => {
  const { pool } = app.runtime;
  app.runtime.pool = { query: () => Promise.reject(new Error('secret detail')) } as unknown as typeof pool;
  const { body } = await expectRefusal(tokens.access_token, 500, 'internal');
  expect(JSON.stringify(body)).not.toContain('secret detail');
  app.runtime.pool = pool;
});

const POST = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
const WITH_BODY: [string, RequestInit][] = [
  ['/authorizations', POST],
  ['/claims/execute', POST],
];
const OPERATIONS: [string, RequestInit][] = [['/tickets', {}], ['/wallet', {}], ...WITH_BODY];

it.each(OPERATIONS)('%s refuses what the token may not do before it reads the body', async (path, init) => {
  const call = async (token: string | undefined) => {
    const { status, headers } = await callFan(app, path, token, init);
    return [status, headers.get('x-error-code')];
  };
  expect(await call(undefined)).toEqual([401, 'access_token_missing']);
  const scope = 'openid offline_access fan:tickets:read fan:listings:write fan:claims:write';
  expect(await call((await signIn(app, { scope, actions: [] })).access_token)).toEqual([401, 'action_not_granted']);
  const unscoped = await signIn(app, { scope: 'openid offline_access' });
  expect(await call(unscoped.access_token)).toEqual([403, 'scope_missing']);
  await revoke(unscoped);
  expect(await call(unscoped.access_token)).toEqual([401, 'grant_revoked']);
});

describe('the query of an operation of the Fan API', async () => {
  const scope = 'openid fan:tickets:read fan:listings:write fan:claims:write';
  const { access_token: token } = await signIn(app, { scope });

  it.each(OPERATIONS)(
    '%s: parameters that it does not know are ignored, also twice and as lists',
    async (path, init) => {
      const plain = await callFan(app, path, token, init);
      const queries = ['x=1', 'x=1&x=2', 'x[]=1&x[0]=2', '__proto__=1', '&&=', 'EVENT_ID=evt_x', 'event_id_=y'];
      for (const query of queries) {
        const answer = await callFan(app, `${path}?${query}`, token, init);
        expect([answer.status, answer.body], query).toEqual([plain.status, plain.body]);
      }
    },
  );

  it.each(['event_id', 'limit', 'cursor'])('/tickets: %s twice or as a list is refused by its name', async (name) => {
    for (const query of ['n=1&n=1', 'n[]=1', 'n[0]=1', 'n=1&n[]=1', 'n%5B%5D=1'].map((each) =>
      each.replaceAll('n', name),
    )) {
      const { status, body } = await callFan(app, `/tickets?${query}`, token);
      expect([status, body], query).toEqual([400, { message: `${name} must be given once, as ${name}=value` }]);
    }
  });

  it.each(WITH_BODY)('%s has no such parameters: those of /tickets are ignored', async (path, init) => {
    const plain = await callFan(app, path, token, init);
    const answer = await callFan(app, `${path}?event_id=1&event_id=2&limit[]=x`, token, init);
    expect([answer.status, answer.body]).toEqual([plain.status, plain.body]);
  });

  it.each(WITH_BODY)('%s refuses a body that it can not read', async (path, init) => {
    const json = { 'content-type': 'application/json' };
    for (const [status, headers, body, message] of [
      [
        415,
        { ...json, 'content-encoding': 'gzip' },
        '{}',
        /^Content-Encoding is not supported: send the body as it is\.$/,
      ],
      [415, { 'content-type': 'text/plain' }, '{}', /application\/json/],
      [415, { 'content-type': 'application/x-www-form-urlencoded' }, 'type=list', /application\/json/],
      [400, json, '{"type":', /not valid JSON/],
      [413, json, JSON.stringify({ type: 'x'.repeat(65 * 1024) }), /64 KiB/],
    ] as const) {
      const answer = await callFan(app, path, token, { ...init, headers, body });
      expect([answer.status, answer.headers.get('x-error-code')]).toEqual([status, 'invalid_request']);
      expect(answer.body.message).toMatch(message);
    }
  });

  it('the next page is asked for with the parameters that count, and no others', async () => {
    const { headers } = await callFan(app, `/tickets?limit=1&utm_source=mail`, token);
    expect(headers.get('link')).toMatch(/\/fan\/tickets\?limit=1&cursor=[\w-]+>; rel="next"$/);
  });
});

describe('the rate limit', async () => {
  const app = await testApp({ env: { FAN_RATE_LIMIT: '3' } });

  it('a grant has so many calls a minute, then 429 with Retry-After and RateLimit-*; other grants go on', async () => {
    const { access_token: token } = await signIn(app);
    const seen: (string | null)[] = [];
    for (let call = 0; call < 3; call++) {
      const { status, headers } = await callFan(app, '/tickets', token);
      expect(status).toBe(200);
      expect(headers.get('ratelimit-limit')).toBe('3');
      expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(0);
      seen.push(headers.get('ratelimit-remaining'));
    }
    expect(seen).toEqual(['2', '1', '0']);
    const { status, headers, body } = await callFan(app, '/tickets', token, {
      headers: { origin: 'http://localhost:4000' },
    });
    expect(status).toBe(429);
    expect(Object.keys(body)).toEqual(['message']);
    expect(headers.get('x-error-code')).toBe('rate_limited');
    expect(headers.get('ratelimit-remaining')).toBe('0');
    const wait = Number(headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:4000');
    expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
    const { access_token: another } = await signIn(app);
    expect((await callFan(app, '/tickets', another)).status).toBe(200);
  });

  it('refused tokens cost no grant its calls', async () => {
    const { access_token: token } = await signIn(app);
    for (let call = 0; call < 5; call++) expect((await callFan(app, '/tickets', `${token}x`)).status).toBe(401);
    expect((await callFan(app, '/tickets', token)).headers.get('ratelimit-remaining')).toBe('2');
  });
});
