import { describe, expect, it } from 'vitest';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { uuidOf } from '../../../../src/platform/identifier/type-id.ts';
import { latencyQuantile, latencySlot } from '../../../../src/record/activity/latency.ts';
import {
  PERIOD_NAMES,
  readDashboard,
  readFailingClients,
  type Series,
} from '../../../../src/record/activity/read-dashboard.ts';
import { AT_ONCE_MS, fastestOf } from '../../../support/fastest-of.ts';
import { makeClient } from '../../../support/make-client.ts';
import { callFan, postForm, refreshForm, signIn } from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';

const app = await testApp();
const production = await makeClient(app, { mode: 'production', redirectUris: ['https://big.example/cb'] });

function totals(series: Series[]): Record<string, number> {
  return Object.fromEntries(series.map(({ name, total }) => [name, total]));
}

async function addTraffic(traits: {
  at: Date;
  operation: string;
  status: number;
  outcome: string;
  count: number;
  client?: string;
}): Promise<void> {
  const { at, client, operation, status, outcome, count } = traits;
  await app.context().em.execute(
    `insert into traffic (span_minutes, bucket, client_id, operation, status, outcome, count, total_ms)
     select span, date_bin(make_interval(mins => span), ?::timestamptz, timestamptz 'epoch'), ?, ?, ?, ?, ?, 0
     from (values (5), (60), (1440)) as spans (span)
     on conflict (span_minutes, bucket, client_id, operation, status, outcome)
     do update set count = traffic.count + excluded.count`,
    [at, client === undefined ? null : uuidOf('client', knownId('client', client)), operation, status, outcome, count],
  );
}

describe('the charts', () => {
  it('count a sign-in, its tokens and its calls from what was really asked', async () => {
    const tokens = await signIn(app);
    await callFan(app, '/tickets', tokens.access_token);
    await callFan(app, '/tickets', tokens.access_token);
    await callFan(app, '/claims/execute', tokens.access_token, { method: 'POST' });
    await postForm(app, '/oauth2/token', refreshForm(app, tokens.refresh_token));
    await postForm(app, '/oauth2/token', refreshForm(app, 'rt_wrong'));
    await app.runtime.activity.flush();
    for (const choice of [{}, { clientId: app.kit.client_id }]) {
      const shown = await readDashboard(app.context(), { ...choice, period: 'hour' });
      expect(totals(shown.funnel)).toEqual({ started: 1, code_sent: 1, verified: 1, consented: 1, tokens: 1 });
      expect(totals(shown.tokens)).toEqual({ exchanged: 1, refreshed: 1, refused: 1 });
      expect(totals(shown.calls)).toEqual({ '2xx': 2, '4xx': 1, '5xx': 0 });
      expect(totals(shown.sms)).toEqual({ sent: 0, verified: 0 });
      expect(totals(shown.claims)).toEqual({ pending: 0, submitted: 0, confirmed: 0, failed: 0 });
    }
    const other = await readDashboard(app.context(), { clientId: knownId('client', production), period: 'hour' });
    expect(other.funnel.every(({ total }) => total === 0)).toBe(true);
  });

  it.each([
    ['hour', 12, 300_000],
    ['day', 24, 3_600_000],
    ['month', 30, 86_400_000],
  ] as const)(
    'the last %s has %i buckets side by side, the last one with the present in it, empty ones 0',
    async (period, count, length) => {
      const now = app.runtime.now();
      const clientId = knownId('client', production);
      const { buckets, calls } = await readDashboard(app.context(), { clientId, period });
      expect(buckets).toHaveLength(count);
      for (const [index, bucket] of buckets.entries()) {
        expect(bucket.getTime() % length).toBe(0);
        if (index > 0) expect(bucket.getTime() - (buckets[index - 1]?.getTime() ?? 0)).toBe(length);
      }
      const last = buckets.at(-1)?.getTime() ?? 0;
      expect(now.getTime()).toBeGreaterThanOrEqual(last);
      expect(now.getTime()).toBeLessThan(last + length + 60_000);
      expect(calls.map(({ values }) => values)).toEqual(calls.map(() => buckets.map(() => 0)));
    },
  );

  it('what happened before the first bucket is not counted, what happened in it is', async () => {
    const client = await makeClient(app, { name: 'Edge' });
    const { buckets } = await readDashboard(app.context(), { clientId: client, period: 'day' });
    const first = buckets[0] ?? new Date();
    const call = { client, operation: 'tickets.list', status: 200, outcome: 'ok' };
    await addTraffic({ ...call, at: new Date(first.getTime() - 1), count: 100 });
    await addTraffic({ ...call, at: first, count: 3 });
    await addTraffic({ ...call, at: new Date(first.getTime() + 3_599_999), count: 4 });
    const shown = await readDashboard(app.context(), { clientId: client, period: 'day' });
    expect(shown.calls[0]).toMatchObject({ name: '2xx', total: 7 });
    expect(shown.calls[0]?.values[0]).toBe(7);
  });

  it('SMS conversion is of production: sandbox sends none', async () => {
    const at = app.runtime.now();
    const sent = { at, operation: 'login.phone.sendCode', status: 200, outcome: 'ok' };
    await addTraffic({ ...sent, client: production, count: 40 });
    await addTraffic({ ...sent, client: production, outcome: 'rate_limited', status: 429, count: 9 });
    await addTraffic({ ...sent, client: production, operation: 'login.phone.verifyCode', count: 31 });
    const { sms } = await readDashboard(app.context(), { period: 'month' });
    expect(totals(sms)).toEqual({ sent: 40, verified: 31 });
  });

  it('refused co-signatures are counted by reason, the most frequent first, rare ones together', async () => {
    const client = await makeClient(app, { name: 'Refused' });
    const at = app.runtime.now();
    for (let reason = 1; reason <= 10; reason++) {
      const outcome = `reason_${reason}`;
      await addTraffic({ at, client, operation: 'listings.sign', status: 400, outcome, count: reason });
    }
    const { refusals } = await readDashboard(app.context(), { clientId: client, period: 'hour' });
    expect(refusals.map(({ name, total }) => [name, total])).toEqual([
      ...[10, 9, 8, 7, 6, 5, 4, 3].map((reason) => [`reason_${reason}`, reason]),
      ['others', 3],
    ]);
  });
});

it('a production client fails when more than half of at least 20 calls of the last hour did not succeed', async () => {
  const at = app.runtime.now();
  const clientWith = async (traits: { mode?: 'sandbox'; ok: number; refused: number; at?: Date }) => {
    const { mode = 'production', ok, refused } = traits;
    const redirectUris = ['https://fails.example/cb'];
    const client = await makeClient(app, { name: `Fails ${refused}`, mode, redirectUris });
    const call = { client, at: traits.at ?? at, operation: 'token.refresh' };
    await addTraffic({ ...call, status: 200, outcome: 'ok', count: ok });
    await addTraffic({ ...call, status: 400, outcome: 'invalid_grant', count: refused });
    return client;
  };
  const failing = await clientWith({ ok: 9, refused: 11 });
  await clientWith({ ok: 10, refused: 10 });
  await clientWith({ ok: 0, refused: 19 });
  await clientWith({ ok: 0, refused: 30, mode: 'sandbox' });
  await clientWith({ ok: 0, refused: 40, at: new Date(at.getTime() - 3_900_000) });
  expect(await readFailingClients(app.context())).toEqual([
    { client_id: uuidOf('client', knownId('client', failing)), calls: 20, failed: 11 },
  ]);
});

it('with 50 clients and 30 days of traffic every chart is there at once, of one client and of all', {
  timeout: 120_000,
}, async () => {
  const clients = await Promise.all(
    Array.from({ length: 50 }, (_, index) => makeClient(app, { name: `Crowd ${index}` })),
  );
  const { pool } = app.runtime;
  const ids = clients.map((id) => uuidOf('client', id));
  await pool.query(
    `insert into traffic (span_minutes, bucket, client_id, operation, status, outcome, count, total_ms)
     select span, bucket, client_id, operation, case when outcome = 'ok' then 200 else 400 end, outcome, 7, 70
     from (select 5 as span, date_bin('5 minutes', b, timestamptz 'epoch') as bucket from generate_series(now() - interval '2 hours', now(), interval '5 minutes') b
           union all select 60, date_bin('1 hour', b, timestamptz 'epoch') from generate_series(now() - interval '25 hours', now(), interval '1 hour') b
           union all select 1440, date_bin('1 day', b, timestamptz 'epoch') from generate_series(now() - interval '30 days', now(), interval '1 day') b) spans,
       unnest($1::uuid[]) as client_id,
       unnest(array['authorize.start', 'login.phone.sendCode', 'token.exchange', 'token.refresh', 'tickets.list', 'listings.sign']) as operation,
       unnest(array['ok', 'invalid_request', 'not_found']) as outcome`,
    [ids],
  );
  const grants = await pool.query<{ id: string }>(
    `insert into consent_grant (id, fan_id, client_id, scope, actions, consented_actions, mode, ticket_ids, created_at, ends_after)
     select gen_random_uuid(), (select id from fan limit 1), c, '', '{}', '{}', 'all_current_future', '{}', now(), now()
     from unnest($1::uuid[]) c returning id`,
    [ids],
  );
  const grantIds = grants.rows.map(({ id }) => id);
  await pool.query(
    `insert into claim (id, signature, grant_id, permit_id, signer_wallet, destination_wallet, transaction, recent_blockhash,
       state, created_at, updated_at)
     select gen_random_uuid(), 's' || n, ($1::uuid[])[1 + n % 50], (select id from permit limit 1), 'w', 'w', '', 'b',
       case when n % 9 = 0 then 'failed' else 'confirmed' end, now(), now() - n * interval '60 seconds'
     from generate_series(1, 30000) n`,
    [grantIds],
  );
  await pool.query(
    `insert into listing_signature (message_hash, permit_id, grant_id, action, sentence, signed_at)
     select 'h' || n, (select id from permit limit 1), ($1::uuid[])[1 + n % 50], 'list', '', now() - n * interval '60 seconds'
     from generate_series(1, 30000) n`,
    [grantIds],
  );
  await pool.query('analyze traffic, claim, listing_signature, consent_grant');
  const figures: Record<string, number> = {};
  for (const period of PERIOD_NAMES) {
    for (const clientId of [undefined, clients[7]]) {
      figures[`${period} of ${clientId === undefined ? 'all' : 'one'}`] = await fastestOf(() =>
        readDashboard(app.context(), { clientId, period }),
      );
    }
  }
  const month = await readDashboard(app.context(), { period: 'month' });
  expect(month.calls[0]?.total).toBeGreaterThanOrEqual(2 * 7 * 50 * 29);
  for (const [chart, ms] of Object.entries(figures)) expect(ms, chart).toBeLessThan(AT_ONCE_MS);
});

function countsOf(times: readonly number[]): number[] {
  const counts: number[] = [];
  for (const time of times) counts[latencySlot(time)] = (counts[latencySlot(time)] ?? 0) + 1;
  return Array.from(counts, (count) => count ?? 0);
}

function exactQuantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? Number.NaN;
}

/** Mulberry32: the same numbers in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe('the slots of latencies', () => {
  it('follow each other without gaps or overlaps, up to a last one for all that is longer', () => {
    let last = 0;
    for (let ms = 1; ms < 70_000; ms++) {
      const slot = latencySlot(ms);
      expect(slot - last === 0 || slot - last === 1, String(ms)).toBe(true);
      last = slot;
    }
    expect(latencySlot(10 ** 9)).toBe(last);
    expect(latencySlot(-1)).toBe(0);
  });

  it('no slot is wider than an eighth of its shortest time', () => {
    let shortest = 0;
    for (let ms = 1; ms < 65_536; ms++) {
      if (latencySlot(ms) !== latencySlot(shortest)) shortest = ms;
      expect(ms - shortest, String(ms)).toBeLessThanOrEqual(shortest / 8);
    }
  });
});

describe('quantiles from slots', () => {
  const spreads: [string, (random: () => number) => number][] = [
    ['even times', (random) => random() * 900],
    ['a long tail', (random) => 4 / (random() + 0.0005)],
    ['two humps', (random) => (random() < 0.9 ? 3 + random() * 4 : 2_000 + random() * 500)],
    ['all alike', () => 250],
    ['minutes', (random) => 20_000 + random() * 40_000],
  ];

  it.each(spreads)('%s: p50, p95 and p99 are within 12.5 %% of the exact ones, and exact below 16 ms', (_, draw) => {
    for (const [seed, size] of [1, 2, 7, 100, 10_000].entries()) {
      const random = randomFrom(seed);
      const times = Array.from({ length: size }, () => Math.round(draw(random)));
      for (const share of [0.5, 0.95, 0.99, 1]) {
        const exact = exactQuantile(times, share);
        const read = latencyQuantile(countsOf(times), share) ?? Number.NaN;
        if (exact < 16) expect(read).toBe(exact);
        expect(Math.abs(read - exact), `${exact} and ${read} of ${size}`).toBeLessThanOrEqual(exact / 8);
      }
    }
  });

  it('of nothing there is none', () => {
    expect(latencyQuantile([], 0.5)).toBeUndefined();
    expect(latencyQuantile([0, 0], 0.99)).toBeUndefined();
  });
});
