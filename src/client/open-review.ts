import type { Context } from '../context.ts';
import { type Client, ClientReview } from '../entities/client.ts';
import { registrationOf } from './describe-changes.ts';

/** Opens a review, in the caller's unit of work. @param note to the reviewers */
export function openReview(
  { em, now }: Pick<Context, 'em' | 'now'>,
  client: Client,
  note: string,
  actor: string,
): ClientReview {
  const registration = registrationOf(client);
  return em.create(ClientReview, { client, submittedBy: actor, submittedAt: now(), note, registration });
}

export function openReviewOf({ em }: Pick<Context, 'em'>, { id }: Pick<Client, 'id'>): Promise<ClientReview> {
  return em.findOneOrFail(ClientReview, { client: id, decision: null }, { refresh: true });
}

/** Adds an edit to the open review: it now covers the edited client, and the editor is no second person to it. */
export async function addEditToReview(context: Pick<Context, 'em'>, client: Client, editor: string): Promise<void> {
  const review = await openReviewOf(context, client);
  const editors = [...new Set([...review.editors, editor])];
  context.em.assign(review, { registration: registrationOf(client), editors });
}
