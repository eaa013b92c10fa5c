import { givenReason } from '../audit/reason.ts';
import type { Context } from '../context.ts';
import { ConsentGrant } from '../entities/consent-grant.ts';
import { DomainError } from '../errors.ts';
import { revokeGrant } from '../grant/revoke-grant.ts';
import { knownId, nothingUnder } from '../identifier/known-id.ts';

/**
 * Ends a grant on behalf of the fan or the company; the client's tokens are refused from the next call on.
 * @throws DomainError `not_found`; `conflict` where it has ended already; `invalid_request` without a reason
 */
export async function endGrant(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  request: { grantId: string; reason: string },
  actor: string,
): Promise<ConsentGrant> {
  const id = knownId('grant', request.grantId);
  const note = givenReason(request.reason);
  const ended = await revokeGrant(context, { grantId: id, reason: 'revoked_by_staff', actor, note });
  const failHandler = () => nothingUnder('grant', id);
  const grant = await context.em.findOneOrFail(ConsentGrant, { id }, { refresh: true, failHandler });
  if (!ended) throw new DomainError('conflict', `The grant ${id} has ended already.`);
  return grant;
}
