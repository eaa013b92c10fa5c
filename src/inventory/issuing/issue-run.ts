/**
 * What goes through this room: triggers queue permits, and make them due once an app may list the ticket (`waiting-permits.ts`). A turn (`issue-turn.ts`) settles what was sent
 * (`settle-issues.ts`), registers events (`register-events.ts`), takes permits from the queue and sends the transactions that issue them
 * (`send-waiting.ts`, `issue-permits.ts`), or, after the event, those that close them (`close-events.ts`, `close-permits.ts`).
 *
 * @module
 */
import { type Chain, chainOf, type WithChains } from '../../chain/chains.ts';
import type { AuthorityFault } from '../../chain/require-authority.ts';
import type { WithSigner } from '../../chain/wallet/signer.ts';
import type { Context } from '../../platform/context.ts';
import type { Mode } from '../../platform/mode.ts';
import type { SetAside } from './waiting-permits.ts';

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

/** A process's work for a mode, to be kept from turn to turn. @throws DomainError where the mode has no cluster */
export function issueRun(context: IssueContext, mode: Mode): IssueRun {
  return { context, mode, chain: chainOf(context.chains, mode), setbacks: new Map() };
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
