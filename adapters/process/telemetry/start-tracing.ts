import { setTracing, type TracedParts, type Tracing } from './tracing.ts';

/**
 * Starts traces where the standard variables of OpenTelemetry ask for them: an endpoint, or the exporter `otlp`. Otherwise nothing of
 * OpenTelemetry is loaded.
 * @throws ConfigError where they ask for something that is not supported
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export async function startTracing(
  parts: TracedParts,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Tracing | undefined> {
  if (!asksForTraces(env)) return undefined;
  const { openTracing } = await import('./open-telemetry.ts');
  const traces = openTracing(parts, env);
  setTracing(traces);
  return traces;
}

function asksForTraces(env: NodeJS.ProcessEnv): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return false;
  return [env.OTEL_EXPORTER_OTLP_ENDPOINT, env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, env.OTEL_TRACES_EXPORTER].some(
    Boolean,
  );
}
