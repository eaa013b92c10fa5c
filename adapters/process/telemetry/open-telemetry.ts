import { DiagLogLevel, diag, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { getNumberFromEnv } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import manifest from '../../../package.json' with { type: 'json' };
import { ConfigError } from '../../../src/platform/config/read-config.ts';
import { isProbe } from '../../http/health.ts';
import type { Handler } from '../../http/request-state.ts';
import { resultOf } from './count-requests.ts';
import { currentIds, isTraced, type SpanMaker, spanMaker } from './span-maker.ts';
import { traceStatements } from './trace-statements.ts';
import type { SpanFacts, TracedParts, Tracing } from './tracing.ts';

/** Pause between two log lines about a collector that can't be reached. */
const COMPLAINT_PAUSE_MS = 60_000;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

/**
 * Traces by OpenTelemetry, sent as OTLP over HTTP. The spans are our own, at the few places where work enters or leaves: libraries
 * that hook into every module cost more, and write URLs and statements with the values in them.
 * @throws ConfigError of an unknown protocol or sampler
 */
export function openTracing({ log, orm }: TracedParts, env: NodeJS.ProcessEnv, processor?: SpanProcessor): Tracing {
  const complain = complaints(log);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'fan-api', 'service.version': manifest.version }).merge(
      detectResources({
        detectors: [serviceInstanceIdDetector, resourceAttributesEnvDetector, serviceNameEnvDetector],
      }),
    ),
    sampler: samplerOf(env),
    spanProcessors: [processor ?? batches(env)],
  });
  const spans = spanMaker(provider.getTracer('fan-api', manifest.version));
  const tables = [...orm.getMetadata().getAll().values()].map(({ tableName }) => tableName);
  const ends = [traceStatements(spans, tables), traceJobs(spans)];
  return {
    inSpan: (name, facts, work) =>
      !isTraced()
        ? work(() => undefined)
        : spans.run(name, SpanKind.CLIENT, (span) => {
            span.setAttributes(facts);
            return work((more: SpanFacts) => void span.setAttributes(more));
          }),
    handleRequest: requestHandler(spans),
    ids: currentIds,
    async stop() {
      for (const end of ends) end();
      await provider.shutdown().catch((error: Error) => complain(error.message));
    },
  };
}

/** A span per request, named after its operation. Its address is the route's, since the caller's may hold anything. */
function requestHandler(spans: SpanMaker): Handler {
  return (ctx, next) => {
    if (isProbe(ctx.path)) return next();
    const handle = async (span: Span) => {
      await next();
      const { operation = 'other', outcome, requestId, caller } = ctx.state;
      const route: unknown = ctx._matchedRoute;
      const result = resultOf(ctx);
      span.updateName(operation);
      span.setAttributes({
        'http.request.method': METHODS.has(ctx.method) ? ctx.method : '_OTHER',
        'http.response.status_code': ctx.status,
        ...(typeof route === 'string' && { 'http.route': route }),
        'fan_api.operation': operation,
        'fan_api.result': result,
        'fan_api.request_id': requestId,
        ...(caller?.mode && { 'fan_api.mode': caller.mode }),
      });
      if (result === 'failed') {
        span.setAttribute('error.type', outcome ?? String(ctx.status));
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
    };
    return spans.run('request', SpanKind.SERVER, handle, spans.callerOf(ctx.get('traceparent') || undefined));
  };
}

/** Makes a trace of each run of a background job, until the returned function is called. */
function traceJobs(spans: SpanMaker): () => void {
  const { work } = PgBoss.prototype;
  PgBoss.prototype.work = function traced(this: PgBoss, name: string, ...rest: unknown[]) {
    const run = rest.at(-1) as (...jobs: unknown[]) => Promise<unknown>;
    const inTrace = (...jobs: unknown[]) => spans.run(`job ${name}`, SpanKind.INTERNAL, () => run(...jobs));
    return Reflect.apply(work, this, [name, ...rest.slice(0, -1), inTrace]);
  } as typeof work;
  return () => {
    PgBoss.prototype.work = work;
  };
}

function batches(env: NodeJS.ProcessEnv): BatchSpanProcessor {
  const options = {
    scheduledDelayMillis: getNumberFromEnv('OTEL_BSP_SCHEDULE_DELAY'),
    maxQueueSize: getNumberFromEnv('OTEL_BSP_MAX_QUEUE_SIZE'),
    maxExportBatchSize: getNumberFromEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
    exportTimeoutMillis: getNumberFromEnv('OTEL_BSP_EXPORT_TIMEOUT'),
  };
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return new BatchSpanProcessor({ exporter: exporterOf(env), ...given });
}

/** OpenTelemetry's own errors are texts, one for each lost batch. @returns a function that logs few of them */
function complaints(log: Logger): (reason: string) => void {
  let silentUntil = 0;
  const complain = (reason: string) => {
    if (performance.now() < silentUntil) return;
    silentUntil = performance.now() + COMPLAINT_PAUSE_MS;
    log.warn({ reason: reason.slice(0, 300) }, 'traces can’t be sent');
  };
  const ignore = () => undefined;
  const logger = { error: complain, warn: complain, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  return complain;
}

/** Which traces are kept. @throws ConfigError for an unknown sampler or an invalid ratio */
function samplerOf(env: NodeJS.ProcessEnv): Sampler {
  const name = env.OTEL_TRACES_SAMPLER || 'parentbased_always_on';
  const own = name.replace(/^parentbased_/, '');
  const root = rootSampler(own, env.OTEL_TRACES_SAMPLER_ARG);
  if (root === undefined) {
    throw new ConfigError([
      'OTEL_TRACES_SAMPLER: must be always_on, always_off, traceidratio, or one of them after parentbased_',
    ]);
  }
  return own === name ? root : new ParentBasedSampler({ root });
}

function rootSampler(name: string, argument: string | undefined): Sampler | undefined {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratioOf(argument));
    default:
      return undefined;
  }
}

function ratioOf(argument: string | undefined): number {
  const ratio = argument ? Number(argument) : 1;
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw new ConfigError(['OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1']);
}

/** What sends the spans; it reads the endpoint, its headers, time limit and certificates from the environment. @throws ConfigError */
function exporterOf(env: NodeJS.ProcessEnv): SpanExporter {
  const exporter = env.OTEL_TRACES_EXPORTER || 'otlp';
  if (exporter !== 'otlp') throw new ConfigError([`OTEL_TRACES_EXPORTER: must be otlp or none, not ${exporter}`]);
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf';
  if (protocol === 'http/protobuf') return new ProtobufExporter();
  if (protocol === 'http/json') return new JsonExporter();
  throw new ConfigError([`OTEL_EXPORTER_OTLP_PROTOCOL: must be http/protobuf or http/json, not ${protocol}`]);
}
