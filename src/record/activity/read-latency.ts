import type { Context } from '../../platform/context.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import { latencyQuantile } from './latency.ts';
import type { Operation } from './operation-texts.ts';
import { labelOf, OPERATION_GROUPS } from './operations.ts';

/** How long the requests of one operation took, in milliseconds; each figure within 12.5 % (`latency.ts`). */
export interface Latency {
  operation: Operation;
  /** What was called, as the API description names it. */
  label: string;
  /** Measured requests. */
  count: number;
  p50: number;
  p95: number;
  p99: number;
}

interface Measured {
  bucket: Date;
  operation: Operation;
  counts: number[];
}

/** Calls of partners and fans. Staff wait for the console, not the console for staff. */
const SHOWN = OPERATION_GROUPS.not_console.operations.filter((name) => name !== 'other');

const readCounts = preparedWithDates<Measured>(`
  select bucket, operation, counts from latency
  where span_minutes = $1 and client_id = $2 and bucket >= $3 and operation = any($4)`);
const readCountsOfAll = preparedWithDates<Measured>(`
  select bucket, operation, counts from latency
  where span_minutes = $1 and client_id is null and bucket >= $2 and operation = any($3)`);

/** Latencies of each operation that was called, in the order of the operations. `since`: the first measured period. */
export async function readLatency(
  { pool }: Pick<Context, 'pool'>,
  { bucketMinutes, from, client }: { bucketMinutes: number; from: Date; client: Uuid | undefined },
): Promise<{ latency: Latency[]; since: Date | undefined }> {
  const rows =
    client === undefined
      ? await readCountsOfAll(pool, [bucketMinutes, from, SHOWN])
      : await readCounts(pool, [bucketMinutes, client, from, SHOWN]);
  const byOperation = Map.groupBy(rows, ({ operation }) => operation);
  const latency = SHOWN.flatMap((operation) => describe(operation, byOperation.get(operation) ?? []));
  const [since] = rows.map(({ bucket }) => bucket).sort((one, other) => one.getTime() - other.getTime());
  return { latency, since };
}

function describe(operation: Operation, rows: readonly Measured[]): Latency[] {
  const counts = sumOf(rows.map((row) => row.counts));
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => latencyQuantile(counts, share));
  if (p50 === undefined || p95 === undefined || p99 === undefined) return [];
  const count = counts.reduce((sum, each) => sum + each, 0);
  return [{ operation, label: labelOf(operation), count, p50, p95, p99 }];
}

/** Slot by slot; the lists are as long as their last slot. */
function sumOf(lists: readonly number[][]): number[] {
  const length = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length }, (_, slot) => lists.reduce((sum, list) => sum + (list[slot] ?? 0), 0));
}
