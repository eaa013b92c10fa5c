import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { ConfigError } from '../../../src/platform/config/config.ts';

/** Which traces are kept. @throws ConfigError for an unknown sampler or a ratio that is none */
export function samplerOf(env: NodeJS.ProcessEnv): Sampler {
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
export function exporterOf(env: NodeJS.ProcessEnv): SpanExporter {
  const exporter = env.OTEL_TRACES_EXPORTER || 'otlp';
  if (exporter !== 'otlp') throw new ConfigError([`OTEL_TRACES_EXPORTER: must be otlp or none, not ${exporter}`]);
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf';
  if (protocol === 'http/protobuf') return new ProtobufExporter();
  if (protocol === 'http/json') return new JsonExporter();
  throw new ConfigError([`OTEL_EXPORTER_OTLP_PROTOCOL: must be http/protobuf or http/json, not ${protocol}`]);
}
