import { setTimeout as sleep } from 'node:timers/promises';
import { chainOf } from '../../chain/chains.ts';
import { isUnreachable } from '../../chain/gateway/ask.ts';
import type { Submission } from '../../chain/gateway/submit-transaction.ts';
import { type Outcome, readOutcome, readOutcomes, type SentTransaction } from '../../chain/transaction-outcome.ts';
import type { Mode } from '../../platform/mode.ts';
import { confirmLanded } from './confirm-landed.ts';
import { failClaim } from './end-claims.ts';
import { attemptEach, type SettleRun, setAside } from './set-aside.ts';
import { isOpen, type LandedClaim, type StoredClaim } from './stored-claim.ts';

interface Run extends SettleRun {
  /** When a submitted claim may be submitted again, by `performance.now()`. */
  resubmitAt: Map<StoredClaim, number>;
}

type Outcomes = Map<StoredClaim, Outcome>;

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

/** One round: reads outcomes, ends decided claims, submits those that no node has. @returns whether any was submitted */
async function advance(run: Run, claims: StoredClaim[]): Promise<boolean> {
  const { context, resubmitAt } = run;
  const due: StoredClaim[] = [];
  for (const [claim, outcome] of await applyOutcomes(run, claims)) {
    if (!isOpen(claim)) continue;
    if (outcome.is === 'never') await failClaim(context, claim, 'its blockhash expired before it landed', false);
    if (outcome.is === 'unclear') await setAside(run, 'blockhash', claim, outcome.fault);
    if (isUnseen(outcome) && (resubmitAt.get(claim) ?? 0) <= performance.now()) due.push(claim);
  }
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
  const outcomes = await applyOutcomes(run, refused);
  for (const claim of refused) {
    const submission = submissions.get(claim);
    const outcome = outcomes.get(claim);
    if (submission?.outcome !== 'refused' || outcome === undefined) continue;
    if (outcome.is === 'never' || isUnseen(outcome)) await failClaim(context, claim, submission.reason, false);
  }
  return submissions;
}

/** Reads outcomes, and ends the claims that the cluster has decided. */
async function applyOutcomes(run: Run, claims: StoredClaim[]): Promise<Outcomes> {
  const outcomes = await readEach(run, claims);
  const landed: LandedClaim[] = [];
  for (const [claim, outcome] of outcomes) {
    if (outcome.is === 'failed') await failClaim(run.context, claim, outcome.reason, true);
    if (outcome.is === 'landed') landed.push({ claim, slot: outcome.slot });
  }
  await confirmLanded(run, landed);
  return outcomes;
}

/** Reads the outcomes together; where the node refuses that, one by one. */
async function readEach(run: Run, claims: StoredClaim[]): Promise<Outcomes> {
  const { gateway } = run.chain;
  try {
    const outcomes = await readOutcomes(gateway, claims.map(sentOf));
    return new Map(claims.flatMap((claim, index) => (outcomes[index] ? [[claim, outcomes[index]]] : [])));
  } catch (error) {
    if (isUnreachable(error)) throw error;
  }
  return attemptEach(run, 'status', claims, (claim) => readOutcome(gateway, sentOf(claim)));
}

function isUnseen(outcome: Outcome): boolean {
  return outcome.is === 'open' && !outcome.isSeen;
}

/** The transaction of a claim. Of a failed one, only what the cluster has decided is read. */
function sentOf(claim: StoredClaim): SentTransaction {
  const { signature, recent_blockhash: blockhash, judged_slot: validAt } = claim;
  return isOpen(claim) ? { signature, lifetime: { blockhash, validAt } } : { signature };
}
