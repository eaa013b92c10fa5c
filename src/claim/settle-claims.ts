import { setTimeout as sleep } from 'node:timers/promises';
import { chainOf } from '../chain/chains.ts';
import type { TransactionStatus } from '../chain/gateway/gateway.ts';
import type { Submission } from '../chain/gateway/submit-transaction.ts';
import { prepared } from '../database/prepared.ts';
import type { Mode } from '../entities/mode.ts';
import { confirmLanded } from './confirm-claims.ts';
import { failClaim, type LandedClaim } from './end-claims.ts';
import { isOpen, type OpenClaim } from './open-claim.ts';
import { apart, isUnreachable, type Settling } from './set-aside.ts';

/**
 * The second half of a claim: from its row to its end. `pending -> submitted -> confirmed | failed`, each step one
 * conditional update, so that the request that made the claim and the job that takes up after a crash can both be at it.
 * A signed transaction can be handed over again without harm: its signature is its identity on the cluster.
 */
interface Run extends Settling {
  /** From when on a claim that was handed over may be again, by `performance.now()`. */
  handedOver: Map<OpenClaim, number>;
}

type Statuses = Map<OpenClaim, TransactionStatus>;

const POLL_MS = 200;
/** Where nobody answered to a submission, it is handed over again after this long: it may never have arrived. */
const RESUBMIT_AFTER_MS = 2_000;

const markSubmitted = prepared(
  `update claim set state = 'submitted', updated_at = $2 where id = any($1) and state = 'pending'`,
);

/**
 * Brings open claims to their end, as far as that can be done within some time, and looks once whether failed ones landed after all. What is
 * still open then stays as it is, for the next call; a claim that makes trouble is set aside, and the others go on.
 * @param claims their `state` and `failure` are brought up to date
 * @param patienceMs how long to wait for confirmations
 * @throws DomainError `unavailable` where the cluster can't be asked
 */
export async function settleClaims(
  context: Settling['context'],
  mode: Mode,
  claims: OpenClaim[],
  patienceMs: number,
): Promise<void> {
  const run: Run = { context, mode, chain: chainOf(context.chains, mode), aside: new Set(), handedOver: new Map() };
  const until = performance.now() + patienceMs;
  for (let left = claims.filter((claim) => isOpen(claim) || claim.may_land); left.length > 0; ) {
    const moved = await advance(run, left);
    left = claims.filter((claim) => isOpen(claim) && !run.aside.has(claim));
    if (performance.now() >= until) return;
    // what was handed over just now is looked for at once; only then is it waited for
    if (!moved && left.length > 0) await sleep(POLL_MS);
  }
}

/**
 * One round: asks the cluster, ends what it has decided, hands over what it does not know.
 * @returns whether anything was handed over
 */
async function advance(run: Run, claims: OpenClaim[]): Promise<boolean> {
  const { chain, context, handedOver } = run;
  // in this order: a transaction that is unknown after its blockhash has expired can never land any more
  const blockhashes = await apart(run, 'blockhash', claims.filter(isOpen), ({ recent_blockhash }) =>
    chain.gateway.blockhash(recent_blockhash),
  );
  const statuses = await takeStatuses(run, claims);
  const waiting: OpenClaim[] = [];
  for (const [claim, { recent, slot }] of blockhashes) {
    const status = statuses.get(claim);
    if (status?.state !== 'unknown') continue;
    // a node behind the slot where the blockhash was valid has not heard of it yet: it may be valid still
    if (recent || slot < claim.judged_slot) waiting.push(claim);
    // a node that lags behind the one which knew the blockhash does not know what landed either
    else if (status.slot >= slot) await failClaim(context, claim, 'its blockhash expired before it landed', false);
  }
  const due = waiting.filter((claim) => (handedOver.get(claim) ?? 0) <= performance.now());
  if (due.length === 0) return false;
  for (const [claim, { outcome }] of await handOver(run, due)) {
    const answered = outcome !== 'unknown';
    handedOver.set(claim, answered ? Number.POSITIVE_INFINITY : performance.now() + RESUBMIT_AFTER_MS);
  }
  return true;
}

async function handOver(run: Run, claims: OpenClaim[]): Promise<Map<OpenClaim, Submission>> {
  const { context, chain } = run;
  await markSubmitted(context.pool, [claims.map(({ id }) => id), context.now()]);
  const submissions = await apart(run, 'submission', claims, ({ transaction, judged_slot }) =>
    chain.gateway.submit(Buffer.from(transaction, 'hex'), judged_slot),
  );
  const refused = claims.filter((claim) => submissions.get(claim)?.outcome === 'refused');
  // a refusal may only mean that it was run a moment before
  const statuses = await takeStatuses(run, refused);
  for (const claim of refused) {
    const submission = submissions.get(claim);
    if (statuses.get(claim)?.state !== 'unknown' || submission?.outcome !== 'refused') continue;
    await failClaim(context, claim, submission.reason, false);
  }
  return submissions;
}

/** Ends the claims that the cluster has decided. @returns what it said of each */
async function takeStatuses(run: Run, claims: OpenClaim[]): Promise<Statuses> {
  const statuses = await readStatuses(run, claims);
  const landed: LandedClaim[] = [];
  for (const [claim, status] of statuses) {
    if (status.state === 'failed') await failClaim(run.context, claim, status.reason, true);
    if (status.state === 'confirmed') landed.push({ claim, slot: status.slot });
  }
  await confirmLanded(run, landed);
  return statuses;
}

/** In one call; where the node has no answer to that, one by one. */
async function readStatuses(run: Run, claims: OpenClaim[]): Promise<Statuses> {
  const { gateway } = run.chain;
  try {
    const statuses = await gateway.statuses(claims.map(({ signature }) => signature));
    return new Map(claims.flatMap((claim, index) => (statuses[index] ? [[claim, statuses[index]]] : [])));
  } catch (error) {
    if (isUnreachable(error)) throw error;
  }
  const found = await apart(run, 'status', claims, ({ signature }) => gateway.statuses([signature]));
  return new Map([...found].flatMap(([claim, [status]]) => (status ? [[claim, status]] : [])));
}
