import { execFile } from 'node:child_process';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTracing } from '../../../../adapters/process/telemetry/start-tracing.ts';
import { setTracing, type Tracing } from '../../../../adapters/process/telemetry/tracing.ts';
import { CHILD_ENV } from '../../../support/child-env.ts';
import { listen } from '../../../support/listen.ts';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

let collector: Awaited<ReturnType<typeof listen>>;
let received: Received[];
let lines: string[];
let traces: Tracing | undefined;
beforeEach(async () => {
  received = [];
  lines = [];
  const server = createServer(async (request, response) => {
    received.push({ path: request.url ?? '', headers: request.headers, body: await buffer(request) });
    response.setHeader('Content-Type', request.headers['content-type'] ?? '').end('');
  });
  collector = await listen(server);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  setTracing(undefined);
  await traces?.stop();
  traces = undefined;
  await collector.stop();
});

/** Starts traces as the server does, with variables of OpenTelemetry. */
async function start(env: Record<string, string>): Promise<Tracing | undefined> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const orm = { getMetadata: () => ({ getAll: () => new Map() }) };
  traces = await startTracing({ log, orm } as never);
  return traces;
}

const endpoint = () => collector.url;

/** A request and a call of the cluster in it, as `adapters/app.ts` has them. */
async function request(tracing: Tracing | undefined): Promise<void> {
  const ctx = {
    path: '/fan/tickets',
    method: 'GET',
    status: 200,
    get: () => '',
    state: { operation: 'tickets.list', requestId: 'r' },
  };
  await tracing?.handleRequest(ctx as never, () =>
    tracing.inSpan('rpc getSlot', { 'rpc.method': 'getSlot' }, async () => undefined),
  );
}

async function traceOne(env: Record<string, string>): Promise<void> {
  const tracing = await start(env);
  await request(tracing);
  await tracing?.stop();
}

interface OtlpJson {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: { name: string; traceId: string; spanId: string; parentSpanId?: string; kind: number }[] }[];
  }[];
}

describe('D-230: traces are sent as OTLP over HTTP', () => {
  it('as JSON where OTEL_EXPORTER_OTLP_PROTOCOL says so, with the name of the service and its own headers', async () => {
    await traceOne({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint(),
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=fans',
      OTEL_SERVICE_NAME: 'fan-api-eu',
    });
    expect(received).toHaveLength(1);
    const [{ path, headers, body }] = received as [Received];
    expect(path).toBe('/v1/traces');
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-tenant': 'fans' });
    const { resourceSpans } = JSON.parse(body.toString()) as OtlpJson;
    const resource = Object.fromEntries(
      resourceSpans[0]?.resource.attributes.map(({ key, value }) => [key, value.stringValue]) ?? [],
    );
    expect(resource).toMatchObject({ 'service.name': 'fan-api-eu', 'service.version': expect.any(String) });
    const spans = resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
    const server = spans.find(({ name }) => name === 'tickets.list');
    const call = spans.find(({ name }) => name === 'rpc getSlot');
    expect(server?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(call).toMatchObject({ traceId: server?.traceId, parentSpanId: server?.spanId });
  });

  it('else as protobuf', async () => {
    await traceOne({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint()}/own/path` });
    expect(received[0]).toMatchObject({ path: '/own/path', headers: { 'content-type': 'application/x-protobuf' } });
    expect(received[0]?.body.includes('tickets.list')).toBe(true);
  });

  it('what the sampler leaves out is not sent', async () => {
    await traceOne({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint(),
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    });
    expect(received).toEqual([]);
  });

  it('a collector that is away costs no request, and one line in the log', async () => {
    const tracing = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    });
    for (let index = 0; index < 5; index++) {
      await request(tracing);
      await sleep(100);
    }
    await tracing?.stop();
    expect(lines.filter((line) => line.includes('traces can’t be sent'))).toHaveLength(1);
  });

  it.each([
    [
      { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      /OTEL_EXPORTER_OTLP_PROTOCOL: must be http\/protobuf or http\/json, not grpc/,
    ],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, /OTEL_TRACES_EXPORTER: must be otlp or none, not zipkin/],
    [{ OTEL_TRACES_SAMPLER: 'sometimes' }, /OTEL_TRACES_SAMPLER: must be/],
    [
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' },
      /OTEL_TRACES_SAMPLER_ARG: must be a number/,
    ],
  ])('%j is refused, with the name of the variable', async (env, message) => {
    await expect(start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint(), ...env })).rejects.toThrow(message);
  });
});

describe('D-230: without a variable that asks for traces', () => {
  it.each([{}, { OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])('there are none: %j', async (env) => {
    const asked = Object.keys(env).length > 0 ? { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint() } : {};
    expect(await start({ ...asked, ...env })).toBeUndefined();
  });

  it('nothing of the SDK is loaded; `prom-client` loads the interface by itself', async () => {
    const script = `
      import { registerHooks } from 'node:module';
      const seen = new Set();
      registerHooks({ resolve(name, context, next) { const found = next(name, context); seen.add(found.url); return found; } });
      await import('./adapters/process/serve.ts');
      const { startTracing } = await import('./adapters/process/telemetry/start-tracing.ts');
      await startTracing({});
      console.log(JSON.stringify([...seen].filter((url) => url.includes('@opentelemetry/'))));
      process.exit(0);`;
    const { stdout } = await promisify(execFile)('node_modules/.bin/node', ['--input-type=module', '-e', script], {
      env: CHILD_ENV,
    });
    const packages = (JSON.parse(stdout) as string[]).map((url) => /@opentelemetry\/([\w-]+)/.exec(url)?.[1]);
    expect(new Set(packages)).toEqual(new Set(['api']));
  }, 60_000);
});
