import { givenReason } from '../audit/reason.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { Fan } from '../entities/fan.ts';
import { knownId, nothingUnder } from '../identifier/known-id.ts';
import { numberOf } from './number-of.ts';

/**
 * A fan's whole phone number (E.164). The audit log records the actor and the reason.
 * @throws DomainError `not_found`; `invalid_request` without a reason; `conflict` where the fan has no number
 */
export async function revealPhone(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  request: { fanId: string; reason: string },
  actor: string,
): Promise<string> {
  const { fanId } = request;
  const reason = givenReason(request.reason);
  const { em } = context;
  const fan = await em.findOneOrFail(
    Fan,
    { id: knownId('usr', fanId) },
    { failHandler: () => nothingUnder('usr', fanId) },
  );
  const phone = numberOf(fan);
  recordAudit(context, { actor, action: 'fan.phone_revealed', subject: fan.id, details: { reason } });
  await em.flush();
  return phone;
}
