import type { Mode } from '../entities/mode.ts';
import { DomainError } from '../errors.ts';
import type { ChainGateway } from './gateway/gateway.ts';

/** A mode's side of the chain: its cluster and our keys there. Addresses are in base58. */
export interface Chain {
  gateway: ChainGateway;
  programId: string;
  /** Co-signs listings, registers events, issues permits. */
  authority: string;
  /** Pays the fees of our own transactions. */
  payer: string;
  /** URL that partners of this mode may use; null where it is not for them. */
  publicRpcUrl: string | null;
}

/** Why a mode that has a cluster configured is not connected to it: it has not answered yet, or it is another cluster. */
export type AbsentReason = 'unreachable' | 'wrong_cluster';

/** The chain of each mode; a mode without one serves everything but listings and claims. */
export type Chains = Partial<Record<Mode, Chain>> & {
  /** The configured modes that are missing here. */
  readonly absent?: ReadonlyMap<Mode, AbsentReason>;
};

/** The part of a context that names the cluster of each mode. */
export interface WithChains {
  chains: Chains;
}

const RETRY_AFTER_SECONDS = 5;

/**
 * The chain of a mode.
 * @throws DomainError `unavailable` while its cluster has not answered; `cluster_missing`, which does not pass by waiting,
 * where none is configured or the configured one is refused
 */
export function chainOf(chains: Chains, mode: Mode): Chain {
  const chain = chains[mode];
  if (chain !== undefined) return chain;
  if (chains.absent?.get(mode) === 'unreachable') {
    const retryAfter = RETRY_AFTER_SECONDS;
    throw new DomainError('unavailable', 'The Solana cluster can not be reached for the moment; try again.', {
      retryAfter,
    });
  }
  throw new DomainError('cluster_missing', `No Solana cluster is set up for ${mode}: listings and claims do not work.`);
}
