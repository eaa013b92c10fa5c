import { givenReason } from '../audit/reason.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import type { Client } from '../entities/client.ts';
import type { ReviewDecision } from './approve-client.ts';
import { closeReview } from './close-review.ts';
import { moveClient } from './move-client.ts';

/**
 * Rejects a production client that is in review. It can be edited and submitted again.
 * @throws DomainError `invalid_request`, or as `moveClient`
 */
export async function rejectClient(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  { clientId, version, reason }: ReviewDecision,
  actor: string,
): Promise<Client> {
  const given = givenReason(reason);
  return context.em.transactional(async (em) => {
    const within = { ...context, em };
    const step = { from: ['in_review'], to: 'rejected', verb: 'rejected', version } as const;
    const client = await moveClient(within, clientId, step);
    const review = await closeReview(within, client, { decision: 'rejected', actor, reason: given });
    const details = { review: review.id, reason: given };
    recordAudit(within, { actor, action: 'client.rejected', subject: client.id, details });
    return client;
  });
}
