import { givenReason } from '../audit/reason.ts';
import type { Context } from '../context.ts';
import type { Permit } from '../entities/permit.ts';
import { changePermits } from './change-permits.ts';

/**
 * Revokes test permits, all or none. From then on partners neither see their tickets nor get anything signed for them,
 * nor can fans claim them. The ticket program has no instruction that takes a permit away, so its account stays on the
 * test network as it is; `restorePermits` takes the revocation back.
 * @param request.permitIds 1 to 50
 * @throws DomainError `not_found`; `invalid_request` for a production permit; `conflict` where one is revoked already
 */
export async function revokePermits(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  request: { permitIds: readonly string[]; reason: string },
  actor: string,
): Promise<Permit[]> {
  const reason = givenReason(request.reason);
  return changePermits(context, request.permitIds, {
    from: { revokedAt: null },
    to: { revokedAt: context.now() },
    refusal: 'revoked already',
    fact: { actor, action: 'permit.revoked', details: { reason } },
  });
}
