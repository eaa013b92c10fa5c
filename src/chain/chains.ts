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

/** The chain of each mode; a mode without one serves everything but listings and claims. */
export type Chains = Partial<Record<Mode, Chain>>;

/** The part of a context that names the cluster of each mode. */
export interface WithChains {
  chains: Chains;
}

/** @throws DomainError `unavailable` where the mode has no chain configured */
export function chainOf(chains: Chains, mode: Mode): Chain {
  const chain = chains[mode];
  if (chain === undefined) throw new DomainError('unavailable', `No Solana cluster is set up for ${mode}.`);
  return chain;
}
