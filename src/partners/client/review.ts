import { AuditEntry } from '../../entities/audit-entry.ts';
import { type Client, ClientReview, type ReviewedRegistration } from '../../entities/client.ts';
import type { Context, EntityContext, WriteContext } from '../../platform/context.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { memberIn } from '../person.ts';
import { frozenChanges, type RegistrationChange, registrationOf } from './describe-changes.ts';
import { APPROVED_STATUSES } from './life-cycle.ts';

export const SUBMITTERS = ['partner', 'staff'] as const;

/** The side that submitted a review. */
export function submitterOf({ submittedBy }: Pick<ClientReview, 'submittedBy'>): (typeof SUBMITTERS)[number] {
  return memberIn(submittedBy) === undefined ? 'staff' : 'partner';
}

/** Opens a review, in the caller's unit of work. @param note to the reviewers @param editors of the draft, who may not approve */
export function openReview(
  { em, now }: EntityContext,
  client: Client,
  registration: ReviewedRegistration,
  note: string,
  actor: string,
  editors: string[] = [],
): ClientReview {
  return em.create(ClientReview, { client, submittedBy: actor, submittedAt: now(), note, registration, editors });
}

/** Who has edited a client that was never approved. */
export async function editorsOfDraft({ em }: Pick<Context, 'em'>, { id }: Client): Promise<string[]> {
  const edits = await em.find(AuditEntry, { subject: id, action: 'client.edited' }, { fields: ['actor'] });
  return [...new Set(edits.map(({ actor }) => actor))];
}

/** The open review of a client: of its first registration, or of an edit that waits beside the one in force. */
export function openReviewOf({ em }: Pick<Context, 'em'>, { id }: Pick<Client, 'id'>): Promise<ClientReview | null> {
  return em.findOne(ClientReview, { client: id, decision: null }, { refresh: true });
}

/** Adds an edit to an open review: the review now covers it, and the editor may not approve. */
export function addEditToReview(
  { em }: Pick<Context, 'em'>,
  review: ClientReview,
  registration: ReviewedRegistration,
  editor: string,
): void {
  em.assign(review, { registration, editors: [...new Set([...review.editors, editor])] });
}

/** Closes a review. */
export function closeReview(
  { em, now }: EntityContext,
  review: ClientReview,
  decision: NonNullable<ClientReview['decision']>,
  { reason, actor }: { reason: string; actor: string },
): void {
  em.assign(review, { decision, decidedBy: actor, decidedAt: now(), reason });
}

/** Withdraws the review of an edit that no longer differs from the registration in force. */
export function withdrawIfUnchanged(
  context: WriteContext,
  client: Client,
  review: ClientReview,
  { reason, actor }: { reason: string; actor: string },
): void {
  if (frozenChanges(registrationOf(client), review.registration).length > 0) return;
  closeReview(context, review, 'withdrawn', { reason, actor });
  const details = { review: review.id, reason };
  recordAudit(context, { actor, action: 'client.withdrawn', subject: client.id, details });
}

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
