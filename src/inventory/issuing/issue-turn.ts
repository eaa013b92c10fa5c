import { setTimeout as sleep } from 'node:timers/promises';
import { prepared } from '../../platform/database/prepared.ts';
import type { Mode } from '../../platform/mode.ts';
import { closeEvents } from './close-events.ts';
import { CLOSING } from './close-permits.ts';
import { ISSUING } from './issue-permits.ts';
import { type IssueContext, type IssueRun, issueRun, type Pause } from './issue-run.ts';
import { registerEvents } from './register-events.ts';
import { sendWaiting } from './send-waiting.ts';
import { settleIssues } from './settle-issues.ts';
import { retrySetAside } from './waiting-permits.ts';

/** What one turn did. */
export interface Turn {
  /** Whether anything changed, so that the next turn need not wait. */
  readonly moved: boolean;
  /** Whether there is more to do now: permits that can be issued, or transactions that may still land. */
  readonly busy: boolean;
  readonly pause: Pause | undefined;
}

const POLL_MS = 100;

const readOpen = prepared<{ open: number }>(
  "select count(*)::int as open from issue_transaction where mode = $1 and state = 'open' and not closes",
);

/**
 * One turn: settles what was sent, registers events, issues permits that wait. Any number of processes can take turns in parallel.
 * @throws DomainError `unavailable` where the cluster can't be asked; the next turn goes on where this one stopped
 */
export async function issueTurn(run: IssueRun): Promise<Turn> {
  const settled = await settleIssues(run);
  const registered = await registerEvents(run);
  const { due, sent, pause } = await sendWaiting(run, ISSUING);
  const [row] = await readOpen(run.context.pool, [run.mode]);
  return {
    moved: settled || registered > 0 || sent > 0,
    busy: (due && pause === undefined) || (row?.open ?? 0) > 0,
    pause,
  };
}

/**
 * Closes events that ended some time ago, and permits of closed events. `issueTurn` settles the transactions. To issue permits comes
 * first: call it after a turn in which nothing moved.
 * @returns whether anything changed
 * @throws DomainError `unavailable` where the cluster can't be asked; the next turn goes on where this one stopped
 */
export async function closeTurn(run: IssueRun): Promise<boolean> {
  const closed = await closeEvents(run);
  if (run.context.config.issuing.closeAfter === 0) return closed;
  const { sent } = await sendWaiting(run, CLOSING);
  return closed || sent > 0;
}

/**
 * Puts the events and permits of a mode onto the chain, until all are there that can be: what the cluster refuses, and what has to
 * wait for budget or payer, is left for later. Those that were set aside are tried again.
 * @throws DomainError `unavailable` where the cluster does not answer; the rest is left for later
 */
export async function putOnchain(context: IssueContext, mode: Mode): Promise<void> {
  const run = issueRun(context, mode);
  await retrySetAside(context.pool, [mode, context.now()]);
  for (;;) {
    const { moved, busy, pause } = await issueTurn(run);
    if (pause === 'rate' || pause === 'in_flight') await sleep(POLL_MS);
    else if (!busy) return;
    else if (!moved) await sleep(POLL_MS);
  }
}
