import { accountDataLength } from '@fan-api/cosign-policy/read-account';
import { isUnreadable } from '../../chain/gateway/read-accounts.ts';
import {
  feeOf,
  issueInstructions,
  MOST_PERMITS,
  type PermitToIssue,
  packPermits,
  unitsOf,
} from '../../chain/instruction/issue-instructions.ts';
import { readStanding } from '../../chain/payer.ts';
import { signOwnTransaction } from '../../chain/wallet/own-transaction.ts';
import { inTransaction } from '../../platform/database/prepared.ts';
import { storableText } from '../../platform/database/storable-text.ts';
import { after } from '../../platform/time.ts';
import { endRefused } from './end-issue.ts';
import { growTokens, type NewIssue, priorityPrice, type Room, readFree, writeDown } from './issue-transactions.ts';
import { type IssueRun, type Pause, reportSetAside } from './issue-turn.ts';
import {
  dropWaiting,
  forgetEvents,
  giveBackWaiting,
  isAnyDue,
  LEASE_SECONDS,
  markIssued,
  postponeWaiting,
  setAside,
  type TakenPermit,
  takeWaiting,
} from './waiting-permits.ts';

/** Transactions that one turn stores. */
const MOST_TRANSACTIONS = 8;
/** Seconds until an account that exists already is final. */
const ADOPT_PAUSE_SECONDS = 5;

/** What a turn did with the queue. */
export interface Issued {
  /** Whether any permit was due. */
  readonly due: boolean;
  readonly sent: number;
  readonly pause?: Pause;
}

/**
 * Takes permits from the queue, as many as rate, budget and transactions in flight allow, stores the transactions that issue
 * them, and sends these.
 * @throws DomainError `unavailable` where the cluster can't be asked: the permits are taken again
 */
export async function issueWaiting(run: IssueRun): Promise<Issued> {
  const { context, mode } = run;
  const { pool, now, config } = context;
  const [any] = await isAnyDue(pool, [mode, now()]);
  if (any?.due !== true) return { due: false, sent: 0 };
  const room = roomOf(run);
  const { rate } = config.issuing;
  const [pace] = await growTokens(pool, [mode, now(), rate, Math.max(rate, MOST_PERMITS)]);
  const tokens = Math.floor(pace?.tokens ?? 0);
  const free = await readFree(pool, mode, room);
  const pause = tokens < 1 ? 'rate' : free.transactions < 1 ? 'in_flight' : undefined;
  if (pause !== undefined) return { due: false, sent: 0, pause };
  const most = Math.min(tokens, MOST_PERMITS * Math.min(free.transactions, MOST_TRANSACTIONS));
  const lease = after(now(), LEASE_SECONDS);
  const taken = await takeWaiting(pool, [mode, now(), most, lease]);
  if (taken.length === 0) return { due: false, sent: 0 };
  const kept = new Set(taken.map(({ id }) => id));
  try {
    const { issues, pause: stopped } = await prepare(run, taken, free.lamports);
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

function roomOf({ context: { now, config } }: IssueRun): Room {
  const { inFlight, dailyBudget } = config.issuing;
  return { inFlight, dailyBudget: BigInt(dailyBudget), day: now().toISOString().slice(0, 10) };
}

/** Permits for one transaction, with what it is expected to cost in lamports. */
interface Batch {
  readonly permits: readonly PermitToIssue[];
  readonly fee: bigint;
  readonly rent: bigint;
}

/** Sorts out what can't be issued, and signs transactions with the others, as many as can be paid. */
async function prepare(
  run: IssueRun,
  taken: readonly TakenPermit[],
  budget: bigint,
): Promise<{ issues: NewIssue[]; pause?: Pause }> {
  const permits = await issuable(run, taken);
  if (permits.length === 0) return { issues: [] };
  const { chain, mode, context } = run;
  const rent = await chain.gateway.rentExemption(accountDataLength('Permit'));
  const price = await priorityPrice(context.config.issuing, chain);
  const { fault, spendable } = await readStanding(chain);
  if (fault !== undefined) return { issues: [], pause: fault };
  const toBatch = (batch: readonly PermitToIssue[]): Batch => {
    const fee = feeOf(unitsOf(chain.programId, batch), price);
    return { permits: batch, fee, rent: rent * BigInt(batch.length) };
  };
  const wanted = packPermits(permits).slice(0, MOST_TRANSACTIONS).map(toBatch);
  const batches = affordable(wanted, spendable < budget ? spendable : budget, toBatch);
  const cut =
    batches.at(-1)?.permits.length !== wanted[batches.length - 1]?.permits.length || batches.length < wanted.length;
  const pause = !cut ? {} : ({ pause: spendable < budget ? 'payer_empty' : 'budget' } as const);
  // one authority for all of them: it may change while they are signed
  const keys = { programId: chain.programId, authority: chain.authority, payer: chain.payer };
  const { blockhash, lastValidHeight, slot } = await chain.gateway.freshBlockhash();
  const issues = batches.map(async ({ permits, fee, rent }): Promise<NewIssue> => {
    const instructions = issueInstructions(keys, permits, price);
    const signed = await signOwnTransaction(keys, context.signer, {
      instructions,
      blockhash,
      signers: [keys.authority],
    });
    return { ...signed, mode, lastValidHeight, slot, permits: permits.map(({ id }) => id), fee, rent };
  });
  return { issues: await Promise.all(issues), ...pause };
}

/** The first batches for which the lamports suffice; the one that does not fit is cut. */
function affordable(
  batches: readonly Batch[],
  lamports: bigint,
  toBatch: (permits: readonly PermitToIssue[]) => Batch,
): Batch[] {
  const paid: Batch[] = [];
  let left = lamports;
  for (const batch of batches) {
    let fitting = batch;
    while (fitting.permits.length > 0 && fitting.fee + fitting.rent > left) fitting = toBatch(fitting.permits.slice(1));
    if (fitting.permits.length > 0) paid.push(fitting);
    if (fitting !== batch) return paid;
    left -= batch.fee + batch.rent;
  }
  return paid;
}

/** The permits that can be issued now. The others leave the queue, or are set aside with the reason. */
async function issuable(run: IssueRun, taken: readonly TakenPermit[]): Promise<PermitToIssue[]> {
  const { context, chain } = run;
  const { pool, now } = context;
  await dropWaiting(pool, [taken.filter(({ wanted }) => !wanted).map(({ id }) => id)]);
  const wanted = taken.filter((permit) => permit.wanted);
  const [events, readings] = await Promise.all([
    missingEvents(run, wanted),
    chain.gateway.permits(wanted.map(({ address }) => address)),
  ]);
  const aside: { id: string; reason: string }[] = [];
  const there: TakenPermit[] = [];
  const permits: PermitToIssue[] = [];
  for (const [index, permit] of wanted.entries()) {
    const reading = readings[index];
    const reason = isUnreadable(reading) ? reading.reason : faultOf(permit, events);
    if (reading !== undefined && !isUnreadable(reading)) there.push(permit);
    else if (reason !== undefined) aside.push({ id: permit.id, reason: storableText(reason, 300) });
    else if (permit.owner !== null) permits.push({ ...permit, owner: permit.owner, ticketId: permit.ticket_id });
  }
  await adopt(run, there);
  if (aside.length > 0) reportSetAside(run, await setAside(pool, [JSON.stringify(aside), now()]));
  return permits;
}

function faultOf({ owner, registered, event }: TakenPermit, missing: ReadonlySet<string>): string | undefined {
  if (owner === null) return 'its holder has no wallet, or nobody holds it';
  if (!registered) return 'its event is not on the chain yet';
  return missing.has(event) ? 'its event is not on the chain any more, and is registered again' : undefined;
}

/** Events that count as registered, and are not on the chain: a fork dropped them. */
async function missingEvents({ context, chain }: IssueRun, permits: readonly TakenPermit[]): Promise<Set<string>> {
  const events = [...new Set(permits.filter(({ registered }) => registered).map(({ event }) => event))];
  const readings = await chain.gateway.events(events);
  const missing = events.filter((_, index) => readings[index] === undefined);
  if (missing.length > 0) await forgetEvents(context.pool, [missing]);
  return new Set(missing);
}

/** Marks permits as issued whose account exists at `finalized`: an earlier transaction landed after all. */
async function adopt({ context, chain }: IssueRun, there: readonly TakenPermit[]): Promise<void> {
  if (there.length === 0) return;
  const final = await chain.gateway.finalPermits(
    there.map(({ address }) => address),
    0,
  );
  const ids = there.filter((_, index) => final[index] !== undefined && !isUnreadable(final[index])).map(({ id }) => id);
  await markIssued(context.pool, [ids, context.now()]);
  await dropWaiting(context.pool, [ids]);
  const later = there.map(({ id }) => id).filter((id) => !ids.includes(id));
  await postponeWaiting(context.pool, [later, after(context.now(), ADOPT_PAUSE_SECONDS)]);
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
  if (issue !== undefined && free.lamports < issue.fee + issue.rent) return 'budget';
  return free.transactions < 1 ? 'in_flight' : undefined;
}

/** Sends a stored transaction. Only a refusal is decided here; `settleIssues` finds every other outcome. */
async function send(run: IssueRun, { signature, bytes, slot, fee, rent }: NewIssue): Promise<void> {
  const { gateway } = run.chain;
  const submission = await gateway.submit(bytes, slot);
  if (submission.outcome !== 'refused') return;
  // preflight also refuses what has just run
  const [status] = await gateway.statuses([signature]);
  if (status?.state !== 'unknown') return;
  const refusal = { state: 'refused', reason: submission.reason, paid: 0n, cost: fee + rent } as const;
  await endRefused(run, signature, refusal);
}
