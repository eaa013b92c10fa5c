import { type Client, ClientReview } from '../../entities/client.ts';
import type { Context } from '../../platform/context.ts';
import { frozenChanges, type RegistrationChange, registrationOf } from './describe-changes.ts';
import { APPROVED_STATUSES } from './life-cycle.ts';

/** The newest approval of the client's present registration; undefined if it was never approved. */
export async function approvalOf({ em }: Pick<Context, 'em'>, client: Client): Promise<ClientReview | undefined> {
  const approvals = await em.find(
    ClientReview,
    { client: client.id, decision: 'approved' },
    { orderBy: { decidedAt: 'desc', id: 'desc' }, refresh: true },
  );
  return approvedAsIs(client, approvals);
}

/** Of the approvals of a client, newest first, the one of its present registration. */
export function approvedAsIs(client: Client, approvals: readonly ClientReview[]): ClientReview | undefined {
  return approvals.find(({ registration }) => frozenChanges(registration, registrationOf(client)).length === 0);
}

/**
 * How the registration of a review differs from the one in force, which it would replace: an open review when approved, an
 * earlier approval when restored.
 * @returns null if nothing is in force, or the review was rejected or withdrawn
 */
export function changesInForce(client: Client, review: ClientReview): RegistrationChange[] | null {
  const mayTakeItsPlace = review.decision === null || review.decision === 'approved';
  if (!APPROVED_STATUSES.has(client.status) || !mayTakeItsPlace) return null;
  return frozenChanges(registrationOf(client), review.registration);
}
