import type { Context } from '../context.ts';
import type { Client } from '../entities/client.ts';
import { ClientReview } from '../entities/client-review.ts';

/** How a review ended, and who decided it why. */
export interface ReviewEnd {
  decision: NonNullable<ClientReview['decision']>;
  actor: string;
  reason: string;
}

/** Ends the open review of a client whose row the caller's transaction has locked by moving it out of `in_review`. */
export async function closeReview(
  { em, now }: Pick<Context, 'em' | 'now'>,
  client: Client,
  { decision, actor, reason }: ReviewEnd,
): Promise<ClientReview> {
  const review = await em.findOneOrFail(ClientReview, { client: client.id, decision: null }, { refresh: true });
  return em.assign(review, { decision, decidedBy: actor, decidedAt: now(), reason });
}
