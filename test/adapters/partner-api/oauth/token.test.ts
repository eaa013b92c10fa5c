import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { RequestContext } from '../../../../adapters/http/request-state.ts';
import { limitRefusals } from '../../../../adapters/partner-api/oauth/token.ts';
import { until } from '../../../../packages/localnet/test/test-network.ts';
import { codeForm, exchange, obtainCode, postForm, refresh, refreshForm, signIn } from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';

const LIMIT = 5;
const app = await testApp();
const limited = await testApp({ tokenFailureLimit: LIMIT });

async function post(body: BodyInit | undefined, headers: Record<string, string> = {}) {
  const answer = await fetch(`${app.config.authUrl}/oauth2/token`, { method: 'POST', body: body ?? null, headers });
  const json = (await answer.json()) as { error: string; error_description: string };
  return { status: answer.status, headers: answer.headers, ...json };
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('spec §4.2: a form, nothing else', () => {
  it('JSON is invalid_request, and the code can still be used', async () => {
    const obtained = await obtainCode(app);
    const json = await post(JSON.stringify(codeForm(obtained)), { 'content-type': 'application/json' });
    expect([json.status, json.error]).toEqual([400, 'invalid_request']);
    expect(json.error_description).toContain('application/x-www-form-urlencoded');
    expect((await postForm(app, '/oauth2/token', codeForm(obtained))).status).toBe(200);
  });

  it.each([
    ['multipart/form-data', 'grant_type=x', 'multipart/form-data; boundary=x'],
    ['text/plain', 'grant_type=x', 'text/plain'],
    ['a type that is none', 'grant_type=x', 'form'],
    ['no body', undefined, undefined],
    ['an empty body', '', FORM['content-type']],
    ['a body that is not UTF-8', new Uint8Array([0x61, 0x3d, 0xff]), FORM['content-type']],
  ])('%s is invalid_request', async (_, body, type) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    expect(await post(body, headers)).toMatchObject({ status: 400, error: 'invalid_request' });
  });

  it('parameters in the query count for nothing', async () => {
    const query = new URLSearchParams(codeForm(await obtainCode(app)));
    const { status, body } = await postForm(app, `/oauth2/token?${query}`, {});
    expect([status, body.error_description]).toEqual([400, 'grant_type is required']);
  });

  it.each(['Authorization_Code', 'implicit', 'password', 'client_credentials', '__proto__', 'a'.repeat(10_000)])(
    'RFC 6749 §5.2: grant_type %s is unsupported_grant_type',
    async (type) => {
      const { status, body } = await postForm(app, '/oauth2/token', { grant_type: type });
      expect([status, body.error]).toEqual([400, 'unsupported_grant_type']);
    },
  );
});

describe('token endpoint input: duplicates are refused, unknown parameters ignored', () => {
  it.each(['grant_type', 'client_id', 'code', 'redirect_uri', 'code_verifier', 'something_unknown'])(
    '%s twice is invalid_request naming it, and the code can still be used',
    async (name) => {
      const form = codeForm(await obtainCode(app));
      const pairs: [string, string][] = [...Object.entries(form), [name, form[name] ?? ''], [name, form[name] ?? '']];
      const { status, body } = await postForm(app, '/oauth2/token', pairs);
      expect([status, body]).toEqual([
        400,
        { error: 'invalid_request', error_description: `${name} must not be given more than once` },
      ]);
      expect((await postForm(app, '/oauth2/token', form)).status).toBe(200);
    },
  );

  it('unknown ones are ignored', async () => {
    const form = { ...codeForm(await obtainCode(app)), audience: 'x', client_assertion: '', resource: 'y' };
    expect((await postForm(app, '/oauth2/token', form)).status).toBe(200);
  });
});

describe('token endpoint input: an attempt to authenticate is invalid_client', () => {
  const basic = `Basic ${Buffer.from('client:secret').toString('base64')}`;
  it.each([
    ['HTTP Basic', {}, { authorization: basic }],
    ['HTTP Basic with an empty secret', {}, { authorization: `Basic ${Buffer.from('client:').toString('base64')}` }],
    ['a bearer token', {}, { authorization: 'Bearer x' }],
    ['client_secret', { client_secret: 'x' }, {}],
  ])('%s: 401 with WWW-Authenticate: Basic, and the code can still be used', async (_, fields, headers) => {
    const form = codeForm(await obtainCode(app));
    const refused = await postForm(app, '/oauth2/token', { ...form, ...fields }, headers);
    expect([refused.status, refused.body.error]).toEqual([401, 'invalid_client']);
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect((await postForm(app, '/oauth2/token', form)).status).toBe(200);
  });

  it.each([
    ['/oauth2/token', 'client_secret=&scope=&client_assertion='],
    ['/oauth2/revoke', 'client_secret=&token_type_hint='],
  ])('RFC 6749 §3.2: at %s parameters without a value count as absent (%s)', async (path, empty) => {
    const { refresh_token } = await signIn(app);
    const form = new URLSearchParams({ ...refreshForm(app, refresh_token), token: refresh_token });
    const answer = await fetch(app.config.authUrl + path, { method: 'POST', headers: FORM, body: `${empty}&${form}` });
    expect(answer.status).toBe(200);
  });

  it('it does not count against the limit', async () => {
    for (let call = 0; call < LIMIT * 3; call += 1) {
      const { status } = await postForm(limited, '/oauth2/token', {}, { authorization: basic });
      expect(status).toBe(401);
    }
  });
});

describe('status: 429 after too many refused requests', () => {
  it('good ones do not count, and are served after the last refused one, also for others at the same address', async () => {
    for (let call = 0; call < LIMIT * 2; call += 1) await signIn(limited);
    const form = codeForm(await obtainCode(limited));
    for (let call = 0; call < LIMIT; call += 1) {
      const refused = await postForm(limited, '/oauth2/token', { ...form, code: 'x' });
      expect(refused.status).toBe(400);
      expect(refused.headers.get('ratelimit-remaining')).toBe(String(LIMIT - 1 - call));
    }
    const { status, headers, body } = await postForm(limited, '/oauth2/token', { ...form, code: 'y' });
    expect(status).toBe(429);
    expect(Object.keys(body).sort()).toEqual(['error', 'error_description']);
    const retryAfter = Number(headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(headers.get('ratelimit-limit')).toBe(String(LIMIT));
    expect(headers.get('ratelimit-remaining')).toBe('0');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    const served = await postForm(limited, '/oauth2/token', form);
    expect([served.status, served.headers.get('retry-after')]).toEqual([200, null]);
    const again = await postForm(limited, '/oauth2/token', refreshForm(limited, String(served.body.refresh_token)));
    expect(again.status).toBe(200);
  });

  it('over the limit an address has 10 requests running at most, so that a flood costs no more than that', async () => {
    const holder = await limited.runtime.pool.connect();
    await holder.query('begin; lock table refresh_token_family in access exclusive mode');
    let answered = 0;
    const flood = Array.from({ length: 30 }, async (_, n) => {
      const { status } = await refresh(limited, `rt_${'A'.repeat(62)}${10 + n}`);
      answered += 1;
      return status;
    });
    await until(async () => answered >= 20);
    await sleep(50);
    expect(answered).toBe(20);
    await holder.query('commit');
    holder.release();
    expect(new Set(await Promise.all(flood))).toEqual(new Set([429]));
    expect((await exchange(limited, await obtainCode(limited))).status).toBe(200);
  });

  it('a request that ends while others ask whether the limit is reached is no longer counted as running', async () => {
    const [work, limit] = [Promise.withResolvers<void>(), Promise.withResolvers<null>()];
    const limiter = { points: LIMIT, get: () => limit.promise, consume: () => Promise.reject(new Error('no refusal')) };
    const refusals = { limiter, running: new Map<string, number>() };
    const run = (until: Promise<void>) => limitRefusals({ ip: '192.0.2.1' } as RequestContext, refusals, () => until);
    const first = Array.from({ length: 10 }, () => run(work.promise));
    const asking = [run(Promise.resolve()), run(Promise.resolve())];
    work.resolve();
    await Promise.all(first);
    limit.resolve(null);
    await Promise.all(asking);
    expect(refusals.running.size).toBe(0);
  });
});

it('a body larger than 64 KiB leaves the connection usable: the next request on it is answered', async () => {
  const head = (length: number, connection: string) =>
    `POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n` +
    `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${length}\r\n\r\n`;
  const socket = connect(Number(new URL(app.origin).port), 'localhost');
  socket.write(head(300_000, 'keep-alive') + 'x'.repeat(300_000));
  socket.write(`${head(12, 'close')}grant_type=x`);
  const answers = await text(socket);
  expect(answers).toContain('HTTP/1.1 413 ');
  expect(answers).toContain('unsupported_grant_type');
});
