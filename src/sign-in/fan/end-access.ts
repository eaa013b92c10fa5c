import { AuthorizationSession } from '../../entities/authorization-session.ts';
import { ConsentGrant } from '../../entities/consent-grant.ts';
import { Fan } from '../../entities/fan.ts';
import { PortalSession } from '../../entities/portal-session.ts';
import { revokeOwnGrants, type SalesChoice } from '../../oauth/grant/own-grants.ts';
import { revokeGrant } from '../../oauth/grant/revoke-grant.ts';
import type { WriteContext } from '../../platform/context.ts';
import { rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';
import { knownId } from '../../platform/identifier/known-id.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';

/**
 * Lets staff end a grant, for the fan or the company; the tokens of the grant are refused from the next call on.
 * @throws DomainError `not_found`; `conflict` where it has ended already; `invalid_request` without a reason
 */
export async function endGrant(
  context: WriteContext,
  request: { grantId: string; reason: string } & SalesChoice,
  actor: string,
): Promise<ConsentGrant> {
  const id = knownId('grant', request.grantId);
  const note = givenReason(request.reason);
  const ended = await revokeGrant(context, { grantId: id, reason: 'revoked_by_staff', actor, note, sales: request });
  const grant = await rowUnder(context.em, ConsentGrant, 'grant', id, { refresh: true });
  if (!ended) throw new DomainError('conflict', `The grant ${id} has ended already.`);
  return grant;
}

/**
 * Lets staff end all access that a fan gave to apps, as the fan can in the portal. Repeating it changes nothing.
 * @throws DomainError `not_found`; `invalid_request` without a reason
 */
export async function endAllAccess(
  context: WriteContext,
  request: { fanId: string; reason: string } & SalesChoice,
  actor: string,
): Promise<Fan> {
  const note = givenReason(request.reason);
  const fan = await rowUnder(context.em, Fan, 'usr', request.fanId);
  await revokeOwnGrants(context, fan.id, request, { actor, note });
  return fan;
}

/**
 * Ends every visit of a fan to the portal and every sign-in under way, for a fan whose device is lost. Apps keep their access, and
 * passkeys stay. Repeating it changes nothing more.
 * @throws DomainError `not_found`; `invalid_request` without a reason
 */
export async function signOutFan(
  context: WriteContext,
  request: { fanId: string; reason: string },
  actor: string,
): Promise<Fan> {
  const reason = givenReason(request.reason);
  return context.em.transactional(async (em) => {
    const fan = await rowUnder(em, Fan, 'usr', request.fanId);
    const at = context.now();
    const visits = await em.nativeDelete(PortalSession, { fan: fan.id });
    const underWay = { fan: fan.id, step: { $ne: 'done' }, expiresAt: { $gt: at } } as const;
    const signIns = await em.nativeUpdate(AuthorizationSession, underWay, { expiresAt: at });
    const details = { reason, visits, signIns };
    recordAudit({ ...context, em }, { actor, action: 'fan.signed_out', subject: fan.id, details });
    return fan;
  });
}
