import { setTimeout as sleep } from 'node:timers/promises';
import { chainOf } from '../../chain/chains.ts';
import { isUnreachable } from '../../chain/gateway/ask.ts';
import type { TransactionStatus } from '../../chain/gateway/read-statuses.ts';
import type { Submission } from '../../chain/gateway/submit-transaction.ts';
import type { Mode } from '../../platform/mode.ts';
import { confirmLanded } from './confirm-landed.ts';
import { failClaim } from './end-claims.ts';
import { attemptEach, type SettleRun } from './set-aside.ts';
import { isOpen, type LandedClaim, type StoredClaim } from './stored-claim.ts';

interface Run extends SettleRun {
  /** When a submitted claim may be submitted again, by `performance.now()`. */
  resubmitAt: Map<StoredClaim, number>;
}

type Statuses = Map<StoredClaim, TransactionStatus>;

/** The pause between two reads of statuses. A process polls all its claims at the same moments, and so in one call (D-246). */
const POLL_MS = 200;
/** The pause after a submission that got no answer: it may not have arrived. */
const RESUBMIT_AFTER_MS = 2_000;

/**
 * Settles open claims within a time limit, and rechecks once whether failed ones landed after all. Claims that stay open are left
 * for the next call; one that cannot be settled is set aside. Each end is one conditional update, so that the request that made a
 * claim and the job can run at the same time. Submitting a transaction again is safe: its signature is its identity.
 * @param claims the result is in them: their `state`, `failure` and `may_land` are updated
 * @param patienceMs how long to wait for confirmations
 * @throws DomainError `unavailable` where the cluster can't be asked
 */
export async function settleClaims(
  context: SettleRun['context'],
  mode: Mode,
  claims: StoredClaim[],
  patienceMs: number,
): Promise<void> {
  const run: Run = { context, mode, chain: chainOf(context.chains, mode), aside: new Set(), resubmitAt: new Map() };
  const until = performance.now() + patienceMs;
  for (let left = claims.filter((claim) => isOpen(claim) || claim.may_land); left.length > 0; ) {
    const submitted = await advance(run, left);
    left = claims.filter((claim) => isOpen(claim) && !run.aside.has(claim));
    if (performance.now() >= until) return;
    // the status after a submission is read without a pause
    if (!submitted && left.length > 0) await sleep(POLL_MS - (performance.now() % POLL_MS));
  }
}

/** One round: reads statuses, ends decided claims, submits unknown ones. @returns whether any was submitted */
async function advance(run: Run, claims: StoredClaim[]): Promise<boolean> {
  const { chain, context, resubmitAt } = run;
  // blockhashes before statuses: a transaction that is still unknown once its blockhash has expired can never land
  const blockhashes = await attemptEach(run, 'blockhash', claims.filter(isOpen), ({ recent_blockhash }) =>
    chain.gateway.blockhash(recent_blockhash),
  );
  const statuses = await applyStatuses(run, claims);
  const waiting: StoredClaim[] = [];
  for (const [claim, { recent, slot }] of blockhashes) {
    const status = statuses.get(claim);
    if (status?.state !== 'unknown') continue;
    // a node before the slot where the blockhash was valid does not know it yet, so it may still be valid
    if (recent || slot < claim.judged_slot) waiting.push(claim);
    // only a status no older than the answer about the blockhash shows that the transaction has not landed
    else if (status.slot >= slot) await failClaim(context, claim, 'its blockhash expired before it landed', false);
  }
  const due = waiting.filter((claim) => (resubmitAt.get(claim) ?? 0) <= performance.now());
  if (due.length === 0) return false;
  for (const [claim, { outcome }] of await submit(run, due)) {
    // a node rebroadcasts a transaction that it has accepted; if it loses it, the next run submits it again
    const pause = outcome === 'unknown' ? RESUBMIT_AFTER_MS : Number.POSITIVE_INFINITY;
    resubmitAt.set(claim, performance.now() + pause);
  }
  return true;
}

async function submit(run: Run, claims: StoredClaim[]): Promise<Map<StoredClaim, Submission>> {
  const { context, chain } = run;
  const submissions = await attemptEach(run, 'submission', claims, ({ transaction, judged_slot }) =>
    chain.gateway.submit(Buffer.from(transaction, 'hex'), judged_slot),
  );
  const refused = claims.filter((claim) => submissions.get(claim)?.outcome === 'refused');
  // preflight also refuses a transaction that has just run
  const statuses = await applyStatuses(run, refused);
  for (const claim of refused) {
    const submission = submissions.get(claim);
    if (statuses.get(claim)?.state !== 'unknown' || submission?.outcome !== 'refused') continue;
    await failClaim(context, claim, submission.reason, false);
  }
  return submissions;
}

/** Reads statuses and ends the claims that the cluster has decided. */
async function applyStatuses(run: Run, claims: StoredClaim[]): Promise<Statuses> {
  const statuses = await readStatuses(run, claims);
  const landed: LandedClaim[] = [];
  for (const [claim, status] of statuses) {
    if (status.state === 'failed') await failClaim(run.context, claim, status.reason, true);
    if (status.state === 'confirmed') landed.push({ claim, slot: status.slot });
  }
  await confirmLanded(run, landed);
  return statuses;
}

/** Reads the statuses in one call; where the node refuses that, one by one. */
async function readStatuses(run: Run, claims: StoredClaim[]): Promise<Statuses> {
  const { gateway } = run.chain;
  try {
    const statuses = await gateway.statuses(claims.map(({ signature }) => signature));
    return new Map(claims.flatMap((claim, index) => (statuses[index] ? [[claim, statuses[index]]] : [])));
  } catch (error) {
    if (isUnreachable(error)) throw error;
  }
  const found = await attemptEach(run, 'status', claims, ({ signature }) => gateway.statuses([signature]));
  return new Map([...found].flatMap(([claim, [status]]) => (status ? [[claim, status]] : [])));
}
