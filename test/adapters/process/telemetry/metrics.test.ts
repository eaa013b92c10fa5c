import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { provideMetrics, startMetrics } from '../../../../adapters/process/telemetry/serve-metrics.ts';
import { sealAudit } from '../../../../src/record/audit/seal-audit.ts';
import { endSimulation } from '../../../../src/sandbox/failure/advance-clock.ts';
import { armFailure } from '../../../../src/sandbox/failure/arm-failure.ts';
import { runAddresses } from '../../../../src/sandbox/go-live-check/run-addresses.ts';
import { startRun } from '../../../../src/sandbox/go-live-check/start-run.ts';
import { countStatements } from '../../../support/count-statements.ts';
import { makeClient } from '../../../support/make-client.ts';
import { callFan, postForm, refreshForm, signIn } from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';
import { writeAuditEntry } from '../../../support/write-audit-entry.ts';

/** Alone: the metrics are those of a process. */
const logged: string[] = [];
const app = await testApp({ logTo: { write: (line) => logged.push(line) } });
app.config.metricsPort = 0;
provideMetrics(app.runtime);
const metrics = await startMetrics(app.config);
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
/** Statements with such a text end otherwise; the others work. */
function breakStatements(text: RegExp, end: () => Promise<never>) {
  const { pool } = app.runtime;
  const { query } = pool;
  return vi.spyOn(pool, 'query').mockImplementation((...call: unknown[]) => {
    const [statement] = call as [{ text?: string }];
    return text.test(statement.text ?? '') ? end() : Reflect.apply(query, pool, call);
  });
}
const requests = (operation: string, caller: string, mode: string, result: string, status: number) =>
  `http_request_duration_seconds_count{operation="${operation}",caller="${caller}",mode="${mode}",result="${result}",status="${status}"}`;

afterAll(async () => {
  metrics.close();
});

describe('D-354: requests are measured by operation, kind of caller, mode and result', () => {
  it('a partner’s, with the mode of its client once that is proved', async () => {
    const { access_token: token } = await signIn(app);
    await callFan(app, '/tickets', token);
    await callFan(app, '/tickets');
    expect(await seriesValue(requests('tickets.list', 'partner', 'sandbox', 'ok', 200))).toBe(1);
    expect(await seriesValue(requests('tickets.list', 'partner', 'none', 'refused', 401))).toBe(1);
    expect(await seriesValue(requests('token.exchange', 'partner', 'sandbox', 'ok', 200))).toBe(1);
    expect(await seriesValue(requests('login.consent.grant', 'fan', 'sandbox', 'ok', 200))).toBe(1);
  });

  it('have no label for a path that a caller made up, which would make series without limit', async () => {
    await fetch(`${app.origin}/readyz`);
    for (let i = 0; i < 3; i++) await fetch(`${app.origin}/made-up-${i}?token=hidden`);
    expect(await seriesValue(requests('other', 'other', 'none', 'refused', 404))).toBe(3);
    const text = await scrape();
    expect(text).not.toMatch(/made-up|hidden/);
    // nobody waits for a probe
    expect(text).not.toContain('operation="other",caller="other",mode="none",result="ok"');
  });
});

describe('D-354: what the sandbox brings about counts as simulated', () => {
  const client = () => app.kit.client_id;
  const errorsOf = (id: string | null) => logged.filter((line) => line.includes(`"requestId":"${id}"`));

  it('an armed failure is neither failed nor an error in the log, on the Fan API as at the token endpoint', async () => {
    const { access_token, refresh_token } = await signIn(app);
    await armFailure(app.context(), client(), { failure: 'unavailable', times: 2 }, 'test');
    const answers = [
      await callFan(app, '/tickets', access_token),
      await postForm(app, '/oauth2/token', refreshForm(app, refresh_token)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    expect(await seriesValue(requests('tickets.list', 'partner', 'sandbox', 'simulated', 503))).toBe(1);
    expect(await seriesValue(requests('token.refresh', 'partner', 'sandbox', 'simulated', 503))).toBe(1);
    expect(await scrape()).not.toMatch(/result="failed",status="503"/);
    for (const { headers } of answers) {
      const [line, ...more] = errorsOf(headers.get('x-request-id'));
      expect(JSON.parse(line ?? '')).toMatchObject({ level: 30, result: 'simulated' });
      expect(more).toEqual([]);
    }
    // the next call meets nothing, and counts as what it is
    expect((await callFan(app, '/tickets')).status).toBe(401);
    expect((await callFan(app, '/tickets', access_token)).status).toBe(200);
    expect(await seriesValue(requests('tickets.list', 'partner', 'sandbox', 'ok', 200))).toBeGreaterThan(0);
  });

  it('a slow answer and one made with a simulated clock are simulated, though they are 200', async () => {
    const { access_token } = await signIn(app);
    await armFailure(app.context(), client(), { failure: 'slow_answer', seconds: 1 }, 'test');
    expect((await callFan(app, '/tickets', access_token)).status).toBe(200);
    expect(await seriesValue(requests('tickets.list', 'partner', 'sandbox', 'simulated', 200))).toBe(1);
    await armFailure(app.context(), client(), { failure: 'clock_behind' }, 'test');
    await signIn(app);
    expect(await seriesValue(requests('token.exchange', 'partner', 'sandbox', 'simulated', 200))).toBe(1);
    await endSimulation(app.context(), client(), 'test');
  });

  it('a real fault of a simulated call is a failure all the same', async () => {
    const { access_token } = await signIn(app);
    await armFailure(app.context(), client(), { failure: 'slow_answer', seconds: 1 }, 'test');
    using _broken = breakStatements(/\bpermit\b/, () => Promise.reject(new Error('a defect')));
    const { status, headers } = await callFan(app, '/tickets', access_token);
    expect(status).toBe(500);
    expect(await seriesValue(requests('tickets.list', 'partner', 'sandbox', 'failed', 500))).toBe(1);
    expect(JSON.parse(errorsOf(headers.get('x-request-id'))[0] ?? '')).toMatchObject({ level: 50 });
  });

  it('all that a go-live check answers', async () => {
    const run = await startRun(app.context(), client(), 'test');
    const { discoveryUrl, issuer } = runAddresses(app.config, run.id);
    expect((await fetch(discoveryUrl)).status).toBe(200);
    expect((await fetch(`${issuer}/oauth2/userinfo`)).status).toBe(401);
    expect(await seriesValue(requests('other', 'other', 'sandbox', 'simulated', 200))).toBe(1);
    expect(await seriesValue(requests('other', 'other', 'sandbox', 'simulated', 401))).toBe(1);
  });
});

it('D-354: sandbox and production are told apart where the token endpoint refuses, once the process has seen the client, without a statement', async () => {
  const refused = (clientId: string) => {
    const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: 'rt_none' };
    return postForm(app, '/oauth2/token', form);
  };
  const unseen = await makeClient(app);
  const { statements: before } = await countStatements(() => refused(unseen));
  expect(await seriesValue(requests('token.refresh', 'partner', 'none', 'refused', 400))).toBe(1);
  await signIn(app, { clientId: unseen });
  const { statements } = await countStatements(() => refused(unseen));
  expect(await seriesValue(requests('token.refresh', 'partner', 'sandbox', 'refused', 400))).toBe(1);
  expect(statements).toEqual(before);
});

describe('metrics of the process', () => {
  it('shows its version, its pool, and the audit entries that wait', async () => {
    const text = await scrape();
    expect(text).toMatch(/^fan_api_build_info\{version="\d+\.\d+\.\d+",node="v\d+\.[\d.]+"\} 1$/m);
    expect(await seriesValue('database_pool_limit')).toBe(app.config.databasePool);
    expect(await seriesValue('database_pool_connections{state="idle"}')).toBeGreaterThan(0);
    expect(await seriesValue('database_pool_waiting')).toBe(0);
    while ((await sealAudit(app.context())) > 0);
    // beside load the reading may take longer than a scrape waits for it
    await expect.poll(() => seriesValue('audit_unsealed_entries')).toBe(0);
    await expect.poll(() => seriesValue('audit_oldest_unsealed_seconds')).toBe(0);
    const context = app.context();
    writeAuditEntry(context, { actor: 'system', action: 'partner.registered', subject: 'partner_x' });
    await context.em.flush();
    await expect.poll(() => seriesValue('audit_unsealed_entries')).toBe(1);
    await expect.poll(() => seriesValue('audit_oldest_unsealed_seconds')).toBeLessThan(60);
  });

  it('a database that gives no answer costs the metrics two seconds and its own figures, nothing else', async () => {
    using _silent = breakStatements(/from audit_entry/, () => new Promise(() => {}));
    const started = performance.now();
    const text = await scrape();
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

it('metrics listen on loopback unless METRICS_HOST says otherwise, and no surface serves them', async () => {
  expect((metrics.address() as AddressInfo).address).toBe('127.0.0.1');
  expect((await fetch(`${app.origin}/metrics`)).status).toBe(404);
});
