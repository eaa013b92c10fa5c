import type { Runtime } from '../../../src/runtime.ts';
import type { Handler } from '../../http/request-state.ts';

/** What traces need of the runtime. */
export type TracedParts = Pick<Runtime, 'log' | 'orm'>;

/** The facts that a span may have: our own names, codes and counts, never a value of a caller or a row. */
export type SpanFacts = Record<string, string | number>;

/** Traces of a process. Its one implementation is loaded only where traces are asked for (`startTracing`). */
export interface Tracing {
  /**
   * Runs `work` in a span below the current one, which ends with it and has the code of its error; outside any trace without one.
   * @param note adds facts that are known later
   */
  inSpan<T>(name: string, facts: SpanFacts, work: (note: (facts: SpanFacts) => void) => Promise<T>): Promise<T>;
  /** Runs each request in a span, below the caller's where it sends `traceparent`. */
  handleRequest: Handler;
  /** The ids of the current span, for the log. */
  ids(): { trace_id: string; span_id: string } | undefined;
  /** Sends what is left. */
  stop(): Promise<void>;
}

let current: Tracing | undefined;

/** The traces of this process; undefined where it makes none. */
export function tracing(): Tracing | undefined {
  return current;
}

/** @param next undefined where traces end */
export function setTracing(next: Tracing | undefined): void {
  current = next;
}

/** Runs `work` in a span of a client of ours, such as a call of the Solana cluster. */
export function inSpan<T>(
  name: string,
  facts: SpanFacts,
  work: (note?: (facts: SpanFacts) => void) => Promise<T>,
): Promise<T> {
  return current === undefined ? work() : current.inSpan(name, facts, work);
}
