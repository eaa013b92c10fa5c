import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';

/** The parts of OpenTelemetry that spans of ours are made with. */
export interface SpanMaker {
  /** Runs `work` in a new span below the current one. @param parent instead of the current one */
  run<T>(name: string, kind: SpanKind, work: (span: Span) => Promise<T>, parent?: Context): Promise<T>;
  /** A span without work of its own; undefined outside any trace. The caller ends it. */
  child(name: string): Span | undefined;
  /** The context of a caller, by its `traceparent`. */
  callerOf(traceparent: string | undefined): Context;
}

const storage = new AsyncLocalStorage<Context>();

function current(): Context {
  return storage.getStore() ?? ROOT_CONTEXT;
}

/** Makes spans with a tracer. Our own storage has the current one: no library makes spans. */
export function spanMaker(tracer: Tracer): SpanMaker {
  const propagator = new W3CTraceContextPropagator();
  return {
    async run(name, kind, work, parent = current()) {
      const span = tracer.startSpan(name, { kind }, parent);
      try {
        return await storage.run(trace.setSpan(parent, span), () => work(span));
      } catch (error) {
        fail(span, error);
        throw error;
      } finally {
        span.end();
      }
    },
    child(name) {
      return isTraced() ? tracer.startSpan(name, { kind: SpanKind.CLIENT }, current()) : undefined;
    },
    // without `tracestate`: what a stranger writes there would go on to our collector
    callerOf: (traceparent) => propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter),
  };
}

/** Whether there is a span that has not ended: what a request leaves behind, such as a timer, is no part of it. */
export function isTraced(): boolean {
  return trace.getSpan(current())?.isRecording() ?? false;
}

/** The ids of the current span. */
export function currentIds(): { trace_id: string; span_id: string } | undefined {
  const span = trace.getSpanContext(current());
  return span && { trace_id: span.traceId, span_id: span.spanId };
}

/** Notes an error by its code alone: messages quote what they are about. */
export function fail(span: Span, error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const name = error instanceof Error ? error.constructor.name : 'unknown';
  span.setAttribute('error.type', typeof code === 'string' ? code : name);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
