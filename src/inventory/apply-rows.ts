import { setTimeout as sleep } from 'node:timers/promises';
import type { WithChains } from '../chain/chains.ts';
import type { NewKey } from '../chain/wallet/create-keys.ts';
import type { WithCustody } from '../keys/vault.ts';
import type { Context } from '../platform/context.ts';
import { isRowFault } from '../platform/database/faults.ts';
import { inTransaction } from '../platform/database/prepared.ts';
import { DomainError } from '../platform/errors.ts';
import type { Uuid } from '../platform/identifier/type-id.ts';
import { inSlices } from '../platform/in-slices.ts';
import { newKeys } from '../sign-in/fan/register-fans.ts';
import { programIdOf } from '../tickets/ticket/onchain-ids.ts';
import { syncAdopted } from './adopted-permits.ts';
import type { RowSource } from './audit-batch.ts';
import { PlanOutdated } from './lock-plan.ts';
import { AccountReader } from './named-accounts.ts';
import { type InventoryRow, type ParsedRow, parseRow } from './parse-row.ts';
import { emptyPlan, type Plan } from './plan.ts';
import { planEvent, planTicketType } from './plan-event.ts';
import { planTicket } from './plan-ticket.ts';
import { ROW_KINDS, type RowFault, type RowOutcome, type RowResult, rowFault } from './row-result.ts';
import { readListed, readStored } from './stored-state.ts';
import { writePlan } from './write-plan.ts';

export const MOST_ROWS = 1_000;
const MOST_TRIES = 20;
const LONGEST_PAUSE_MS = 50;

type ApplyContext = Pick<Context, 'pool' | 'now' | 'config' | 'log' | 'requestId'> & WithCustody & WithChains;

/** A call of `applyRows`. */
type Applying = ApplyContext & { accounts: AccountReader };

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
  const parsed: ParsedRow[] = [];
  await inSlices(rows, (row) => parsed.push(parseRow(row)));
  return applyParsed({ ...context, accounts: new AccountReader(context) }, parsed, source);
}

/** Where the database refuses a batch, bisects it down to the row that is refused. */
async function applyParsed(context: Applying, rows: readonly ParsedRow[], source: RowSource): Promise<RowResult[]> {
  try {
    return await applyTogether(context, rows, source);
  } catch (error) {
    if (!isRowFault(error)) throw error;
    const [row] = rows;
    if (row !== undefined && rows.length === 1) return [resultOf(row, 0, rowFault('not_stored'))];
  }
  const middle = Math.ceil(rows.length / 2);
  const first = await applyParsed(context, rows.slice(0, middle), source);
  const second = await applyParsed(context, rows.slice(middle), source);
  return [...first, ...second.map((result) => ({ ...result, index: result.index + middle }))];
}

/** Plans without locks and writes in one transaction; again where another transaction changed the same rows in between. */
async function applyTogether(context: Applying, rows: readonly ParsedRow[], source: RowSource): Promise<RowResult[]> {
  const keys: NewKey[] = [];
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const { plan, results } = await planRows(context, rows, source);
    // before the transaction: a key service may take seconds
    keys.push(...(await newKeys(context, plan.newFans.size - keys.length)));
    const newFans = [...plan.newFans].map(([phone, id], index) => ({ id, phone, key: keyAt(keys, index) }));
    try {
      await inTransaction(context.pool, (client) => writePlan(client, { plan, newFans, results, source }));
    } catch (error) {
      if (!(error instanceof PlanOutdated || isDeadlock(error))) throw error;
      await sleep(Math.random() * LONGEST_PAUSE_MS);
      continue;
    }
    await syncAdopted(context, plan);
    return results;
  }
  throw new DomainError('unavailable', 'Other calls keep changing the same rows.', { retryAfter: 1 });
}

/** PostgreSQL's deadlock_detected. Our own lock order prevents it, but other transactions may lock in another order. */
function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '40P01';
}

function keyAt(keys: readonly NewKey[], index: number): NewKey {
  const key = keys[index];
  if (key === undefined) throw new RangeError('there is a key for every new fan');
  return key;
}

async function planRows(
  { pool, config, now, accounts: reader }: Applying,
  rows: readonly ParsedRow[],
  { keepsHolders = false }: RowSource,
): Promise<{ plan: Plan; results: RowResult[] }> {
  const sound = rows.flatMap(({ row }) => row ?? []);
  const stored = await readStored(pool, sound);
  const accounts = await reader.read(pool, sound, stored);
  const listed = keepsHolders ? await readListed(pool, sound, stored) : new Set<Uuid>();
  const programId = programIdOf(config, 'production');
  const plan = emptyPlan({ stored, accounts, programId, now: now(), keepsHolders, listed });
  const ended = new Map<InventoryRow, RowOutcome | RowFault>();
  const ordered = ROW_KINDS.flatMap((kind) => sound.filter((row) => row.kind === kind));
  await inSlices(ordered, (row) => ended.set(row, planRow(plan, row)));
  const results = rows.map((parsed, index) => {
    const end = parsed.row === undefined ? parsed.fault : ended.get(parsed.row);
    return resultOf(parsed, index, end ?? rowFault('invalid_row'));
  });
  return { plan, results };
}

function planRow(plan: Plan, row: InventoryRow): RowOutcome | RowFault {
  switch (row.kind) {
    case 'event':
      return planEvent(plan, row);
    case 'ticket_type':
      return planTicketType(plan, row);
    case 'ticket':
      return planTicket(plan, row);
  }
}

function resultOf({ kind, reference }: ParsedRow, index: number, end: RowOutcome | RowFault): RowResult {
  return typeof end === 'string'
    ? { index, kind, reference, outcome: end }
    : { index, kind, reference, outcome: 'failed', ...end };
}
