import { givenReason } from '../audit/reason.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import type { Client } from '../entities/client.ts';
import type { ClientReview } from '../entities/client-review.ts';
import { DomainError } from '../errors.ts';
import { closeReview } from './close-review.ts';
import { registrationOf } from './describe-changes.ts';
import { moveClient } from './move-client.ts';

/** What a reviewer decides about, and why. */
export interface ReviewDecision {
  clientId: string;
  /** The version that the reviewer has looked at. */
  version: number;
  /** 1 to 1,000 characters. */
  reason: string;
}

/**
 * Approves a production client as it stands. It takes two people: whoever submitted it or edited it in review can't.
 * @throws DomainError `invalid_request`; `forbidden` for one of those; or as `moveClient`
 */
export async function approveClient(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  { clientId, version, reason }: ReviewDecision,
  actor: string,
): Promise<Client> {
  const given = givenReason(reason);
  return context.em.transactional(async (em) => {
    const within = { ...context, em };
    const step = { from: ['in_review'], to: 'approved', verb: 'approved', version } as const;
    const client = await moveClient(within, clientId, step);
    const review = await closeReview(within, client, { decision: 'approved', actor, reason: given });
    if (!mayApprove(review, actor)) {
      const deed = review.submittedBy === actor ? 'submitted this client' : 'edited this client in review';
      throw new DomainError('forbidden', `You ${deed}: somebody else must approve it.`);
    }
    const registration = registrationOf(client);
    recordAudit(within, {
      actor,
      action: 'client.approved',
      subject: client.id,
      details: { review: review.id, reason: given, registration },
    });
    return client;
  });
}

/** Whether somebody is a second person to a review. */
export function mayApprove({ submittedBy, editors }: ClientReview, actor: string): boolean {
  return submittedBy !== actor && !editors.includes(actor);
}
