import { randomBytes } from 'node:crypto';
import type { Next } from 'koa';
import { describe, expect, it } from 'vitest';
import { recordRequests } from '../../../adapters/http/record-requests.ts';
import { knownId } from '../../../src/platform/identifier/known-id.ts';
import { newId, uuidOf } from '../../../src/platform/identifier/type-id.ts';
import type { ActivityEntry } from '../../../src/record/activity/activity-log.ts';
import { formsFound } from '../../support/find-in-log.ts';
import { newSession } from '../../support/new-session.ts';
import {
  type AuthorizeChoice,
  authorize,
  authorizeUrl,
  callFan,
  callLogin,
  codeForm,
  exchange,
  obtainCode,
  postForm,
  refresh,
  refreshForm,
  signIn,
  USUAL_SCOPE,
} from '../../support/partner.ts';
import { askAs, newStaff } from '../../support/staff-call.ts';
import { startApp } from '../../support/start-app.ts';
import { testApp } from '../../support/test-app.ts';

const written: string[] = [];
const app = await testApp({ logTo: { write: (line) => void written.push(line) } });

/** What the log holds, in the order in which the calls ended, beginning after a moment. */
async function logged(after: Date) {
  await app.runtime.activity.flush();
  return app.context().em.execute<Record<string, unknown>[]>(
    `select id, operation, method, path, status, outcome, message, client_id, grant_id, fan_id, session_id
     from request_log where at >= ? order by ctid`,
    [after],
  );
}

async function dump(): Promise<string | undefined> {
  await app.runtime.activity.flush();
  const { rows } = await app.runtime.pool.query<{ text: string }>(
    `select string_agg(r::text, ' ') || (select string_agg(t::text, ' ') from traffic t) as text from request_log r`,
  );
  return rows[0]?.text;
}

async function rowsOf(work: () => Promise<unknown>) {
  const from = app.runtime.now();
  await work();
  return logged(from);
}

describe('the request log', () => {
  it('holds a sign-in and its calls step by step, each with the references that were known and proved by then', async () => {
    let grantId = '';
    let sessionId = '';
    const rows = await rowsOf(async () => {
      const obtained = await obtainCode(app);
      sessionId = uuidOf('sess', knownId('sess', obtained.sessionId));
      const tokens = await exchange(app, obtained);
      grantId = uuidOf('grant', tokens.grant_id);
      await callFan(app, '/tickets', tokens.access_token);
      await refresh(app, tokens.refresh_token);
    });
    const [testUser] = app.kit.test_users;
    const fan = uuidOf('usr', knownId('usr', String(testUser?.id)));
    const client = uuidOf('client', app.kit.client_id);
    expect(rows.map(({ id, method, path, message, ...rest }) => rest)).toEqual(
      [
        ['authorize.start', 302, null, null, sessionId],
        ['login.phone.sendCode', 200, null, null, sessionId],
        ['login.phone.verifyCode', 200, null, null, sessionId],
        ['login.consent.options', 200, null, fan, sessionId],
        ['login.consent.grant', 200, null, fan, sessionId],
        ['token.exchange', 200, grantId, fan, null],
        ['tickets.list', 200, grantId, fan, null],
        ['token.refresh', 200, grantId, fan, null],
      ].map(([operation, status, grant_id, fan_id, session_id]) => ({
        operation,
        status,
        outcome: 'ok',
        client_id: client,
        grant_id,
        fan_id,
        session_id,
      })),
    );
  });

  it('the id of a row is the one that the answer carried', async () => {
    let answered: string | null = null;
    const [row] = await rowsOf(async () => {
      answered = (await fetch(`${app.config.authUrl}/oauth2/userinfo`)).headers.get('x-request-id');
    });
    expect(row).toMatchObject({ id: answered, operation: 'userinfo.read', outcome: 'invalid_token', status: 401 });
  });

  it('a refusal is recorded by its stable code and with the message that the caller got, on every surface', async () => {
    const obtained = await obtainCode(app);
    const started = await authorize(app);
    const userinfo = `${app.config.authUrl}/oauth2/userinfo`;
    const ask = async (choice: AuthorizeChoice) => fetch((await authorizeUrl(app, choice)).url, { redirect: 'manual' });
    const rows = await rowsOf(async () => {
      await callFan(app, '/tickets');
      await callFan(app, '/nowhere');
      await callLogin(app, started, 'phone.sendCode', { phone: 'nonsense' });
      await callLogin(app, started, 'phone.sendCode', { phone: 5 });
      await callLogin(app, started, 'phone.verifyCode', { code: '000000' });
      await callLogin(app, { cookie: '', sessionId: started.sessionId }, 'phone.sendCode', { phone: '+1' });
      await callLogin(app, started, 'no.such');
      await postForm(app, '/oauth2/token', { grant_type: 'password' });
      await exchange(app, obtained, { code: 'ac_none' });
      await exchange(app, obtained, { code_verifier: 'v'.repeat(43) });
      await refresh(app, 'rt_wrong');
      await ask({ scope: 'openid all_of_it' });
      await ask({ clientId: 'client_none' });
      await ask({ redirectUri: 'https://elsewhere.example/cb' });
      await fetch(`${app.config.authUrl}/oauth2/authorize`, { method: 'PUT' });
      await fetch(userinfo, { headers: { Authorization: 'Bearer nonsense' } });
      await fetch(userinfo, { method: 'DELETE' });
    });
    const words = expect.stringMatching(/\S \S/);
    const saying = (part: string) => expect.stringContaining(part);
    expect(rows.map(({ operation, status, outcome, message }) => [operation, status, outcome, message])).toEqual([
      ['tickets.list', 401, 'access_token_missing', words],
      ['other', 404, 'unknown_route', words],
      ['login.phone.sendCode', 400, 'invalid_phone', words],
      ['login.phone.sendCode', 400, 'invalid_request', saying('phone')],
      ['login.phone.verifyCode', 409, 'wrong_step', words],
      ['login.phone.sendCode', 401, 'session_elsewhere', words],
      ['other', 404, 'not_found', null],
      ['token.request', 400, 'unsupported_grant_type', words],
      ['token.exchange', 400, 'invalid_request', 'code is invalid or expired'],
      ['token.exchange', 400, 'invalid_request', 'Invalid PKCE code_verifier'],
      ['token.refresh', 400, 'invalid_grant', 'refresh_token is invalid, expired or revoked'],
      ['authorize.start', 302, 'invalid_scope', 'scope all_of_it is not allowed for this client'],
      ['authorize.start', 400, 'invalid_request', words],
      ['authorize.start', 400, 'invalid_request', saying('redirect_uri')],
      ['other', 405, 'invalid_request', saying('PUT is not allowed')],
      ['userinfo.read', 401, 'invalid_token', saying('access token')],
      ['other', 405, 'invalid_request', saying('DELETE is not allowed')],
    ]);
    const went = `select 1 from request_log where outcome = 'ok' and message is not null`;
    expect(await app.context().em.execute(went)).toEqual([]);
  });

  it('a refused call names whose it was only where its token was verified', async () => {
    const tokens = await signIn(app, { scope: USUAL_SCOPE, actions: [] });
    const forged = `${tokens.access_token.slice(0, -8)}AAAAAAAA`;
    const rows = await rowsOf(async () => {
      await callFan(app, '/tickets', tokens.access_token);
      await callFan(app, '/tickets', forged);
    });
    expect(rows).toMatchObject([
      { outcome: 'action_not_granted', grant_id: uuidOf('grant', tokens.grant_id) },
      { outcome: 'access_token_invalid', grant_id: null, client_id: null, fan_id: null },
    ]);
  });

  it('a well-formed client_id of no client is not counted, so that made-up ones cannot fill the counts', async () => {
    const form = refreshForm(app, 'rt_x', { client_id: newId('client') });
    const rows = await rowsOf(() => postForm(app, '/oauth2/token', form));
    expect(rows).toMatchObject([{ operation: 'token.refresh', outcome: 'invalid_request', client_id: null }]);
  });

  it('no phone, code, token, state or query is in it', async () => {
    const obtained = await obtainCode(app);
    const tokens = await exchange(app, obtained);
    await callFan(app, `/tickets?event_id=${app.kit.test_users[0]?.id}`, tokens.access_token);
    const [testUser] = app.kit.test_users;
    const secrets = [testUser?.phone.slice(1), testUser?.code, obtained.code, obtained.state, obtained.verifier];
    const text = await dump();
    expect(text).toContain('tickets.list');
    for (const secret of [...secrets, tokens.access_token, tokens.refresh_token, 'event_id']) {
      expect(text).not.toContain(secret);
    }
  });

  it('a call of the console is recorded as reading or changing, and a refusal by its code although GraphQL answers 200', async () => {
    const secret = await newSession(app);
    const post = (query: string, cookie = `fan_staff=${secret}`) =>
      fetch(`${app.config.adminUrl}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-console': '1', cookie },
        body: JSON.stringify({ query }),
      });
    const rows = await rowsOf(async () => {
      await post('{ partners { totalCount } }');
      await post(
        'fragment F on Partner { name } mutation { registerPartner(name: "Log") { ... on Partner { ...F } } }',
      );
      await post('{ dashboard(clientId: "nobody", period: DAY) { buckets } }');
      await post('{ nothing }');
      await post('{ partners { totalCount } }', 'none=1');
    });
    expect(rows.map(({ operation, status, outcome }) => [operation, status, outcome])).toEqual([
      ['graphql.query', 200, 'ok'],
      ['graphql.mutation', 200, 'ok'],
      ['graphql.query', 200, 'not_found'],
      ['graphql.query', 200, 'graphql_validation_failed'],
      ['graphql.query', 401, 'sign_in_required'],
    ]);
  });

  it('what no surface has caught is a fault of ours, and goes on to Koa', async () => {
    const { published } = app.runtime.keys;
    app.runtime.keys.published = () => Promise.reject(new Error('nobody expected this'));
    const rows = await rowsOf(() => fetch(`${app.config.authUrl}/.well-known/jwks.json`));
    app.runtime.keys.published = published;
    expect(rows).toMatchObject([{ operation: 'metadata.read', status: 500, outcome: 'server_error' }]);
    const recorded: ActivityEntry[] = [];
    const activity = { ...app.runtime.activity, record: (entry: ActivityEntry) => void recorded.push(entry) };
    const surface = recordRequests({ activity, now: app.runtime.now }) as (ctx: object, next: Next) => Promise<void>;
    const broken = surface({ state: {}, method: 'GET', status: 404 }, () => Promise.reject(new Error('broken')));
    await expect(broken).rejects.toThrow('broken');
    expect(recorded).toMatchObject([{ operation: 'other', status: 500, outcome: 'internal' }]);
  });

  it('names a call that is no operation by method and path, without its query and what looks like a secret', async () => {
    const secret = randomBytes(24).toString('base64url');
    const rows = await rowsOf(async () => {
      await fetch(`${app.config.apiUrl}/tikets?token=${secret}`, { method: 'PATCH' });
      await fetch(`${app.config.apiUrl}/tickets/${secret}/${'long/'.repeat(90)}`);
      await callFan(app, '/tickets', undefined);
    });
    expect(rows.map(({ operation, method, path }) => [operation, method, path])).toEqual([
      ['other', 'PATCH', '/fan/tikets'],
      ['other', 'GET', `/fan/tickets/…/${'long/'.repeat(90)}`.slice(0, 200)],
      ['tickets.list', 'GET', null],
    ]);
    const document = '{ requests(first: 50, filter: { operation: "other" }) { nodes { label } } }';
    expect((await askAs(app, await newStaff(app), document)).nodes).toContainEqual({ label: 'PATCH /fan/tikets' });
  });

  it('a process that ends writes what it still holds', async () => {
    const other = await startApp({ databaseUrl: app.config.databaseUrl ?? '' });
    const from = app.runtime.now();
    await fetch(`${other.config.authUrl}/oauth2/userinfo`);
    await other.stop();
    expect(await logged(from)).toMatchObject([{ operation: 'userinfo.read' }]);
  });

  it('tRPC calls come one by one: a batch is refused', async () => {
    const started = await authorize(app);
    const headers = { cookie: started.cookie, 'x-session-id': started.sessionId };
    const trpc = `${app.config.loginUrl}/trpc`;
    expect((await fetch(`${trpc}/session.get`, { headers })).status).toBe(200);
    expect((await fetch(`${trpc}/session.get,session.get?batch=1&input={}`, { headers })).status).toBe(400);
  });
});

/** The refused requests that some work leaves, oldest first. */
const refusalsOf = async (work: () => Promise<unknown>) =>
  (await rowsOf(work)).filter(({ outcome }) => outcome !== 'ok');

describe('the request log keeps the message that a refused caller got', () => {
  it('the Fan API: message, of each kind of refusal', async () => {
    const { access_token: token } = await signIn(app, { scope: 'openid fan:tickets:read fan:listings:write' });
    const body = JSON.stringify({ type: 'list', transactions: ['01'.repeat(65) + 'aa'.repeat(40)] });
    const answered: unknown[] = [];
    const rows = await refusalsOf(async () => {
      for (const [path, given, init] of [
        ['/tickets', undefined, {}],
        ['/tickets?limit=0', token, {}],
        ['/claims/execute', token, { method: 'POST', body: '{}' }],
        ['/authorizations', token, { method: 'POST', body }],
        ['/authorizations', token, { method: 'POST', body: 'no JSON' }],
        ['/nowhere', token, {}],
        ['/tickets', token, { method: 'DELETE' }],
      ] as const) {
        answered.push((await callFan(app, path, given, init)).body.message);
      }
    });
    expect(rows.map(({ message }) => message)).toEqual(answered);
    expect(answered).toEqual(Array(7).fill(expect.stringMatching(/\S{3}/)));
  });

  it('messages of libraries, which quote the input, are not kept', async () => {
    const started = await authorize(app);
    const rows = await refusalsOf(async () => {
      await fetch(`${app.config.loginUrl}/trpc/phone.sendCode`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: started.cookie, 'x-session-id': started.sessionId },
        body: '{"phone": 123456 and more',
      });
      await callLogin(app, started, 'no.such.procedure.123456');
    });
    expect(rows.map(({ message }) => message)).toEqual([null, null]);
  });
});

const SECRETS = {
  code: `ac_${randomBytes(32).toString('base64url')}`,
  refresh: `rt_${randomBytes(32).toString('base64url')}`,
  verifier: randomBytes(32).toString('base64url'),
  state: `state-${randomBytes(16).toString('hex')}`,
  client_secret: randomBytes(24).toString('base64'),
  phone: '+4915112345678',
  jwt: `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1c3JfMSJ9.${randomBytes(64).toString('base64url')}`,
};
const PARAMETERS = [
  ...['grant_type', 'client_id', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope', 'token', 'state'],
  ...['client_secret', 'response_type', 'code_challenge', 'code_challenge_method', 'nonce', 'mode', 'prompt'],
  ...['event_id', 'limit', 'cursor'],
];

it.each(Object.entries(SECRETS))(
  'no secret gets into the request log: %s, in any place of any call',
  { timeout: 60_000 },
  async (_, secret) => {
    const { access_token: token } = await signIn(app);
    const started = await authorize(app);
    const { authUrl, apiUrl, adminUrl } = app.config;
    const post = (url: string, body: string, type = 'application/json', headers: Record<string, string> = {}) =>
      fetch(url, { method: 'POST', headers: { 'content-type': type, ...headers }, body, redirect: 'manual' });
    const form = 'application/x-www-form-urlencoded';
    const rows = await refusalsOf(async () => {
      const valid = codeForm({ ...started, code: 'ac_none' });
      for (const name of [...PARAMETERS, secret]) {
        const value = name === secret ? 'x' : secret;
        for (const base of [valid, refreshForm(app, 'rt_none')]) {
          await post(`${authUrl}/oauth2/token`, `${new URLSearchParams({ ...base, [name]: value })}`, form);
        }
        const twice = new URLSearchParams([...Object.entries(valid), [name, value], [name, value]]);
        await post(`${authUrl}/oauth2/token`, `${twice}`, form);
        await post(`${authUrl}/oauth2/revoke`, `${new URLSearchParams({ [name]: value })}`, form);
        const { url } = await authorizeUrl(app);
        const given = new URL(url);
        given.searchParams.set(name, value);
        await fetch(given, { redirect: 'manual' });
        given.searchParams.append(name, value);
        await fetch(given, { redirect: 'manual' });
        await callFan(app, `/tickets?${new URLSearchParams({ [name]: value })}`, token);
        await callFan(app, `/tickets?${new URLSearchParams({ [`${name}[]`]: value })}`, token);
        await callLogin(app, started, 'phone.sendCode', { [name]: value });
      }
      const path = encodeURIComponent(secret);
      for (const base of [apiUrl, authUrl, app.config.loginUrl, adminUrl]) {
        await fetch(`${base}/${path}`, { method: 'POST' });
        await fetch(`${base}/a/${secret}/b`);
      }
      await fetch(`${authUrl}/oauth2/grants/${path}/receipt`, { headers: { Authorization: `Bearer ${token}` } });
      for (const scheme of ['Bearer', 'Basic', '']) {
        const headers = { Authorization: `${scheme} ${secret}`.trim() };
        await fetch(`${authUrl}/oauth2/userinfo`, { headers });
        await fetch(`${apiUrl}/tickets`, { headers });
        await post(`${authUrl}/oauth2/token`, `${new URLSearchParams(valid)}`, form, headers);
      }
      for (const body of [{ type: secret }, { [secret]: 1 }, { type: 'list', transactions: [secret] }, secret]) {
        await callFan(app, '/authorizations', token, { method: 'POST', body: JSON.stringify(body) });
      }
      await callFan(app, '/claims/execute', token, {
        method: 'POST',
        body: JSON.stringify({ tickets: [{ tx: secret }, { [secret]: secret }] }),
      });
      await callFan(app, '/claims/execute', token, { method: 'POST', body: `{"tickets": ${secret}` });
      await callLogin(app, started, 'phone.verifyCode', { code: secret });
      await callLogin(app, started, encodeURIComponent(secret));
      await post(`${adminUrl}/graphql`, JSON.stringify({ query: `{ ${secret} }` }), 'application/json', {
        Authorization: `Bearer ${secret}`,
      });
    });
    expect(rows.length).toBeGreaterThan(100);

    const text = await dump();
    const core = secret.replace(/^\+/, '');
    for (const part of [core, encodeURIComponent(secret), core.slice(0, 12), core.slice(-10)]) {
      expect(text).not.toContain(part);
    }
    expect(formsFound(written.join(''), core)).toEqual([]);
  },
);
