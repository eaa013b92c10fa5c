import { DomainError } from '../errors.ts';
import type { Chain } from './chains.ts';
import type { SigningState } from './gateway/read-signing-state.ts';

/** Why the ticket program would refuse whatever we co-sign. */
export type AuthorityFault = 'authority_rotated' | 'config_missing';

/** A rotation is undone, or followed by a new key here, by people. */
const RETRY_AFTER_SECONDS = 30;

/** What is wrong between our authority and the program's Config account; undefined where it names ours. */
export function authorityFaultOf(
  { authority }: Pick<Chain, 'authority'>,
  config: SigningState['config'],
): AuthorityFault | undefined {
  if (config === undefined) return 'config_missing';
  return config.authority === authority ? undefined : 'authority_rotated';
}

/**
 * Refuses to co-sign what the program would not accept. Nothing is remembered: the next look decides anew.
 * @throws DomainError `unavailable`
 */
export function requireAuthority(chain: Pick<Chain, 'authority'>, config: SigningState['config']): void {
  const fault = authorityFaultOf(chain, config);
  if (fault === undefined) return;
  const why =
    fault === 'config_missing'
      ? 'The ticket program on the cluster has no configuration'
      : 'The ticket program on the cluster names another co-signing authority than ours';
  throw new DomainError('unavailable', `${why}; nothing was signed. Try later.`, { retryAfter: RETRY_AFTER_SECONDS });
}
