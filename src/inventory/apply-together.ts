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
import type { InventoryRow, ParsedRow } from './parse-row.ts';
import { emptyPlan, type Plan } from './plan.ts';
import { planEvent, planTicketType } from './plan-event.ts';
import { planTicket } from './plan-ticket.ts';
import { ROW_KINDS, type RowFault, type RowOutcome, type RowResult, rowFault } from './row-result.ts';
import { readListed, readStored } from './stored-state.ts';
import { writePlan } from './write-plan.ts';

const MOST_TRIES = 20;
const LONGEST_PAUSE_MS = 50;

export type ApplyContext = Pick<Context, 'pool' | 'now' | 'config' | 'log' | 'requestId'> & WithCustody & WithChains;

/** A row of a batch, with the request that it arrived with: calls may share a batch. */
export interface GivenRow extends ParsedRow {
  requestId: string | null;
}

/** Applying a batch, or a part of one. */
type Applying = ApplyContext & { accounts: AccountReader };

/**
 * Applies rows in one transaction, as `applyRows` says.
 * @param source of all rows; `requestId` of a row is its own
 */
export async function applyTogether(
  context: ApplyContext,
  rows: readonly GivenRow[],
  source: RowSource,
): Promise<RowResult[]> {
  return applyParts({ ...context, accounts: new AccountReader(context) }, rows, source);
}

/** Where the database refuses a batch, bisects it down to the row that is refused. */
async function applyParts(context: Applying, rows: readonly GivenRow[], source: RowSource): Promise<RowResult[]> {
  try {
    return await applyWhole(context, rows, source);
  } catch (error) {
    if (!isRowFault(error)) throw error;
    const [row] = rows;
    if (row !== undefined && rows.length === 1) return [resultOf(row, 0, rowFault('not_stored'))];
  }
  const middle = Math.ceil(rows.length / 2);
  const first = await applyParts(context, rows.slice(0, middle), source);
  const second = await applyParts(context, rows.slice(middle), source);
  return [...first, ...second.map((result) => ({ ...result, index: result.index + middle }))];
}

/** Plans without locks and writes in one transaction; again where another transaction changed the same rows in between. */
async function applyWhole(context: Applying, rows: readonly GivenRow[], source: RowSource): Promise<RowResult[]> {
  const keys: NewKey[] = [];
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const { plan, results } = await planRows(context, rows, source);
    // before the transaction: a key service may take seconds
    keys.push(...(await newKeys(context, plan.newFans.size - keys.length)));
    const newFans = [...plan.newFans].map(([phone, id], index) => ({ id, phone, key: keyAt(keys, index) }));
    try {
      const batch = {
        plan,
        newFans,
        results: Map.groupBy(results, ({ index }) => rows[index]?.requestId ?? null),
        source,
      };
      await inTransaction(context.pool, (client) => writePlan(client, batch));
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
  given: readonly GivenRow[],
  { keepsHolders = false }: RowSource,
): Promise<{ plan: Plan; results: RowResult[] }> {
  const rows = given.flatMap(({ row }) => row ?? []);
  const stored = await readStored(pool, rows);
  const accounts = await reader.read(pool, rows, stored);
  const listed = keepsHolders ? await readListed(pool, rows, stored) : new Set<Uuid>();
  const programId = programIdOf(config, 'production');
  const plan = emptyPlan({ stored, accounts, programId, now: now(), keepsHolders, listed });
  const ended = new Map<InventoryRow, RowOutcome | RowFault>();
  const ordered = ROW_KINDS.flatMap((kind) => given.filter(({ row }) => row?.kind === kind));
  await inSlices(ordered, ({ row, requestId }) => {
    if (row === undefined) return;
    const before = plan.effects.length;
    ended.set(row, planRow(plan, row));
    for (const effect of plan.effects.slice(before)) effect.request_id = requestId;
  });
  const results = given.map((parsed, index) => {
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
