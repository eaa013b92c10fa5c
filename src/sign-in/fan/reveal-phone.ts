import type { Context } from '../../platform/context.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { findFan } from './find-fan.ts';
import { numberOf } from './number-of.ts';
import { checkRevealed } from './reveal-limit.ts';

/**
 * A fan's whole phone number (E.164). The audit log records the actor and the reason.
 * @param request.bulkReason why so many; from the 21st number within five minutes on
 * @throws DomainError `not_found`; `invalid_request` without a reason; `reason_required`; `conflict` where the fan has no number
 */
export async function revealPhone(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  request: { fanId: string; reason: string; bulkReason?: string | null | undefined },
  actor: string,
): Promise<string> {
  const { fanId, bulkReason } = request;
  const reason = givenReason(request.reason);
  return context.em.transactional(async (em) => {
    const fan = await findFan(em, fanId);
    const phone = numberOf(fan);
    const details = { reason, ...(await checkRevealed(em, { actor, numbers: 1, bulkReason }, context.now())) };
    recordAudit({ ...context, em }, { actor, action: 'fan.phone_revealed', subject: fan.id, details });
    return phone;
  });
}
