import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { provideMetrics, startMetrics } from '../../../adapters/telemetry/serve-metrics.ts';
import { sealAudit } from '../../../src/audit/seal-audit.ts';
import { callFan, signIn } from '../../support/partner.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';
import { writeAuditEntry } from '../../support/write-audit-entry.ts';

let app: TestApp;
let metrics: Server;
beforeAll(async () => {
  app = await startApp();
  app.config.metricsPort = 0;
  provideMetrics(app.runtime);
  metrics = await startMetrics(app.config);
});
afterAll(async () => {
  metrics.close();
  await app.stop();
});

async function scrape(): Promise<string> {
  const { port } = metrics.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
  return answer.text();
}

/** The value of a series, by the beginning of its line. */
async function seriesValue(series: string): Promise<number | undefined> {
  const line = (await scrape()).split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

const requests = (operation: string, caller: string, mode: string, result: string, status: number) =>
  `http_request_duration_seconds_count{operation="${operation}",caller="${caller}",mode="${mode}",result="${result}",status="${status}"}`;

describe('D-232: requests are measured by operation, kind of caller, mode and result', () => {
  it('a partner’s, with the mode of its client once that is proved', async () => {
    const { access_token: token } = await signIn(app);
    await callFan(app, '/tickets', token);
    await callFan(app, '/tickets');
    expect(await seriesValue(requests('tickets.list', 'partner', 'sandbox', 'ok', 200))).toBe(1);
    expect(await seriesValue(requests('tickets.list', 'partner', 'none', 'refused', 401))).toBe(1);
    expect(await seriesValue(requests('token.exchange', 'partner', 'sandbox', 'ok', 200))).toBe(1);
    expect(await seriesValue(requests('login.consent.grant', 'fan', 'sandbox', 'ok', 200))).toBe(1);
  });

  it('know no path that a caller made up: the series would be without number', async () => {
    await fetch(`${app.origin}/readyz`);
    for (let i = 0; i < 3; i++) await fetch(`${app.origin}/made-up-${i}?token=hidden`);
    expect(await seriesValue(requests('other', 'other', 'none', 'refused', 404))).toBe(3);
    const text = await scrape();
    expect(text).not.toMatch(/made-up|hidden/);
    // nobody waits for a probe
    expect(text).not.toContain('operation="other",caller="other",mode="none",result="ok"');
  });
});

describe('D-232: the process', () => {
  it('tells its version, its pool, and the audit entries that wait', async () => {
    const text = await scrape();
    expect(text).toMatch(/^fan_api_build_info\{version="\d+\.\d+\.\d+",node="v\d+\.[\d.]+"\} 1$/m);
    expect(await seriesValue('database_pool_limit')).toBe(app.config.databasePool);
    expect(await seriesValue('database_pool_connections{state="idle"}')).toBeGreaterThan(0);
    expect(await seriesValue('database_pool_waiting')).toBe(0);
    while ((await sealAudit(app.context())) > 0);
    expect(await seriesValue('audit_unsealed_entries')).toBe(0);
    expect(await seriesValue('audit_oldest_unsealed_seconds')).toBe(0);
    const context = app.context();
    writeAuditEntry(context, { actor: 'system', action: 'partner.registered', subject: 'partner_x' });
    await context.em.flush();
    expect(await seriesValue('audit_unsealed_entries')).toBe(1);
    expect(await seriesValue('audit_oldest_unsealed_seconds')).toBeLessThan(60);
  });

  it('a database that gives no answer costs the metrics two seconds, and only what it would have told', async () => {
    const { pool } = app.runtime;
    const { query } = pool;
    pool.query = ((...call: unknown[]) => {
      const [statement] = call as [{ text?: string }];
      return statement.text?.includes('from audit_entry')
        ? new Promise(() => undefined)
        : Reflect.apply(query, pool, call);
    }) as never;
    const started = performance.now();
    const text = await scrape();
    pool.query = query;
    expect(performance.now() - started).toBeLessThan(8_000);
    expect(text).toContain('database_pool_limit');
    expect(text).not.toMatch(/^audit_(unsealed|oldest)\S* \d/m);
  });

  it('a code and a signature are measured, without number or code', async () => {
    expect(await seriesValue('signing_duration_seconds_count{kind="jwt"}')).toBeGreaterThanOrEqual(2);
    await app.runtime.verification.send('+447700900123');
    const text = await scrape();
    expect(text).toMatch(/verification_call_duration_seconds_count\{provider="log",call="send",outcome="ok"\} 1/);
    expect(text).not.toContain('447700900123');
  });
});

describe('D-011: metrics', () => {
  it('listen on loopback unless METRICS_HOST says otherwise, and no surface serves them', async () => {
    expect((metrics.address() as AddressInfo).address).toBe('127.0.0.1');
    expect((await fetch(`${app.origin}/metrics`)).status).toBe(404);
  });
});
