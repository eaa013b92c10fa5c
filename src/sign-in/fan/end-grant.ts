import { ConsentGrant } from '../../entities/consent-grant.ts';
import type { Fan } from '../../entities/fan.ts';
import { revokeOwnGrants } from '../../oauth/grant/own-grants.ts';
import { revokeGrant } from '../../oauth/grant/revoke-grant.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { knownId, nothingUnder } from '../../platform/identifier/known-id.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { findFan } from './find-fan.ts';

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

/**
 * Ends every access of every app in the fan's name, as the fan can in the portal. Repeating it changes nothing.
 * @throws DomainError `not_found`; `invalid_request` without a reason
 */
export async function endAllAccess(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  request: { fanId: string; reason: string },
  actor: string,
): Promise<Fan> {
  const note = givenReason(request.reason);
  const fan = await findFan(context.em, request.fanId);
  await revokeOwnGrants(context, fan.id, { actor, note });
  return fan;
}
