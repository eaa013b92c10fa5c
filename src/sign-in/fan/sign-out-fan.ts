import { AuthorizationSession } from '../../entities/authorization-session.ts';
import type { Fan } from '../../entities/fan.ts';
import { PortalSession } from '../../entities/portal-session.ts';
import type { Context } from '../../platform/context.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { findFan } from './find-fan.ts';

/**
 * Ends every visit of a fan to the portal and every sign-in under way, for a fan whose device is lost. Apps keep their access, and
 * passkeys stay. Repeating it changes nothing more.
 * @throws DomainError `not_found`; `invalid_request` without a reason
 */
export async function signOutFan(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  request: { fanId: string; reason: string },
  actor: string,
): Promise<Fan> {
  const reason = givenReason(request.reason);
  return context.em.transactional(async (em) => {
    const fan = await findFan(em, request.fanId);
    const at = context.now();
    const visits = await em.nativeDelete(PortalSession, { fan: fan.id });
    const underWay = { fan: fan.id, step: { $ne: 'done' }, expiresAt: { $gt: at } } as const;
    const signIns = await em.nativeUpdate(AuthorizationSession, underWay, { expiresAt: at });
    const details = { reason, visits, signIns };
    recordAudit({ ...context, em }, { actor, action: 'fan.signed_out', subject: fan.id, details });
    return fan;
  });
}
