import type { Chain, WithChains } from '../chain/chains.ts';
import { type AuthorityFault, authorityFaultOf } from '../chain/require-authority.ts';
import type { Context } from '../context.ts';
import type { Mode } from '../entities/mode.ts';
import type { WithSigner } from '../wallet/signer.ts';
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

/** An account must keep this much, or have nothing. */
const ACCOUNT_BYTES = 0;

/** What our transactions have behind them on the cluster. */
export interface Standing {
  /** Why none of ours can land, whatever is in it. */
  readonly fault: AuthorityFault | undefined;
  /** Lamports that the payer can spend. */
  readonly spendable: bigint;
}

/** Reads whether transactions of ours can land. Takes over an authority that we rotated to. */
export async function readStanding(chain: Chain): Promise<Standing> {
  const { gateway, payer } = chain;
  const [config, account, minimum] = await Promise.all([
    gateway.config(),
    gateway.account(payer),
    gateway.rentExemption(ACCOUNT_BYTES),
  ]);
  const fault = await authorityFaultOf(chain, config);
  const balance = account?.lamports ?? 0n;
  return { fault, spendable: balance > minimum ? balance - minimum : 0n };
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
