import { NO_ADDRESS } from '@fan-api/cosign-policy/read-account';
import { DomainError } from '../platform/errors.ts';
import type { Chain } from './chains.ts';
import type { SigningState } from './gateway/read-signing-state.ts';

/** Why the ticket program would refuse our co-signature. */
export type AuthorityFault = 'authority_rotated' | 'config_missing';

/** A person has to resolve it. */
const RETRY_AFTER_SECONDS = 30;

type Authority = Pick<Chain, 'authority' | 'former' | 'takeAuthority' | 'hasAuthority'>;

/**
 * Compares our authority with the Config account. Takes over one that we rotated to, which changes `chain.authority`, and updates
 * `chain.former`.
 * @returns undefined where the Config account has our authority
 */
export async function authorityFaultOf(
  chain: Authority,
  config: SigningState['config'],
): Promise<AuthorityFault | undefined> {
  if (config === undefined) return 'config_missing';
  if (config.authority !== chain.authority) {
    if (!(await chain.takeAuthority?.(config.authority))) return 'authority_rotated';
    chain.authority = config.authority;
  }
  await followFormer(chain, config.former_authority);
  return undefined;
}

async function followFormer(chain: Authority, address: string): Promise<void> {
  if (address === NO_ADDRESS) chain.former = undefined;
  else if (address !== chain.former?.address) {
    chain.former = { address, ours: (await chain.hasAuthority?.(address)) ?? false };
  }
}

/** Requires that the program accepts our co-signature. @throws DomainError `unavailable` */
export async function requireAuthority(chain: Authority, config: SigningState['config']): Promise<void> {
  const fault = await authorityFaultOf(chain, config);
  if (fault === undefined) return;
  const why =
    fault === 'config_missing'
      ? 'The ticket program on the cluster has no configuration'
      : 'The ticket program on the cluster names another co-signing authority than ours';
  throw new DomainError('unavailable', `${why}; nothing was signed. Try later.`, { retryAfter: RETRY_AFTER_SECONDS });
}
