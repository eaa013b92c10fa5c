import { givenReason } from '../audit/reason.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { ClientReview } from '../entities/client-review.ts';
import { registrationOf } from './describe-changes.ts';
import { moveClient } from './move-client.ts';

/**
 * Hands a drafted or rejected production client to whoever reviews.
 * @param note what the reviewers should know; 1 to 1,000 characters
 * @returns the review that it opens
 * @throws DomainError `invalid_request`, or as `moveClient`
 */
export async function submitForReview(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  clientId: string,
  note: string,
  actor: string,
): Promise<ClientReview> {
  const given = givenReason(note, 'note');
  return context.em.transactional(async (em) => {
    const within = { ...context, em };
    const step = { from: ['draft', 'rejected'], to: 'in_review', verb: 'submitted' } as const;
    const client = await moveClient(within, clientId, step);
    const review = em.create(ClientReview, {
      client,
      submittedBy: actor,
      submittedAt: context.now(),
      note: given,
      registration: registrationOf(client),
    });
    recordAudit(within, {
      actor,
      action: 'client.submitted',
      subject: client.id,
      details: { review: review.id, note: given, registration: review.registration },
    });
    return review;
  });
}
