import { setTimeout as sleep } from 'node:timers/promises';
import { type Chain, chainOf, type WithChains } from '../../chain/chains.ts';
import type { AuthorityFault } from '../../chain/require-authority.ts';
import type { WithSigner } from '../../chain/wallet/signer.ts';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Mode } from '../../platform/mode.ts';
import { closeEvents } from './close-events.ts';
import { CLOSING } from './close-permits.ts';
import { ISSUING } from './issue-permits.ts';
import { registerEvents } from './register-events.ts';
import { sendWaiting } from './send-waiting.ts';
import { settleIssues } from './settle-issues.ts';
import { retrySetAside, type SetAside } from './waiting-permits.ts';

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

/** A process's work for a mode, to be kept from turn to turn. @throws DomainError where the mode has no cluster */
export function issueRun(context: IssueContext, mode: Mode): IssueRun {
  return { context, mode, chain: chainOf(context.chains, mode), setbacks: new Map() };
}

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

export type IssueContext = Pick<Context, 'em' | 'pool' | 'now' | 'log' | 'requestId' | 'config'> &
  WithChains &
  WithSigner;

/** Why nothing more is issued or closed at the moment, though permits wait. `payer_rotated`: the lamports would go to another payer. */
export type Pause = 'rate' | 'in_flight' | 'budget' | 'payer_empty' | 'payer_rotated' | AuthorityFault;

/** One process's work for a mode. */
export interface IssueRun {
  readonly context: IssueContext;
  readonly mode: Mode;
  readonly chain: Chain;
  /** Events that could not be registered or closed, and when each is tried again (`performance.now()`). */
  readonly setbacks: Map<string, { tries: number; retryAt: number }>;
}

/** Logs permits that were set aside, each the first time. */
export function reportSetAside({ context, mode }: IssueRun, aside: readonly SetAside[]): void {
  for (const { address, reason, tries } of aside) {
    if (tries !== 1) continue;
    context.log.warn(
      { mode, permit: address, reason },
      'a permit could not be issued or closed; it is tried again after growing pauses',
    );
  }
}
