import type { Context } from '../context.ts';
import type { Permit } from '../entities/permit.ts';
import { changePermits } from './change-permits.ts';

/**
 * Takes the revocation of test permits back, all or none. Safe at any time: who owns a permit was followed meanwhile.
 * @param permitIds 1 to 50
 * @throws DomainError `not_found`; `invalid_request` for a production permit; `conflict` where one is not revoked
 */
export async function restorePermits(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  permitIds: readonly string[],
  actor: string,
): Promise<Permit[]> {
  return changePermits(context, permitIds, {
    from: { revokedAt: { $ne: null } },
    to: { revokedAt: null },
    refusal: 'not revoked',
    fact: { actor, action: 'permit.restored' },
  });
}
