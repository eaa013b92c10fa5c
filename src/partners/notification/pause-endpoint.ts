import type { NotificationEndpoint } from '../../entities/notification.ts';
import type { Context } from '../../platform/context.ts';
import { knownId } from '../../platform/identifier/known-id.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { lockedEndpoint } from './change-endpoint.ts';

type Work = Pick<Context, 'em' | 'now' | 'requestId' | 'staffToken'>;

/**
 * Pauses an endpoint as a member of staff: nothing is sent, and what happens meanwhile waits. A paused one keeps its first reason.
 * @throws DomainError `invalid_request`, `not_found`
 */
export function pauseEndpoint(
  context: Work,
  endpointId: string,
  why: string,
  actor: string,
): Promise<NotificationEndpoint> {
  return setPaused(context, { endpointId, why, actor, isPaused: true });
}

/** Lets an endpoint go on. Repeating it changes nothing. @throws DomainError `invalid_request`, `not_found` */
export function resumeEndpoint(
  context: Work,
  endpointId: string,
  why: string,
  actor: string,
): Promise<NotificationEndpoint> {
  return setPaused(context, { endpointId, why, actor, isPaused: false });
}

async function setPaused(
  context: Work,
  { endpointId, why, actor, isPaused }: { endpointId: string; why: string; actor: string; isPaused: boolean },
): Promise<NotificationEndpoint> {
  const id = knownId('nep', endpointId);
  const reason = givenReason(why);
  return context.em.fork().transactional(async (em) => {
    const endpoint = await lockedEndpoint(em, id);
    if ((endpoint.pausedAt !== null) === isPaused) return endpoint;
    endpoint.pausedAt = isPaused ? context.now() : null;
    endpoint.pausedBy = isPaused ? actor : null;
    endpoint.pauseReason = isPaused ? reason : null;
    const action = isPaused ? 'notification_endpoint.paused' : 'notification_endpoint.resumed';
    recordAudit({ ...context, em }, { actor, action, subject: id, details: { reason } });
    return endpoint;
  });
}
