import { type Outcome, readOutcomes } from '../../chain/transaction-outcome.ts';
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
    const finality = await chain.gateway.finality();
    const sent = issues.map(({ signature, last_valid_height }) => {
      return { signature, lifetime: { lastValidHeight: last_valid_height, finality } };
    });
    const outcomes = await readOutcomes(chain.gateway, sent);
    const changed = await Promise.all(
      issues.map(async (issue, index) => {
        const outcome = outcomes[index];
        return outcome !== undefined && (await settle(run, issue, outcome));
      }),
    );
    return changed.some(Boolean);
  } finally {
    const landed = issues.filter(({ state }) => state === 'landed').map(({ signature }) => signature);
    const open = signatures.filter((signature) => !landed.includes(signature));
    await lookAgain(pool, [open, after(now(), LOOK_OPEN)]);
    await lookAgain(pool, [landed, after(now(), LOOK_LANDED)]);
  }
}

/** @returns whether it changed. One that fails does not stop the others. */
async function settle(run: IssueRun, issue: OpenIssue, outcome: Outcome): Promise<boolean> {
  try {
    return await settleBy(run, issue, outcome);
  } catch (err) {
    run.context.log.warn(
      { err, signature: issue.signature },
      'a transaction that issues or closes permits could not be settled',
    );
    return false;
  }
}

async function settleBy(run: IssueRun, issue: OpenIssue, outcome: Outcome): Promise<boolean> {
  const { context, chain } = run;
  const { signature } = issue;
  if (outcome.is === 'landed') {
    if (issue.state === 'open') {
      const cost = await chain.gateway.costOf(signature);
      await markLanded(context.pool, [
        signature,
        context.now(),
        cost?.fee.toString() ?? null,
        cost?.rent.toString() ?? null,
      ]);
    }
    if (outcome.final) await finishIssue(run, signature);
    return issue.state === 'open' || outcome.final;
  }
  if (outcome.is === 'failed') {
    const cost = await chain.gateway.costOf(signature);
    await endRefused(run, signature, {
      state: 'failed',
      reason: outcome.reason,
      paid: cost?.fee ?? BigInt(issue.fee),
      cost: priceOf({ fee: BigInt(issue.fee), rent: BigInt(issue.rent) }),
    });
    return true;
  }
  if (outcome.is === 'never') {
    await endOver(run, issue, outcome.slot);
    return true;
  }
  const isSeen = outcome.is === 'open' && outcome.isSeen;
  if (isSeen || !issue.stale) return false;
  await markSent(context.pool, [[signature], context.now()]);
  await chain.gateway.submit(Buffer.from(issue.bytes, 'base64'), issue.slot);
  return false;
}
