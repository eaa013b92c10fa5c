import type { TransactionStatus } from '../../chain/gateway/read-statuses.ts';
import { after } from '../../platform/time.ts';
import { endOver, endRefused, finishIssue } from './end-issue.ts';
import type { IssueRun } from './issue-run.ts';
import { lookAgain, markLanded, markSent, type OpenIssue, priceOf, takeOpen } from './issue-transactions.ts';

/** The cluster's limit of `getSignatureStatuses`. */
const AT_ONCE = 200;
/** Seconds until the next look at one that may land, and at one that is not final. */
const LOOK_OPEN = 0.2;
const LOOK_LANDED = 2;

/**
 * Looks at the transactions that are due: marks those that landed or are final, sends those that are unknown to the cluster again while
 * their blockhash is valid, and ends them once it has expired.
 * @returns whether any of them changed
 * @throws DomainError `unavailable` where the cluster can't be asked
 */
export async function settleIssues(run: IssueRun): Promise<boolean> {
  const { context, mode, chain } = run;
  const { pool, now } = context;
  const issues = await takeOpen(pool, [mode, now(), AT_ONCE]);
  if (issues.length === 0) return false;
  const signatures = issues.map(({ signature }) => signature);
  try {
    // in this order: a transaction that is unknown after its blockhash has expired can never land
    const finality = await chain.gateway.finality();
    const statuses = await chain.gateway.statuses(signatures);
    const outcomes = await Promise.all(
      issues.map(async (issue, index) => {
        const status = statuses[index];
        return status !== undefined && (await settle(run, issue, status, finality));
      }),
    );
    return outcomes.some(Boolean);
  } finally {
    const landed = issues.filter(({ state }) => state === 'landed').map(({ signature }) => signature);
    const open = signatures.filter((signature) => !landed.includes(signature));
    await lookAgain(pool, [open, after(now(), LOOK_OPEN)]);
    await lookAgain(pool, [landed, after(now(), LOOK_LANDED)]);
  }
}

/** @returns whether it changed. One that fails does not stop the others. */
async function settle(
  run: IssueRun,
  issue: OpenIssue,
  status: TransactionStatus,
  finality: { slot: number; height: number },
): Promise<boolean> {
  try {
    return await settleBy(run, issue, status, finality);
  } catch (err) {
    run.context.log.warn(
      { err, signature: issue.signature },
      'a transaction that issues or closes permits could not be settled',
    );
    return false;
  }
}

async function settleBy(
  run: IssueRun,
  issue: OpenIssue,
  status: TransactionStatus,
  finality: { slot: number; height: number },
): Promise<boolean> {
  const { context, chain } = run;
  const { signature } = issue;
  if (status.state === 'confirmed') {
    if (issue.state === 'open') {
      const cost = await chain.gateway.costOf(signature);
      await markLanded(context.pool, [
        signature,
        context.now(),
        cost?.fee.toString() ?? null,
        cost?.rent.toString() ?? null,
      ]);
    }
    if (status.final) await finishIssue(run, signature);
    return issue.state === 'open' || status.final;
  }
  if (status.state === 'failed') {
    const cost = await chain.gateway.costOf(signature);
    await endRefused(run, signature, {
      state: 'failed',
      reason: status.reason,
      paid: cost?.fee ?? BigInt(issue.fee),
      cost: priceOf({ fee: BigInt(issue.fee), rent: BigInt(issue.rent) }),
    });
    return true;
  }
  if (status.state === 'processing') return false;
  // a node behind that block may not have what landed before it
  if (finality.height > issue.last_valid_height && status.slot >= finality.slot) {
    await endOver(run, issue, finality.slot);
    return true;
  }
  if (!issue.stale) return false;
  await markSent(context.pool, [[signature], context.now()]);
  await chain.gateway.submit(Buffer.from(issue.bytes, 'base64'), issue.slot);
  return false;
}
