import { DomainError } from '../errors.ts';
import type { Chain } from './chains.ts';
import type { SigningState } from './gateway/read-signing-state.ts';

/** Why the ticket program would refuse our co-signature. */
export type AuthorityFault = 'authority_rotated' | 'config_missing';

/** People resolve it. */
const RETRY_AFTER_SECONDS = 30;

/** @returns undefined where the Config account has our authority */
export function authorityFaultOf(
  { authority }: Pick<Chain, 'authority'>,
  config: SigningState['config'],
): AuthorityFault | undefined {
  if (config === undefined) return 'config_missing';
  return config.authority === authority ? undefined : 'authority_rotated';
}

/** Requires that the program accepts our co-signature. @throws DomainError `unavailable` */
export function requireAuthority(chain: Pick<Chain, 'authority'>, config: SigningState['config']): void {
  const fault = authorityFaultOf(chain, config);
  if (fault === undefined) return;
  const why =
    fault === 'config_missing'
      ? 'The ticket program on the cluster has no configuration'
      : 'The ticket program on the cluster names another co-signing authority than ours';
  throw new DomainError('unavailable', `${why}; nothing was signed. Try later.`, { retryAfter: RETRY_AFTER_SECONDS });
}
