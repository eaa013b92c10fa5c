import type DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { DomainError } from '../platform/errors.ts';
import { inSlices } from '../platform/in-slices.ts';
import { takeTurns } from '../platform/take-turns.ts';
import { type ApplyContext, applyTogether, type GivenRow } from './apply-together.ts';
import type { RowSource } from './audit-batch.ts';
import { parseRow, type TicketRow } from './parse-row.ts';
import type { RowResult } from './row-result.ts';

export const MOST_ROWS = 1_000;

/**
 * Brings events, ticket types and tickets of production to the state that rows describe. Rows may arrive repeatedly and in any order: in
 * a batch, events are applied before ticket types, and ticket types before tickets; rows of the same reference in their order. A row
 * that refers to something missing fails with a reason of its own (`RETRIABLE_REASONS`). Each row is applied whole or not at all,
 * independently of the others; all applied rows are committed together.
 * @param rows up to 1,000, as received
 * @returns one result per row, in their order
 * @throws DomainError `invalid_request` for too many rows; `cluster_missing` without `PRODUCTION_PROGRAM_ID`; `unavailable` where no
 * wallet can be made, or others keep changing the same rows; and as `source.check` does. Then nothing was applied
 */
export async function applyRows(
  context: ApplyContext,
  rows: readonly unknown[],
  source: RowSource,
): Promise<RowResult[]> {
  if (rows.length > MOST_ROWS) {
    throw new DomainError('invalid_request', `There may be at most ${MOST_ROWS.toLocaleString('en')} rows.`);
  }
  const { requestId } = source;
  const given: GivenRow[] = [];
  await inSlices(rows, (row) => given.push({ ...parseRow(row), requestId }));
  if (!mayShare(given, source)) return applyTogether(context, given, source);
  return queueOf(context, source).load({ context, rows: given, source });
}

/** A call whose rows share a transaction with those of others. */
interface SmallCall {
  context: ApplyContext;
  rows: readonly GivenRow[];
  source: RowSource;
}

const MOST_SHARED_ROWS = 10;
const TURNS = { mostTogether: 32, mostUnderWay: 1 };
const MOST_QUEUES = 100;

/**
 * Scans at the doors arrive by the hundred a second, one row each. Those of a service account that wait for each other share a plan and
 * a transaction. Only rows of tickets that name neither a holder nor an account: they never wait for a key service or the cluster.
 */
function mayShare(rows: readonly GivenRow[], { run, check, reason, keepsHolders = false }: RowSource): boolean {
  if (run !== undefined || check !== undefined || reason !== undefined || keepsHolders) return false;
  return rows.length <= MOST_SHARED_ROWS && rows.every(({ row }) => row?.kind === 'ticket' && isOfDatabaseOnly(row));
}

function isOfDatabaseOnly({ holder_phone, holder_fan_id, tix_permit_id }: TicketRow): boolean {
  return [holder_phone, holder_fan_id, tix_permit_id].every((name) => name === undefined);
}

type Queue = DataLoader<SmallCall, RowResult[]>;

/** By the access token of the caller, whose name every audit entry has. */
const queues = new WeakMap<Pool, LRUCache<string, Queue>>();

function queueOf({ pool }: ApplyContext, { actor, staffToken = '' }: RowSource): Queue {
  const ofPool = queues.get(pool) ?? new LRUCache({ max: MOST_QUEUES });
  queues.set(pool, ofPool);
  const caller = `${actor} ${staffToken}`;
  const queue = ofPool.get(caller) ?? takeTurns(applyShared, TURNS);
  ofPool.set(caller, queue);
  return queue;
}

async function applyShared(calls: readonly SmallCall[]): Promise<RowResult[][]> {
  const [first] = calls;
  if (first === undefined) return [];
  const rows = calls.flatMap((call) => call.rows);
  const results = await applyTogether(first.context, rows, first.source);
  let end = 0;
  return calls.map((call) => {
    const start = end;
    end += call.rows.length;
    return results.slice(start, end).map((result, index) => ({ ...result, index }));
  });
}
