import { givenReason } from '../audit/reason.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import type { Client } from '../entities/client.ts';
import { closeReview } from './close-review.ts';
import { moveClient } from './move-client.ts';

/**
 * Takes a client back out of review; it is a draft again.
 * @throws DomainError `invalid_request`, or as `moveClient`
 */
export async function withdrawReview(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  clientId: string,
  reason: string,
  actor: string,
): Promise<Client> {
  const given = givenReason(reason);
  return context.em.transactional(async (em) => {
    const within = { ...context, em };
    const client = await moveClient(within, clientId, { from: ['in_review'], to: 'draft', verb: 'withdrawn' });
    const review = await closeReview(within, client, { decision: 'withdrawn', actor, reason: given });
    const details = { review: review.id, reason: given };
    recordAudit(within, { actor, action: 'client.withdrawn', subject: client.id, details });
    return client;
  });
}
