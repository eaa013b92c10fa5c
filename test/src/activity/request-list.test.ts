import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityEntry } from '../../../src/activity/activity-log.ts';
import { countRequests } from '../../../src/activity/count-requests.ts';
import { readDashboard } from '../../../src/activity/read-dashboard.ts';
import { readTimeline } from '../../../src/activity/read-timeline.ts';
import { listRequests, type RequestListFilter, refusalsInLog } from '../../../src/activity/request-list.ts';
import { knownId } from '../../../src/identifier/known-id.ts';
import { uuidOf } from '../../../src/identifier/type-id.ts';
import { makeClient } from '../../support/make-client.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';

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

let app: TestApp;
let now: Date;
let own: string;
let production: string;
const written: ActivityEntry[] = [];

beforeAll(async () => {
  app = await startApp();
  own = app.kit.client_id;
  production = await makeClient(app, {
    name: 'Big House',
    mode: 'production',
    status: 'enabled',
    redirectUris: ['https://big.example/cb'],
  });
  now = app.runtime.now();
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
}, 60_000);
afterAll(() => app.stop());

/** What a filter should leave, newest first. */
function expected({ clientId, mode, operation, outcome, status, from, to }: RequestListFilter): ActivityEntry[] {
  const groups: Record<string, string[]> = {
    fan: ['tickets.list', 'listings.sign'],
    token: ['token.exchange', 'token.refresh'],
  };
  const clients = clientId ? [clientId] : mode === 'sandbox' ? [own] : mode === 'production' ? [production] : undefined;
  const uuids = clients?.map((id) => uuidOf('client', knownId('client', id)));
  return written
    .filter((entry) => uuids === undefined || (entry.client !== null && (uuids as string[]).includes(entry.client)))
    .filter((entry) => operation === undefined || (groups[operation] ?? [operation]).includes(entry.operation))
    .filter(
      (entry) => outcome === undefined || (outcome === 'failed' ? entry.outcome !== 'ok' : entry.outcome === outcome),
    )
    .filter(
      (entry) => status === undefined || new RegExp(`^${status.replaceAll('x', '\\d')}$`).test(String(entry.status)),
    )
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
    () => ({
      clientId: knownId('client', own),
      operation: 'listings.sign',
      outcome: 'failed',
      status: '4xx',
      from: ago(300),
      to: ago(2),
    }),
  ],
  ['a mode and a kind', () => ({ mode: 'production', outcome: 'failed', operation: 'fan', from: ago(100) })],
  ['kind and time', () => ({ outcome: 'failed', from: ago(20.5), to: ago(0.5) })],
];

describe('the list of requests', () => {
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
    expect(await refusalsInLog(app.context())).toEqual([
      'access_token_expired',
      'internal',
      'invalid_request',
      'version_unknown',
    ]);
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

  it('latencies are of what was measured, of one client and of all; what was not is told', async () => {
    const context = app.context();
    for (const clientId of [undefined, knownId('client', own)]) {
      const { latency, latencySince } = await readDashboard(context, { clientId, period: 'month' });
      const times = expected({ operation: 'tickets.list', ...(clientId && { clientId }) })
        .map(({ durationMs }) => durationMs)
        .toSorted((one, other) => one - other);
      const tickets = latency.find(({ operation }) => operation === 'tickets.list');
      expect(tickets).toMatchObject({ label: 'GET /tickets', count: times.length });
      for (const [name, share] of [
        ['p50', 0.5],
        ['p95', 0.95],
        ['p99', 0.99],
      ] as const) {
        const exact = times[Math.ceil(share * times.length) - 1] ?? 0;
        expect(Math.abs((tickets?.[name] ?? -100) - exact)).toBeLessThanOrEqual(exact / 8);
      }
      expect(latencySince).toBeUndefined();
    }
    await app.runtime.pool.query(`delete from latency where bucket < $1`, [ago(48)]);
    const { latencySince } = await readDashboard(context, { period: 'month' });
    expect(latencySince?.getTime()).toBeGreaterThanOrEqual(ago(72).getTime());
  });
});
