import { givenReason } from '../audit/reason.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import type { NotificationEndpoint } from '../entities/notification.ts';
import { knownId } from '../identifier/known-id.ts';
import { lockedEndpoint } from './change-endpoint.ts';

type Work = Pick<Context, 'em' | 'now' | 'requestId' | 'staffToken'>;

/**
 * Pauses an endpoint as a member of staff: nothing is sent, and what happens meanwhile waits. A paused one keeps its first reason.
 * @throws DomainError `invalid_request`, `not_found`
 */
export async function pauseEndpoint(
  context: Work,
  endpointId: string,
  why: string,
  actor: string,
): Promise<NotificationEndpoint> {
  const id = knownId('nep', endpointId);
  const reason = givenReason(why);
  return context.em.fork().transactional(async (em) => {
    const endpoint = await lockedEndpoint(em, id);
    if (endpoint.pausedAt) return endpoint;
    endpoint.pausedAt = context.now();
    endpoint.pausedBy = actor;
    endpoint.pauseReason = reason;
    recordAudit(
      { ...context, em },
      { actor, action: 'notification_endpoint.paused', subject: id, details: { reason } },
    );
    return endpoint;
  });
}

/** Lets an endpoint go on. Repeating it changes nothing. @throws DomainError `invalid_request`, `not_found` */
export async function resumeEndpoint(
  context: Work,
  endpointId: string,
  why: string,
  actor: string,
): Promise<NotificationEndpoint> {
  const id = knownId('nep', endpointId);
  const reason = givenReason(why);
  return context.em.fork().transactional(async (em) => {
    const endpoint = await lockedEndpoint(em, id);
    if (!endpoint.pausedAt) return endpoint;
    endpoint.pausedAt = null;
    endpoint.pausedBy = null;
    endpoint.pauseReason = null;
    recordAudit(
      { ...context, em },
      { actor, action: 'notification_endpoint.resumed', subject: id, details: { reason } },
    );
    return endpoint;
  });
}
