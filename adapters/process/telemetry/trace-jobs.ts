import { SpanKind } from '@opentelemetry/api';
import { PgBoss } from 'pg-boss';
import type { SpanMaker } from './span-maker.ts';

/** Makes a trace of each run of a background job, until the returned function is called. */
export function traceJobs(spans: SpanMaker): () => void {
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
