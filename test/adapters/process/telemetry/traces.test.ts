import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startJobs } from '../../../../adapters/process/jobs.ts';
import { openTracing } from '../../../../adapters/process/telemetry/open-telemetry.ts';
import { setTracing, type Tracing } from '../../../../adapters/process/telemetry/tracing.ts';
import { type ChainApp, oneTicket, startChainApp } from '../../../support/chain-app.ts';
import { formsFound } from '../../../support/find-in-log.ts';
import { authorize, callFan, exchange, login, obtainCode, refresh, USUAL_SCOPE } from '../../../support/partner.ts';
import { enableProductionClient, PRODUCTION_REDIRECT_URI } from '../../../support/production.ts';
import { authorizeListing, fundedMarketplace, listing } from '../../../support/ticket-transactions.ts';

const PARENT = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const exporter = new InMemorySpanExporter();
let lines: Record<string, unknown>[] = [];
let app: ChainApp;
let traces: Tracing;
let token: string;
beforeAll(async () => {
  // statements are traced below whatever pool there is; requests by an application that is made afterwards
  const logTo = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const orm = {
    getMetadata: () => ({
      getAll: () =>
        new Map([
          [1, { tableName: 'ticket' }],
          [2, { tableName: 'consent_grant' }],
        ]),
    }),
  };
  const log = { warn: () => undefined };
  traces = openTracing({ log, orm } as never, {}, new SimpleSpanProcessor({ exporter }));
  setTracing(traces);
  app = await startChainApp({ logTo });
  token = (await app.users[0].tokens()).access_token;
});
afterAll(async () => {
  await app.stop();
  setTracing(undefined);
  await traces.stop();
});
beforeEach(() => {
  exporter.reset();
  lines = [];
});

const spans = () => exporter.getFinishedSpans();
const named = (name: string) => spans().filter((span) => span.name === name);
const one = (name: string): ReadableSpan => {
  const [span] = named(name);
  if (!span) throw new Error(`no span ${name} among ${spans().map((each) => each.name)}`);
  return span;
};

describe('D-230: traces', () => {
  it('W3C Trace Context: a request is a span below its caller’s, its statements are below it', async () => {
    const traceparent = `00-${PARENT.traceId}-${PARENT.spanId}-01`;
    await callFan(app, '/tickets', token, { headers: { traceparent, tracestate: 'vendor=secret' } });
    const request = one('tickets.list');
    expect(request.spanContext().traceId).toBe(PARENT.traceId);
    expect(request.spanContext().traceState?.serialize() ?? '').toBe('');
    expect(request.parentSpanContext?.spanId).toBe(PARENT.spanId);
    expect(request.attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'http.route': '/fan/tickets',
      'fan_api.operation': 'tickets.list',
      'fan_api.result': 'ok',
      'fan_api.mode': 'sandbox',
    });
    const statements = spans().filter(({ attributes }) => attributes['db.system.name'] === 'postgresql');
    expect(statements.length).toBe(1);
    expect(statements[0]?.parentSpanContext?.spanId).toBe(request.spanContext().spanId);
    expect(statements[0]?.attributes['db.query.text']).toContain('$1');
  });

  it('without one, or with a malformed one, a request begins a trace', async () => {
    await fetch(`${app.origin}/fan/tickets`);
    await fetch(`${app.origin}/fan/tickets`, { headers: { traceparent: '00-zz-1-01' } });
    const [first, second] = named('tickets.list');
    expect(first?.parentSpanContext).toBeUndefined();
    expect(second?.parentSpanContext).toBeUndefined();
    expect(first?.spanContext().traceId).not.toBe(second?.spanContext().traceId);
  });

  it('D-240: a statement that requests share is below one of them, which waits for it', async () => {
    const calls = Array.from({ length: app.config.databasePool * 4 }, (_, index) => {
      const traceId = String(index + 1).padStart(32, '0');
      return callFan(app, '/tickets', token, { headers: { traceparent: `00-${traceId}-${PARENT.spanId}-01` } });
    });
    await Promise.all(calls);
    const requests = new Map(named('tickets.list').map((span) => [span.spanContext().traceId, span]));
    expect(requests.size).toBe(calls.length);
    const statements = spans().filter(({ attributes }) => 'db.system.name' in attributes);
    expect(statements.length).toBeGreaterThan(1);
    expect(statements.length).toBeLessThan(calls.length);
    for (const statement of statements) {
      const request = requests.get(statement.spanContext().traceId);
      expect(statement.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
    }
    expect(new Set(statements.map((span) => span.spanContext().traceId)).size).toBe(statements.length);
  });

  it('calls of the cluster, and of the provider of codes, are below the request', async () => {
    const market = await fundedMarketplace(app);
    const ticket = await oneTicket(app, app.users[0]);
    const bytes = await listing(app, market, ticket, app.users[0].wallet_address);
    const client = await enableProductionClient(app);
    const started = await authorize(app, {
      clientId: client.clientId,
      redirectUri: PRODUCTION_REDIRECT_URI,
      scope: USUAL_SCOPE,
    });
    exporter.reset();
    expect((await authorizeListing(app, app.users[0], 'list', [bytes])).status).toBe(200);
    const request = one('listings.sign').spanContext();
    const calls = spans().filter(({ attributes }) => attributes['rpc.system.name'] === 'jsonrpc');
    expect(calls.length).toBeGreaterThan(0);
    for (const call of calls) expect(call.spanContext().traceId).toBe(request.traceId);
    await login(app, started, 'phone.sendCode', { phone: '+447400123456' });
    expect(one('sms send').attributes).toEqual({ 'fan_api.provider': 'log' });
    expect(one('sms send').parentSpanContext?.spanId).toBe(one('login.phone.sendCode').spanContext().spanId);
    expect(JSON.stringify(spans().map(({ attributes }) => attributes))).not.toContain('7400123456');
  });

  it('work that belongs to no trace, such as the loops over the chain, begins none', async () => {
    await app.chain.gateway.config();
    await app.runtime.pool.query('select 1');
    expect(spans()).toEqual([]);
  });

  it('a failure has its code, and no words', async () => {
    const error = Object.assign(new Error('a secret'), { code: '53300' });
    using _full = vi.spyOn(app.runtime.pool, 'query').mockRejectedValue(error as never);
    await callFan(app, '/tickets', token);
    const { attributes, status } = one('tickets.list');
    expect(attributes).toMatchObject({ 'error.type': 'unavailable', 'fan_api.result': 'failed' });
    expect(status.code).toBe(2);
    expect(JSON.stringify(spans().map((span) => [span.attributes, span.status, span.events]))).not.toContain('secret');
  });

  it('the log lines of a request have the ids of its trace; others have none', async () => {
    app.runtime.log.info('outside');
    using _broken = vi.spyOn(app.runtime.pool, 'query').mockRejectedValue(new Error('no') as never);
    await callFan(app, '/tickets', token);
    const { traceId } = one('tickets.list').spanContext();
    expect(lines.find(({ msg }) => msg === 'outside')).not.toHaveProperty('trace_id');
    expect(lines.filter(({ msg }) => msg === 'Fan API call failed')).toEqual([
      expect.objectContaining({ trace_id: traceId, span_id: expect.stringMatching(/^[0-9a-f]{16}$/) }),
    ]);
  });

  it('probes leave no trace', async () => {
    await fetch(`${app.origin}/healthz`);
    await fetch(`${app.origin}/readyz`);
    expect(spans()).toEqual([]);
  });

  it('a background job is a trace with its statements', async () => {
    const jobs = await startJobs(app.runtime, app.config.databaseUrl ?? '');
    await app.runtime.pool.query(`insert into pgboss.job (name, policy) values ('seal-audit', 'singleton')`);
    await expect.poll(() => named('job seal-audit').length, { timeout: 30_000 }).toBeGreaterThan(0);
    const job = one('job seal-audit').spanContext();
    expect(
      spans().some((span) => span.parentSpanContext?.spanId === job.spanId && span.name.startsWith('SELECT')),
    ).toBe(true);
    await jobs.stop();
  }, 60_000);
});

it('D-230: no secret, number or token is in a trace of a whole sign-in, its tokens, a refresh and calls with odd values', async () => {
  const [user] = app.kit.test_users;
  const started = await obtainCode(app);
  const tokens = await exchange(app, started);
  const query = `event_id=${encodeURIComponent("'; select 'from fan_secret_value' --")}`;
  await callFan(app, `/tickets?${query}`, tokens.access_token);
  await refresh(app, tokens.refresh_token);
  await fetch(`${app.origin}/admin/auth/link?token=lnk_secret_of_a_link`);
  await fetch(`${app.origin}/none/of/sess_secret?state=secret_state`);
  const seen = spans().map(({ name, attributes, events, links, status, resource }) => {
    return [name, attributes, events, links, status, resource.attributes];
  });
  const text = JSON.stringify(seen);
  expect(spans().length).toBeGreaterThan(20);
  const secrets = [
    ...[user?.phone, user?.code, started.code, started.verifier, started.state, started.nonce, started.sessionId],
    ...[started.cookie.split('=')[1], tokens.access_token, tokens.refresh_token, tokens.id_token, tokens.grant_id],
    ...['fan_secret_value', 'lnk_secret_of_a_link', 'sess_secret', 'secret_state', String(user?.phone).slice(1)],
  ];
  for (const secret of secrets) {
    expect(String(secret).length).toBeGreaterThan(3);
    expect(formsFound(text, String(secret)), String(secret)).toEqual([]);
  }
});
