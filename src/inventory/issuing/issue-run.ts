import type { Chain, WithChains } from '../../chain/chains.ts';
import type { AuthorityFault } from '../../chain/require-authority.ts';
import type { WithSigner } from '../../chain/wallet/signer.ts';
import type { Context } from '../../platform/context.ts';
import type { Mode } from '../../platform/mode.ts';
import type { SetAside } from './waiting-permits.ts';

export type IssueContext = Pick<Context, 'em' | 'pool' | 'now' | 'log' | 'requestId' | 'config'> &
  WithChains &
  WithSigner;

/** Why nothing more is issued at the moment, though permits wait. */
export type Pause = 'rate' | 'in_flight' | 'budget' | 'payer_empty' | AuthorityFault;

/** One process's work for a mode. */
export interface IssueRun {
  readonly context: IssueContext;
  readonly mode: Mode;
  readonly chain: Chain;
  /** Events that could not be registered, and when each is tried again (`performance.now()`). */
  readonly setbacks: Map<string, { tries: number; retryAt: number }>;
}

/** Logs permits that were set aside, each the first time. */
export function reportSetAside({ context, mode }: IssueRun, aside: readonly SetAside[]): void {
  for (const { address, reason, tries } of aside) {
    if (tries !== 1) continue;
    context.log.warn(
      { mode, permit: address, reason },
      'a permit could not be issued; it is tried again after growing pauses',
    );
  }
}
