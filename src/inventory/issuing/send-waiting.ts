import {
  type BatchKind,
  batchInstructions,
  feeOf,
  type PermitToClose,
  packPermits,
  unitsOf,
} from '../../chain/instruction/permit-batches.ts';
import { readStanding } from '../../chain/payer.ts';
import { readOutcome } from '../../chain/transaction-outcome.ts';
import { signOwnTransaction } from '../../chain/wallet/own-transaction.ts';
import { inTransaction } from '../../platform/database/prepared.ts';
import { after } from '../../platform/time.ts';
import { endRefused } from './end-issue.ts';
import type { IssueRun, Pause } from './issue-run.ts';
import {
  growTokens,
  type NewIssue,
  priceOf,
  priorityPrice,
  type Room,
  readFree,
  writeDown,
} from './issue-transactions.ts';
import { giveBackWaiting, isAnyDue, LEASE_SECONDS, type TakenPermit, takeWaiting } from './waiting-permits.ts';

/** What is done with permits of the queue: they are issued, or closed. */
export interface Work<Permit extends PermitToClose> {
  readonly closes: boolean;
  readonly kind: BatchKind<Permit>;
  /** Those of the taken permits for which it can be done now. The others leave the queue, or are set aside. */
  readonly ready: (run: IssueRun, taken: readonly TakenPermit[]) => Promise<Permit[]>;
  /** Lamports that a permit's account takes; negative where they come back. */
  readonly rentOf: (run: IssueRun) => Promise<bigint>;
}

/** Transactions that one turn stores. */
const MOST_TRANSACTIONS = 8;

/** What a turn did with the queue. */
export interface Sent {
  /** Whether any permit was due. */
  readonly due: boolean;
  readonly sent: number;
  readonly pause?: Pause;
}

/**
 * Takes permits from the queue, as many as rate, budget and transactions in flight allow, stores the transactions that issue or close
 * them, and sends these.
 * @throws DomainError `unavailable` where the cluster can't be asked: the permits are taken again
 */
export async function sendWaiting<Permit extends PermitToClose>(run: IssueRun, work: Work<Permit>): Promise<Sent> {
  const { context, mode } = run;
  const { pool, now, config } = context;
  const { closes, kind } = work;
  const [any] = await isAnyDue(pool, [mode, now(), closes]);
  if (any?.due !== true) return { due: false, sent: 0 };
  const room = roomOf(run);
  const { rate } = config.issuing;
  const [pace] = await growTokens(pool, [mode, now(), rate, Math.max(rate, kind.most)]);
  const tokens = Math.floor(pace?.tokens ?? 0);
  const free = await readFree(pool, mode, room);
  const pause = tokens < 1 ? 'rate' : free.transactions < 1 ? 'in_flight' : undefined;
  if (pause !== undefined) return { due: false, sent: 0, pause };
  const most = Math.min(tokens, kind.most * Math.min(free.transactions, MOST_TRANSACTIONS));
  const lease = after(now(), LEASE_SECONDS);
  const taken = await takeWaiting(pool, [mode, now(), most, lease, closes]);
  if (taken.length === 0) return { due: false, sent: 0 };
  const kept = new Set(taken.map(({ id }) => id));
  try {
    const { issues, pause: stopped } = await prepare(run, work, taken, free.lamports);
    const written: NewIssue[] = [];
    for (const issue of issues) {
      if (!(await write(run, issue, room))) break;
      for (const id of issue.permits) kept.delete(id);
      written.push(issue);
    }
    await Promise.all(written.map((issue) => send(run, issue)));
    const left = written.length < issues.length ? await whyNot(run, issues[written.length], room) : undefined;
    const why = stopped ?? left;
    return { due: true, sent: written.length, ...(why !== undefined && { pause: why }) };
  } finally {
    if (kept.size > 0) await giveBackWaiting(pool, [[...kept], now(), lease]);
  }
}

/** What the day's budget and the cluster still allow. */
export function roomOf({ context: { now, config } }: IssueRun): Room {
  const { inFlight, dailyBudget } = config.issuing;
  return { inFlight, dailyBudget: BigInt(dailyBudget), day: now().toISOString().slice(0, 10) };
}

/** Permits for one transaction, with what it is expected to cost in lamports. */
interface Batch<Permit> {
  readonly permits: readonly Permit[];
  readonly fee: bigint;
  readonly rent: bigint;
}

/** Signs transactions with the permits that are ready, as many as can be paid. */
async function prepare<Permit extends PermitToClose>(
  run: IssueRun,
  { closes, kind, ready, rentOf }: Work<Permit>,
  taken: readonly TakenPermit[],
  budget: bigint,
): Promise<{ issues: NewIssue[]; pause?: Pause }> {
  const permits = await ready(run, taken);
  if (permits.length === 0) return { issues: [] };
  const { chain, mode, context } = run;
  const rent = await rentOf(run);
  const price = await priorityPrice(context.config.issuing, chain);
  const { fault, spendable, receives } = await readStanding(chain);
  if (fault !== undefined) return { issues: [], pause: fault };
  if (closes && !receives) return { issues: [], pause: 'payer_rotated' };
  const toBatch = (batch: readonly Permit[]): Batch<Permit> => {
    const fee = feeOf(unitsOf(kind, chain.programId, batch), price);
    return { permits: batch, fee, rent: rent * BigInt(batch.length) };
  };
  const wanted = packPermits(kind, permits).slice(0, MOST_TRANSACTIONS).map(toBatch);
  const batches = affordable(wanted, spendable < budget ? spendable : budget, toBatch);
  const cut =
    batches.at(-1)?.permits.length !== wanted[batches.length - 1]?.permits.length || batches.length < wanted.length;
  const pause = !cut ? {} : ({ pause: spendable < budget ? 'payer_empty' : 'budget' } as const);
  // one authority for all of them: it may change while they are signed
  const keys = { programId: chain.programId, authority: chain.authority, payer: chain.payer };
  const { blockhash, lastValidHeight, slot } = await chain.gateway.freshBlockhash();
  const issues = batches.map(async ({ permits, fee, rent }): Promise<NewIssue> => {
    const instructions = batchInstructions(kind, keys, permits, price);
    const signed = await signOwnTransaction(keys, context.signer, {
      instructions,
      blockhash,
      signers: [keys.authority],
    });
    return { ...signed, mode, closes, lastValidHeight, slot, permits: permits.map(({ id }) => id), fee, rent };
  });
  return { issues: await Promise.all(issues), ...pause };
}

/** The first batches for which the lamports suffice; the one that does not fit is cut. */
function affordable<Permit>(
  batches: readonly Batch<Permit>[],
  lamports: bigint,
  toBatch: (permits: readonly Permit[]) => Batch<Permit>,
): Batch<Permit>[] {
  const paid: Batch<Permit>[] = [];
  let left = lamports;
  for (const batch of batches) {
    let fitting = batch;
    while (fitting.permits.length > 0 && priceOf(fitting) > left) fitting = toBatch(fitting.permits.slice(1));
    if (fitting.permits.length > 0) paid.push(fitting);
    if (fitting !== batch) return paid;
    left -= priceOf(batch);
  }
  return paid;
}

class NoRoom extends Error {}

/** @returns false where there is no room, or another process has one of the permits */
async function write({ context }: IssueRun, issue: NewIssue, room: Room): Promise<boolean> {
  try {
    await inTransaction(context.pool, async (client) => {
      if (!(await writeDown(client, issue, room, context.now()))) throw new NoRoom();
    });
    return true;
  } catch (error) {
    if (error instanceof NoRoom) return false;
    throw error;
  }
}

async function whyNot(
  { context, mode }: IssueRun,
  issue: NewIssue | undefined,
  room: Room,
): Promise<Pause | undefined> {
  const free = await readFree(context.pool, mode, room);
  if (issue !== undefined && free.lamports < priceOf(issue)) return 'budget';
  return free.transactions < 1 ? 'in_flight' : undefined;
}

/** Sends a stored transaction. Only a refusal is decided here; `settleIssues` finds every other outcome. */
async function send(run: IssueRun, issue: NewIssue): Promise<void> {
  const { signature, bytes, slot } = issue;
  const { gateway } = run.chain;
  const submission = await gateway.submit(bytes, slot);
  if (submission.outcome !== 'refused') return;
  // preflight also refuses what has just run
  const outcome = await readOutcome(gateway, { signature });
  if (outcome.is !== 'open' || outcome.isSeen) return;
  const refusal = { state: 'refused', reason: submission.reason, paid: 0n, cost: priceOf(issue) } as const;
  await endRefused(run, signature, refusal);
}
