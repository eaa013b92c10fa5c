import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { loginRouter } from '../../../../adapters/fan-pages/login/router.ts';
import { portalRouter } from '../../../../adapters/fan-pages/portal/router.ts';
import { FAN_OPERATIONS as DESCRIBED } from '../../../../adapters/partner-api/fan/openapi/fan-operations.ts';
import { CHAIN_FIXES } from '../../../../src/platform/chain-error.ts';
import { ERRORS } from '../../../../src/platform/errors.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { newId, uuidOf } from '../../../../src/platform/identifier/type-id.ts';
import { OAUTH_FIXES } from '../../../../src/platform/oauth-error.ts';
import type { ActivityEntry } from '../../../../src/record/activity/activity-log.ts';
import { fixOf, MESSAGES_WITH_FIX } from '../../../../src/record/activity/fix-of.ts';
import { OPERATIONS } from '../../../../src/record/activity/operation-texts.ts';
import {
  describeOperation,
  describeWithReason,
  FAN_OPERATIONS,
  labelOf,
  OPERATION_NAMES,
  operationOf,
  operationsNamed,
} from '../../../../src/record/activity/operations.ts';
import { readDashboard } from '../../../../src/record/activity/read-dashboard.ts';
import { readTimeline } from '../../../../src/record/activity/read-timeline.ts';
import { redactMessage } from '../../../../src/record/activity/redact-message.ts';
import {
  countRequests,
  listRequests,
  type RequestListFilter,
  refusalsInLog,
} from '../../../../src/record/activity/request-list.ts';
import { makeClient } from '../../../support/make-client.ts';
import { testApp } from '../../../support/test-app.ts';

const HOUR = 3_600_000;
/** Each operation with each outcome, by the status of the outcome. */
const KINDS = [
  ['tickets.list', 'ok', 200],
  ['tickets.list', 'access_token_expired', 401],
  ['listings.sign', 'ok', 200],
  ['listings.sign', 'version_unknown', 400],
  ['token.exchange', 'invalid_request', 400],
  ['token.refresh', 'internal', 500],
] as const;

const app = await testApp();
const own = app.kit.client_id;
const production = await makeClient(app, { mode: 'production', redirectUris: ['https://big.example/cb'] });
// so that some rows are in the first partition of the log, and the others in its days
app.advance(20 * 86_400);
const now = app.runtime.now();
const written: ActivityEntry[] = [];
for (let n = 0; n < 360; n++) {
  const [operation, outcome, status] = KINDS[n % KINDS.length] ?? KINDS[0];
  const client = [own, production, undefined][n % 3];
  written.push({
    id: randomUUID(),
    // two requests of one moment, back to 25 days ago
    at: new Date(Math.floor(now.getTime() / 1000) * 1000 - Math.floor(n / 2) ** 2 * 60_000),
    operation,
    method: 'GET',
    status,
    outcome,
    path: null,
    message: outcome === 'ok' ? null : `told ${n}`,
    durationMs: n % 40,
    client: client === undefined ? null : uuidOf('client', knownId('client', client)),
    grant: null,
    fan: null,
    session: null,
  });
}
for (const entry of written) app.runtime.activity.record(entry);
await app.runtime.activity.flush();

describe('the list of requests', () => {
  /** What a filter should leave, newest first. */
  function expected({ clientId, mode, operation, outcome, status, from, to }: RequestListFilter): ActivityEntry[] {
    const groups: Record<string, string[]> = {
      fan: ['tickets.list', 'listings.sign'],
      token: ['token.exchange', 'token.refresh'],
    };
    const ofMode = mode && (mode === 'sandbox' ? own : production);
    const client = clientId ?? ofMode;
    const uuid = client && uuidOf('client', knownId('client', client));
    const classOf = new RegExp(`^${status?.replaceAll('x', '\\d')}$`);
    return written
      .filter((entry) => uuid === undefined || entry.client === uuid)
      .filter((entry) => operation === undefined || (groups[operation] ?? [operation]).includes(entry.operation))
      .filter(({ outcome: is }) => outcome === undefined || (outcome === 'failed' ? is !== 'ok' : is === outcome))
      .filter((entry) => status === undefined || classOf.test(String(entry.status)))
      .filter(({ at }) => (from === undefined || at >= from) && (to === undefined || at < to))
      .toSorted((one, other) => other.at.getTime() - one.at.getTime() || (one.id < other.id ? 1 : -1));
  }

  const ago = (hours: number) => new Date(now.getTime() - hours * HOUR);

  const FILTERS: [string, () => RequestListFilter][] = [
    ['nothing', () => ({})],
    ['a client', () => ({ clientId: knownId('client', own) })],
    ['a mode', () => ({ mode: 'production' })],
    ['an operation', () => ({ operation: 'tickets.list' })],
    ['a group of operations', () => ({ operation: 'fan' })],
    ['success', () => ({ outcome: 'ok' })],
    ['failure', () => ({ outcome: 'failed' })],
    ['one code', () => ({ outcome: 'version_unknown' })],
    ['a code that never came', () => ({ outcome: 'wrong_code' })],
    ['a status', () => ({ status: '401' })],
    ['a class of statuses', () => ({ status: '4xx' })],
    ['from', () => ({ from: ago(30) })],
    ['until', () => ({ to: ago(50) })],
    ['a time', () => ({ from: ago(200.3), to: ago(1.7) })],
    [
      'all of it',
      () => {
        const kind = { operation: 'listings.sign', outcome: 'failed', status: '4xx' };
        return { clientId: knownId('client', own), ...kind, from: ago(300), to: ago(2) };
      },
    ],
    ['a mode and a kind', () => ({ mode: 'production', outcome: 'failed', operation: 'fan', from: ago(100) })],
    ['kind and time', () => ({ outcome: 'failed', from: ago(20.5), to: ago(0.5) })],
  ];

  it.each(FILTERS)('filtered by %s: page by page, back again, and counted', async (_, make) => {
    const context = app.context();
    const filter = make();
    const wanted = expected(filter).map(({ id }) => id);
    const seen: string[] = [];
    let beyond: { at: Date; id: string } | undefined;
    for (let page = 0; page < 100; page++) {
      const rows = await listRequests(context, filter, { direction: 'newest', beyond, limit: 37 });
      seen.push(...rows.map(({ id }) => id));
      beyond = rows.at(-1);
      if (rows.length < 37) break;
    }
    expect(seen).toEqual(wanted);
    const oldest = await listRequests(context, filter, { direction: 'oldest', limit: 20 });
    expect(oldest.map(({ id }) => id)).toEqual(wanted.toReversed().slice(0, 20));
    expect(await countRequests(context, filter, 1_000)).toBe(wanted.length);
    expect(await countRequests(context, filter, 3)).toBe(Math.min(3, wanted.length));
  });

  it.each([
    [{ operation: 'no.such' }, /operation/],
    [{ operation: 'constructor' }, /operation/],
    [{ outcome: "ok' or 1=1" }, /outcome/],
    [{ status: '9xx' }, /status/],
    [{ status: '40' }, /status/],
  ])('%o is refused by name', async (filter, message) => {
    await expect(listRequests(app.context(), filter, { direction: 'newest', limit: 1 })).rejects.toThrow(message);
  });

  it('the codes that there are can be chosen from', async () => {
    const codes = ['access_token_expired', 'internal', 'invalid_request', 'version_unknown'];
    expect(await refusalsInLog(app.context())).toEqual(codes);
  });

  it('a client’s timeline has the same filters', async () => {
    for (const filter of [
      { outcome: 'failed' },
      { status: '4xx', operation: 'fan' },
      { outcome: 'ok', from: ago(99) },
    ]) {
      const subject = { kind: 'client', id: knownId('client', own) } as const;
      const { entries } = await readTimeline(app.context(), [subject], { limit: 500 }, filter);
      const requests = entries.flatMap(({ kind, references }) => (kind === 'request' ? [references.requestId] : []));
      const wanted = expected({ ...filter, clientId: subject.id }).map(({ id }) => id);
      expect(requests.toSorted()).toEqual(wanted.toSorted());
    }
  });

  it('latencies are of one client or of all, and say since when there are any', async () => {
    const context = app.context();
    for (const clientId of [undefined, knownId('client', own)]) {
      const { latency, latencySince } = await readDashboard(context, { clientId, period: 'month' });
      const times = expected({ operation: 'tickets.list', ...(clientId && { clientId }) })
        .map(({ durationMs }) => durationMs)
        .toSorted((one, other) => one - other);
      const tickets = latency.find(({ operation }) => operation === 'tickets.list');
      expect(tickets).toMatchObject({ label: 'GET /tickets', count: times.length });
      for (const [name, share] of Object.entries({ p50: 0.5, p95: 0.95, p99: 0.99 })) {
        const exact = times[Math.ceil(share * times.length) - 1] ?? 0;
        expect(Math.abs((Number(tickets?.[name as 'p50']) || 0) - exact)).toBeLessThanOrEqual(exact / 8);
      }
      expect(latencySince).toBeUndefined();
    }
    await app.runtime.pool.query(`delete from latency where bucket < $1`, [ago(48)]);
    const { latencySince } = await readDashboard(context, { period: 'month' });
    expect(latencySince?.getTime()).toBeGreaterThanOrEqual(ago(72).getTime());
  });
});

describe('the list of operations', () => {
  it('a refusal is shown in the words that the caller got, and in those of its code where they were not kept', () => {
    const told = 'The app tried to exchange a code for tokens: code is invalid or expired.';
    expect(describeWithReason('token.exchange', 'invalid_request', 'code is invalid or expired')).toBe(told);
    const coded = 'The app tried to read the tickets: grant revoked.';
    expect(describeWithReason('tickets.list', 'grant_revoked', null)).toBe(coded);
    expect(describeWithReason('tickets.list', 'ok', null)).toBe('The app read the tickets.');
    expect(describeWithReason('gone.operation', 'not_found', 'There is none.')).toBe('gone.operation: There is none.');
  });

  it.each([
    ['login', Object.keys(loginRouter._def.procedures)],
    ['portal', Object.keys(portalRouter._def.procedures)],
  ])('has every procedure of the %s pages: none is logged as something else', (page, procedures) => {
    expect(procedures.length).toBeGreaterThan(5);
    expect(procedures.filter((name) => operationOf(`${page}.${name}`) === 'other')).toEqual([]);
  });

  it('has every call of the Fan API in its group, which the last use of a grant and the charts are read from', () => {
    const described = DESCRIBED.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    const labels = FAN_OPERATIONS.map((name) => OPERATIONS[name][0] as string);
    expect(described.filter((call) => !labels.includes(call))).toEqual([]);
  });

  it('has a group of all calls but those of the console and the files of pages', () => {
    const shown = operationsNamed('not_console');
    expect(OPERATION_NAMES.filter((name) => !(shown as string[]).includes(name))).toEqual([
      'graphql.query',
      'graphql.mutation',
      'page.file',
    ]);
  });

  it('is closed: a name that a caller made up is `other`, also one that every object has', () => {
    for (const name of ['login.no.such', 'constructor', '__proto__', 'toString', ''])
      expect(operationOf(name)).toBe('other');
  });

  it('fits its column, and describes every operation in a sentence, done or refused', () => {
    for (const operation of OPERATION_NAMES) {
      expect(operation.length).toBeLessThanOrEqual(40);
      expect(describeOperation(operation, 'ok')).toMatch(/^[A-Z][^[|\]]*[^.]\.$/);
      expect(describeOperation(operation, 'grant_revoked')).toMatch(/^[A-Z][^:[|\]]*[^.]\.$/);
      expect(labelOf(operation)).toMatch(/^\S.*\S$/);
    }
  });
});

const SENTENCES = /^[A-Z].*[^.]\.$/;

describe('what to tell a partner', () => {
  it.each([
    ['tickets.list', Object.keys(ERRORS)],
    ['login.phone.sendCode', Object.keys(ERRORS)],
    ['graphql.mutation', Object.keys(ERRORS)],
    ['listings.sign', [...Object.keys(CHAIN_FIXES), ...Object.keys(ERRORS)]],
    ['claims.execute', [...Object.keys(CHAIN_FIXES), ...Object.keys(ERRORS)]],
    ['token.exchange', [...Object.keys(OAUTH_FIXES), 'server_error', 'rate_limited', 'unavailable']],
    ['authorize.start', [...Object.keys(OAUTH_FIXES), 'internal', 'unavailable']],
  ])('%s: every code has a fix, in whole sentences', (operation, codes) => {
    for (const outcome of codes) {
      expect(fixOf({ operation, outcome, message: null }), outcome).toMatch(SENTENCES);
    }
  });

  it('invalid_request is explained by its message, which is one that the code sends', async () => {
    const folder = new URL('../../../../src/oauth/token/', import.meta.url);
    const names = [...(await readdir(folder)), '../../sign-in/authorization/authorize-request.ts'];
    const files = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
    const source = files.join('\n');
    const general = fixOf({ operation: 'token.exchange', outcome: 'invalid_request', message: 'code is required' });
    for (const message of MESSAGES_WITH_FIX) {
      expect(source).toContain(`'${message}'`);
      const fix = fixOf({ operation: 'token.exchange', outcome: 'invalid_request', message });
      expect(fix).toMatch(SENTENCES);
      expect(fix).not.toBe(general);
    }
  });

  it('the same code has the fix of the endpoint that answered it', () => {
    const of = (operation: string) => fixOf({ operation, outcome: 'invalid_request', message: null });
    expect(of('token.exchange')).toBe(OAUTH_FIXES.invalid_request);
    expect(of('tickets.list')).toBe(ERRORS.invalid_request.fix);
  });

  it('what went well has none, and neither has an unknown code', () => {
    expect(fixOf({ operation: 'tickets.list', outcome: 'ok', message: null })).toBeUndefined();
    for (const outcome of ['http_418', 'constructor', '__proto__'])
      expect(fixOf({ operation: 'tickets.list', outcome, message: outcome })).toBeUndefined();
  });
});

const random = (encoding: 'hex' | 'base64' | 'base64url', bytes = 32) => randomBytes(bytes).toString(encoding);

describe('messages of the request log', () => {
  it.each([
    ['an authorization code', () => `ac_${random('base64url')}`],
    ['a refresh token', () => `rt_${random('base64url')}`],
    ['a staff token', () => `st_${random('base64url')}`],
    ['a JWT', () => `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.${random('base64url', 256)}`],
    ['a part of a JWT', () => `eyJhbGciOiJSUzI1NiIsImtpZCI6ImEifQ`],
    ['a verifier', () => random('base64url')],
    ['hex', () => random('hex')],
    ['base64', () => random('base64', 48)],
    ['a short secret', () => `${random('hex', 10)}a1`],
    ['a phone number', () => '+4915112345678'],
    ['a phone number with gaps', () => '+1 (415) 555-0132'],
    ['a phone number in Arabic digits', () => '٠٠٤٩ ١٥١ ١٢٣٤٥٦٧٨'],
    ['a phone number in full-width digits', () => '＋４９１５１１２３４５６７８'],
  ])('%s is left out, wherever it stands', (_, make) => {
    for (let round = 0; round < 50; round++) {
      const secret = make();
      for (const message of [
        `There is no /tickets/${secret} here.`,
        `there is no /${secret} here`,
        `${secret} must not be given more than once`,
        `must not have the field ${secret}, b`,
        `"${secret}"`,
        `x=${secret}&y`,
        secret,
      ]) {
        const kept = redactMessage(message);
        expect(kept).not.toContain(secret);
        expect(kept).not.toContain(secret.slice(-16));
        expect(kept).toContain('…');
      }
    }
  });

  it('a phone number is left out of a path also where it is percent-encoded or has no plus', () => {
    for (const path of [
      '/fans/%2B4915112345678',
      '/fans/4915112345678',
      '/fans/004915112345678',
      '/fans?p=4915112345678',
    ])
      expect(redactMessage(`There is no ${path} here.`)).not.toMatch(/\d{5}/);
  });

  it.each([
    'code is invalid or expired',
    'transactions[0]: only legacy and version 0 transactions are known (version 42)',
    'Content-Type must be application/x-www-form-urlencoded.',
    'The access token does not include the required scope fan:listings:write.',
    'tickets[3].tx: the compute unit price stays within the cap (50000000000 micro-lamports, cap 10000000)',
    'transactions[0]: a listing names a marketplace that can sign the sale: no program, no sysvar, no account of the ticket program',
    'Too many requests; try again in 59 s.',
    'There is no /v1/tickets here.',
    'transactions must be a list of 1 to 4 strings',
  ])('what our rules say stays as it is: %s', (message) => {
    expect(redactMessage(message)).toBe(message);
  });

  it('addresses, identifiers and request IDs stay: support needs them, and they are no secrets', () => {
    const names = [bs58.encode(randomBytes(32)), newId('client'), newId('usr'), crypto.randomUUID()];
    for (const name of names)
      expect(redactMessage(`instruction 1 calls ${name}.`)).toBe(`instruction 1 calls ${name}.`);
  });

  it('the host of a URL stays, and a secret in its path does not', () => {
    expect(redactMessage('Sent: https://shop-7f3a9c2-team42.preview.example/cb')).toBe(
      'Sent: https://shop-7f3a9c2-team42.preview.example/cb',
    );
    const secret = random('hex');
    expect(redactMessage(`Sent: https://a1.example/${secret}/cb`)).toBe('Sent: https://a1.example/…/cb');
    expect(redactMessage(`There is no //${secret} here.`)).not.toContain(secret);
  });

  it('500 characters are kept, without what the database can not store', () => {
    expect(redactMessage('a b '.repeat(10_000))).toHaveLength(500);
    expect(redactMessage('a\0b \ud800c')).toBe('ab \ufffdc');
    const secret = random('hex', 600);
    expect(redactMessage(`${'word '.repeat(98)}${secret}`)).not.toMatch(/[0-9a-f]{10}/);
  });
});
