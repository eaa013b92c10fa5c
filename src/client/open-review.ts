import type { Context } from '../context.ts';
import type { Client } from '../entities/client.ts';
import { ClientReview } from '../entities/client-review.ts';
import { registrationOf } from './describe-changes.ts';

/** Opens a review of a client as it is. Written with the caller's unit of work. @param note what the reviewers should know */
export function openReview(
  { em, now }: Pick<Context, 'em' | 'now'>,
  client: Client,
  note: string,
  actor: string,
): ClientReview {
  const registration = registrationOf(client);
  return em.create(ClientReview, { client, submittedBy: actor, submittedAt: now(), note, registration });
}

/** The open review of a client that is, or in the caller's transaction was, `in_review`. */
export function openReviewOf({ em }: Pick<Context, 'em'>, { id }: Pick<Client, 'id'>): Promise<ClientReview> {
  return em.findOneOrFail(ClientReview, { client: id, decision: null }, { refresh: true });
}

/** Adds an edit to the open review: the decision is about the client as it is now, and the editor is no second person to it. */
export async function addEditToReview(context: Pick<Context, 'em'>, client: Client, editor: string): Promise<void> {
  const review = await openReviewOf(context, client);
  const editors = [...new Set([...review.editors, editor])];
  context.em.assign(review, { registration: registrationOf(client), editors });
}
