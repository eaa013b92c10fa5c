/**
 * Histograms of answering times. A slot is one millisecond up to 15 ms; above, eight slots of equal width divide each
 * doubling, so a slot is at most an eighth as wide as its times are long. A quantile that is read from the counts is
 * therefore within 12.5 % of the exact one, and exact below 16 ms. Times above 65 s count as 65 s.
 *
 * @module
 */
import type { Context } from '../../platform/context.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import type { Operation } from './operation-texts.ts';
import { labelOf, OPERATION_GROUPS } from './operations.ts';

/** Below this, each millisecond is a slot of its own. */
const EXACT_BELOW = 16;
const EXACT_BITS = 4;
/** Slots of each doubling. */
const PER_DOUBLING = 8;
const LONGEST_MS = 2 ** 16 - 1;

/** The slot of a time in whole milliseconds. */
export function latencySlot(ms: number): number {
  const time = Math.min(Math.max(0, Math.round(ms)), LONGEST_MS);
  if (time < EXACT_BELOW) return time;
  const doubling = Math.floor(Math.log2(time));
  const within = Math.floor(((time - 2 ** doubling) / 2 ** doubling) * PER_DOUBLING);
  return EXACT_BELOW + (doubling - EXACT_BITS) * PER_DOUBLING + within;
}

/** The shortest and the longest time of a slot, in whole milliseconds. */
function timesOf(slot: number): { shortest: number; longest: number } {
  if (slot < EXACT_BELOW) return { shortest: slot, longest: slot };
  const doubling = Math.floor((slot - EXACT_BELOW) / PER_DOUBLING) + EXACT_BITS;
  const width = 2 ** doubling / PER_DOUBLING;
  const shortest = 2 ** doubling + ((slot - EXACT_BELOW) % PER_DOUBLING) * width;
  return { shortest, longest: shortest + width - 1 };
}

/**
 * The time within which a share of the requests was answered, in milliseconds: of rank ⌈share × n⌉, as if the times of a
 * slot were spread evenly over it. Undefined without requests.
 * @param counts by slot
 * @param share above 0, at most 1
 */
export function latencyQuantile(counts: readonly number[], share: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const rank = Math.max(1, Math.ceil(share * total));
  let below = 0;
  for (const [slot, count] of counts.entries()) {
    if (below + count < rank) {
      below += count;
      continue;
    }
    const { shortest, longest } = timesOf(slot);
    return Math.round(shortest + ((longest - shortest) * (rank - below - 0.5)) / count);
  }
  return undefined;
}

/** How long the requests of one operation took, in milliseconds; each figure within 12.5 %. */
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

/** Calls of partners and fans, not of the console. */
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

/** Sums slot by slot; each list ends with its last slot that has a count. */
function sumOf(lists: readonly number[][]): number[] {
  const length = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length }, (_, slot) => lists.reduce((sum, list) => sum + (list[slot] ?? 0), 0));
}
