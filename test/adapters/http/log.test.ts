import { once } from 'node:events';
import http from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { register } from 'prom-client';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { formsFound } from '../../support/find-in-log.ts';
import { newSession } from '../../support/new-session.ts';
import { authorize, codeForm, refreshForm, signIn, type Tokens } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

interface Line {
  level: number;
  msg: string;
  requestId?: string;
  err?: { stack?: string };
}

let written: string[] = [];
const lines = () => written.map((line): Line => JSON.parse(line));
const app = await testApp({ logTo: { write: (line) => void written.push(line) } });
const { query } = pg.Client.prototype;
afterEach(() => {
  pg.Client.prototype.query = query;
});

const isAboveDebug = (line: string) => JSON.parse(line).level > 20;
const WARN = 40;
const ERROR = 50;

let requests: Record<string, { path: string; init?: RequestInit }>;
let tokens: Tokens;
beforeAll(async () => {
  tokens = await signIn(app);
  const bearer = { authorization: `Bearer ${tokens.access_token}` };
  const json = { ...bearer, 'content-type': 'application/json' };
  const started = await authorize(app);
  const secret = await newSession(app);
  const staff = { cookie: `fan_staff=${secret}`, 'x-console': '1', 'content-type': 'application/json' };
  const graphql = (document: string) => ({
    path: '/admin/graphql',
    init: { method: 'POST', headers: staff, body: JSON.stringify({ query: document }) },
  });
  const form = (path: string, fields: object) => ({
    path,
    init: { method: 'POST', body: new URLSearchParams(fields as Record<string, string>) },
  });
  const page = { headers: { accept: 'text/html' } };
  const call = (path: string, input: object) => ({
    path: `/login/${path}`,
    init: {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-session-id': started.sessionId, cookie: started.cookie },
      body: JSON.stringify(input),
    },
  });
  requests = {
    tickets: { path: '/fan/tickets', init: { headers: bearer } },
    listing: {
      path: '/fan/authorizations',
      init: { method: 'POST', headers: json, body: '{"type":"list","transactions":["00"]}' },
    },
    claim: { path: '/fan/claims/execute', init: { method: 'POST', headers: json, body: '{"tickets":[{"tx":"00"}]}' } },
    exchange: form('/oauth2/token', codeForm({ ...started, code: 'ac_unknown' })),
    refresh: form('/oauth2/token', refreshForm(app, 'rt_unknown')),
    revoke: form('/oauth2/revoke', { client_id: app.kit.client_id, token: 'rt_unknown' }),
    userinfo: { path: '/oauth2/userinfo', init: { headers: { authorization: 'Bearer none' } } },
    authorize: { path: '/oauth2/authorize?client_id=client_unknown', init: page },
    'authorize of a client': { path: `/oauth2/authorize?client_id=${app.kit.client_id}`, init: page },
    login: { path: `/login?session_id=${started.sessionId}`, init: page },
    'login state': {
      path: '/login/trpc/session.get',
      init: { headers: { 'x-session-id': started.sessionId, cookie: started.cookie } },
    },
    'send a code': call('trpc/phone.sendCode', { phone: 'none' }),
    'check a code': call('trpc/phone.verifyCode', { code: '1' }),
    logo: { path: `/login/logos/${app.kit.client_id}/none` },
    apps: { path: '/login/apps/trpc/apps.list', init: { headers: { cookie: 'fan_portal=po_none' } } },
    receipt: { path: '/login/apps/receipts/none.html', init: page },
    inbox: { path: '/login/inbox', init: page },
    'console, two fields': graphql('{ partners(first: 1) { totalCount } more: clients(first: 1) { totalCount } }'),
    'console, a wrong document': graphql('{ nothing }'),
    export: { path: '/admin/audit.csv', init: { headers: { cookie: `fan_staff=${secret}` } } },
    'staff link': { path: '/admin/auth/link?token=none', init: page },
    import: { path: '/admin/import', init: { method: 'POST', headers: { authorization: 'Bearer none' }, body: 'x' } },
    'no address': { path: '/none', init: page },
    'no JSON': { path: '/fan/authorizations', init: { method: 'POST', headers: json, body: '{' } },
    'a long body': {
      path: '/oauth2/token',
      init: { method: 'POST', body: new URLSearchParams({ code: 'x'.repeat(100_000) }) },
    },
  };
});

/** What each request leaves in the log at `warn` and above. */
async function sweep(): Promise<{ name: string; status: number; body: string; left: Line[] }[]> {
  const answers = [];
  for (const [name, { path, init }] of Object.entries(requests)) {
    written = [];
    const answer = await fetch(app.origin + path, { ...init, redirect: 'manual' });
    const body = await answer.text();
    const left = lines().filter(({ level }) => level >= WARN);
    answers.push({ name, status: answer.status, body, left });
  }
  return answers;
}

/** Each statement fails, but those that write the request log, whose line belongs to no request. */
function breakDatabase(error: Error): void {
  pg.Client.prototype.query = function broken(this: pg.Client, ...call: unknown[]) {
    const [statement] = call;
    const text = typeof statement === 'string' ? statement : String((statement as { text?: unknown }).text);
    if (text.includes('request_log')) return Reflect.apply(query, this, call);
    const callback = call.at(-1);
    if (typeof callback === 'function') return void process.nextTick(callback, error);
    return Promise.reject(error);
  } as typeof query;
}

describe('D-230: the log of failed requests', () => {
  it('has nothing at `error` where the caller is at fault, and one line at most', async () => {
    const answers = await sweep();
    expect(answers.filter(({ status }) => status >= 400).length).toBeGreaterThan(12);
    // this service has no cluster
    expect(answers.filter(({ status }) => status >= 500).map(({ name }) => name)).toEqual(['listing']);
    expect(answers.filter(({ left }) => left.length > 1)).toEqual([]);
    expect(answers.filter(({ status, left }) => status < 500 && left.some(({ level }) => level >= ERROR))).toEqual([]);
  });

  it.each(['/fan/tickets', '/fan/none', '/oauth2/token', '/login', '/none'])(
    'RFC 9110 §15.6.2: has nothing of a method that is not known here (%s), and no alert counts it',
    async (path) => {
      written = [];
      for (const method of ['TRACE', 'PROPFIND', 'REPORT']) {
        const request = http.request(app.origin + path, { method }).end();
        const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
        answer.resume();
        expect(answer.statusCode, method).toBe(501);
      }
      expect(written.filter(isAboveDebug)).toEqual([]);
      const unknown = (await register.metrics()).match(/^http_request_duration_seconds_count\{.*status="501"\}/gm);
      expect(unknown?.filter((series) => !series.includes('result="refused"'))).toEqual([]);
    },
  );

  it.each([
    ['an error that nobody expects', new Error('boom of the database')],
    ['a database that is down', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })],
  ])('%s: one line per failed request, with its id and one stack', async (_, error) => {
    breakDatabase(error);
    const answers = await sweep();
    const failed = answers.filter(({ status, body }) => status >= 500 || /"code":"(internal|unavailable)"/.test(body));
    expect(failed.length).toBeGreaterThan(10);
    const faults = answers.flatMap(({ name, left }) => {
      const stacks = left.filter(({ err }) => err?.stack !== undefined).length;
      const anonymous = left.filter(({ requestId }) => requestId === undefined);
      return left.length > 1 || stacks > 1 || anonymous.length > 0 ? [{ name, left: left.map(({ msg }) => msg) }] : [];
    });
    expect(faults).toEqual([]);
    expect(failed.filter(({ left }) => left.length !== 1).map(({ name }) => name)).toEqual([]);
  });
});

const SECRET = 'S3cr3t-of-this-test-0123456789';
const CREDENTIALS = `Authorization: Bearer ${SECRET}\r\nCookie: fan_browser=br_${SECRET}; fan_staff=${SECRET}\r\n`;
const FORM = `grant_type=refresh_token&refresh_token=rt_${SECRET}`;
const TYPE = 'Content-Type: application/x-www-form-urlencoded\r\n';

const TARGETS = [
  ...['/oauth2/token', '/oauth2/authorize', '/oauth2/userinfo', '/oauth2/revoke', '/.well-known/jwks.json'],
  ...['/fan/tickets', '/fan/authorizations', '/fan/claims/execute', '/fan/openapi.json', '/idl.json', '/clusters.json'],
  ...['/login', '/login/trpc/phone.sendCode', '/login/apps', '/login/apps/trpc/portal.state', '/login/inbox'],
  ...['/admin', '/admin/graphql', '/admin/auth/link', '/admin/audit.csv'],
  ...['/playground', '/healthz', '/readyz', '/none'],
];

/** Malformed requests, each with a secret in its header fields and its body. */
const request = (line: string, fields: string, body = '') =>
  `${line} HTTP/1.1\r\nHost: x\r\n${CREDENTIALS}${fields}\r\n${body}`;
const posted = (target: string, fields: string, body = FORM) => request(`POST ${target}`, `${TYPE}${fields}`, body);
const SHAPES: Record<string, (target: string) => string | Buffer> = {
  'a body longer than Content-Length': (target) => posted(target, 'Content-Length: 5\r\n'),
  'a body longer than Content-Length, of GET': (target) =>
    request(`GET ${target}`, `${TYPE}Content-Length: 5\r\n`, FORM),
  'a body of GET without Content-Length': (target) => request(`GET ${target}`, TYPE, FORM),
  'a bad chunk': (target) => posted(target, 'Transfer-Encoding: chunked\r\n', `zz\r\n${FORM}\r\n0\r\n\r\n`),
  'a chunk longer than it says': (target) =>
    posted(target, 'Transfer-Encoding: chunked\r\n', `3\r\n${FORM}\r\n0\r\n\r\n`),
  'Transfer-Encoding: identity': (target) => posted(target, 'Transfer-Encoding: identity\r\n'),
  'both Content-Length and Transfer-Encoding': (target) =>
    posted(target, 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'),
  'two Content-Lengths': (target) => posted(target, 'Content-Length: 5\r\nContent-Length: 6\r\n'),
  'a header line without a colon': (target) => request(`GET ${target}`, `${SECRET}\r\n`),
  'a header line with a NUL': (target) => request(`GET ${target}`, `X: \0${SECRET}\r\n`),
  'a folded header line': (target) => request(`GET ${target}`, `X: a\r\n  ${SECRET}\r\n`),
  'another version of HTTP': (target) => request(`GET ${target}`, '').replace('HTTP/1.1', 'HTTP/9.7'),
  'a method that nobody knows': (target) => request(`FOO ${target}`, ''),
  'a request line of one word': () => `${SECRET}\r\n${CREDENTIALS}\r\n`,
  'garbage after a request': (target) => request(`GET ${target}`, '', `\x01\x02${SECRET}\r\n\r\n`),
  'header fields of 100 kB': (target) => request(`GET ${target}`, `X: ${'x'.repeat(100_000)}\r\n`),
  'a URL of 100 kB': (target) => request(`GET ${target}?${'x'.repeat(100_000)}&t=${SECRET}`, ''),
  CONNECT: (target) => request(`CONNECT ${target}`, '', SECRET),
  'bytes of TLS': () =>
    Buffer.concat([Buffer.from([0x16, 3, 1, 0, 200, 1, 0]), Buffer.from(SECRET), Buffer.alloc(64, 9)]),
};

const open = () => connect(app.config.port, 'localhost').on('error', () => {});

/** Sends bytes as they are, closing afterwards. @returns what came back */
async function send(bytes: string | Buffer): Promise<string> {
  const socket = open();
  socket.end(bytes);
  return Promise.race([text(socket).catch(() => ''), sleep(3_000).then(() => 'no end')]).finally(() =>
    socket.destroy(),
  );
}

/** Sends a part of an announced body and goes away. */
async function breakOff(target: string): Promise<void> {
  const socket = open();
  socket.write(`POST ${target} HTTP/1.1\r\nHost: x\r\n${CREDENTIALS}${TYPE}Content-Length: 5000\r\n\r\n${FORM}`);
  await sleep(30);
  socket.resetAndDestroy();
  await sleep(30);
}

describe('a malformed request', () => {
  it.each(Object.keys(SHAPES))('%s: no surface logs a secret of it, and none logs it above debug', async (name) => {
    written = [];
    for (const target of TARGETS) {
      await send(SHAPES[name]?.(target) ?? '');
      expect(formsFound(written.join(''), SECRET), target).toEqual([]);
      expect(written.filter(isAboveDebug), target).toEqual([]);
    }
  });

  it('an upload that breaks off is no error, and the next call is answered', async () => {
    written = [];
    await Promise.all(TARGETS.map(breakOff));
    expect((await fetch(`${app.origin}/healthz`)).status).toBe(200);
    expect(written.filter(isAboveDebug)).toEqual([]);
    expect(formsFound(written.join(''), SECRET)).toEqual([]);
  });
});

const packet = Buffer.from(`GET / HTTP/1.1\r\nAuthorization: Bearer ${SECRET}\r\n\r\n`);
it.each([
  ['text', packet.toString()],
  ['hex', packet.toString('hex')],
  ['byte array', JSON.stringify({ rawPacket: packet })],
  ['byte array', JSON.stringify({ rawPacket: new Uint8Array(packet) })],
  ...[0, 1, 2].map((skip) => ['base64', packet.subarray(skip).toString('base64')]),
  ...[0, 1, 2].map((skip) => ['base64url', packet.subarray(skip).toString('base64url')]),
])('the search of these tests finds a secret as %s', (form, log = '') => {
  expect(formsFound(log, SECRET)).toContain(form);
});
