import { DomainError } from '../platform/errors.ts';
import type { Mode } from '../platform/mode.ts';
import { unavailable } from './gateway/ask.ts';
import type { ChainGateway } from './gateway/gateway.ts';

/** The cluster of a mode, and our keys there. Addresses are in base58. */
export interface Chain {
  gateway: ChainGateway;
  programId: string;
  /** Co-signs listings, registers events, issues permits. Changes with a rotation: read it once for one piece of work. */
  authority: string;
  /** The former authority, as the program names it. It co-signs listings that name it, where its key is ours. */
  former?: { readonly address: string; readonly ours: boolean } | undefined;
  /** Makes an address that the program names as its authority ours, where its key is. */
  takeAuthority?(address: string): Promise<boolean>;
  /** Whether the key of an authority, present or not, is ours. */
  hasAuthority?(address: string): Promise<boolean>;
  /** Pays the fees of our own transactions. */
  payer: string;
  /** RPC URL for partners; null where they have none. */
  publicRpcUrl: string | null;
}

/** Why a configured cluster is not connected: no answer yet, or another cluster. */
export type AbsentReason = 'unreachable' | 'wrong_cluster';

/** The chain of each mode. A mode without one serves all but listings and claims. */
export type Chains = Partial<Record<Mode, Chain>> & {
  /** The configured modes that are not connected. */
  readonly absent?: ReadonlyMap<Mode, AbsentReason>;
};

/** The part of a context that names the cluster of each mode. */
export interface WithChains {
  chains: Chains;
}

/** The addresses that co-sign listings: the present authority, and the former one while the program names it. */
export function authoritiesOf({ authority, former }: Pick<Chain, 'authority' | 'former'>): readonly string[] {
  return former?.ours ? [authority, former.address] : [authority];
}

/** The facts by which the co-signing policy judges a fan's transactions. @param fanWallet base58 */
export function policyFacts(chain: Chain, fanWallet: string) {
  const { programId, payer } = chain;
  return { programId, fanWallet, authorities: authoritiesOf(chain), ourKeys: new Set([payer]) };
}

/** @throws DomainError `unavailable` before the cluster's first answer; `cluster_missing` where none is configured, or another one */
export function chainOf(chains: Chains, mode: Mode): Chain {
  const chain = chains[mode];
  if (chain !== undefined) return chain;
  if (chains.absent?.get(mode) === 'unreachable') throw unavailable();
  throw new DomainError('cluster_missing', `No Solana cluster is set up for ${mode}: listings and claims do not work.`);
}
