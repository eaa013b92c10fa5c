import type { Client, ClientReview, ReviewedRegistration } from '../../entities/client.ts';
import type { WriteContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { originsOf } from '../redirect-uri.ts';
import { beforeAndAfter, frozenChanges, frozenOf, registrationOf } from './describe-changes.ts';
import { APPROVED_STATUSES, staleEdit } from './life-cycle.ts';
import { registrationFault } from './lint-registration.ts';
import { lockClient, writeClient } from './locked-client.ts';
import { addEditToReview, openReview, openReviewOf, withdrawIfUnchanged } from './review.ts';

export interface ClientEdit {
  clientId: string;
  /** The version that was edited. */
  version: number;
  /** Omitted fields stay as they are. Frozen fields are changes to the pending edit, if there is one. */
  changes: Partial<ReviewedRegistration>;
  /** For the reviewers, 1 to 1,000 characters. Required if the edit opens a review. */
  note?: string;
}

/**
 * Edits a client's registration. Of an approved client, an edit of a frozen field waits for review beside the registration in
 * force, which stays as it is; other fields change directly. Of two edits of one version the second is refused.
 * @throws DomainError `not_found`, `stale_edit`, `invalid_request` naming the field
 */
export async function editClient(context: WriteContext, edit: ClientEdit, actor: string): Promise<Client> {
  return context.em.transactional(async (em) => {
    const within = { ...context, em };
    const client = await lockClient(within, edit.clientId);
    if (client.version !== edit.version) throw staleEdit(client);
    const review = await openReviewOf(within, client);
    await (APPROVED_STATUSES.has(client.status)
      ? editApproved(within, client, review, edit, actor)
      : editUnapproved(within, client, review, edit, actor));
    return client;
  });
}

/** Edits the client's row: no approval depends on it yet, or it is a sandbox client. */
async function editUnapproved(
  context: WriteContext,
  client: Client,
  review: ClientReview | null,
  { changes }: ClientEdit,
  actor: string,
): Promise<void> {
  const before = registrationOf(client);
  const after = sound(client, { ...before, ...changes });
  if (same(before, after)) return;
  await writeClient(context, client, { ...after, corsOrigins: originsOf(after.redirectUris) });
  if (review) addEditToReview(context, review, after, actor);
  recordAudit(context, { actor, action: 'client.edited', subject: client.id, details: beforeAndAfter(before, after) });
}

/** The row keeps the frozen fields as approved; the open review has the proposed ones. */
async function editApproved(
  context: WriteContext,
  client: Client,
  review: ClientReview | null,
  edit: ClientEdit,
  actor: string,
): Promise<void> {
  const inForce = registrationOf(client);
  const proposed = { ...inForce, ...(review && frozenOf(review.registration)) };
  const wanted = { ...proposed, ...edit.changes };
  const reviewed = frozenChanges(proposed, wanted).length > 0;
  // the registration in force was approved, even where today's rules would refuse it
  const direct = sound(client, { ...wanted, ...frozenOf(inForce) }, true);
  if (!reviewed && same(inForce, direct)) return;
  await writeClient(context, client, { name: direct.name, refreshRetryWindow: direct.refreshRetryWindow });
  if (!same(inForce, direct)) {
    const details = beforeAndAfter(inForce, direct);
    recordAudit(context, { actor, action: 'client.edited', subject: client.id, details });
  }
  if (reviewed) {
    const after = sound(client, { ...direct, ...frozenOf(wanted) });
    propose(context, client, review, { before: { ...direct, ...frozenOf(proposed) }, after, note: edit.note, actor });
  } else if (review) {
    // a direct edit is not part of the review, and its editor may still approve
    context.em.assign(review, { registration: { ...direct, ...frozenOf(proposed) } });
  }
}

interface Proposal {
  before: ReviewedRegistration;
  after: ReviewedRegistration;
  note: string | undefined;
  actor: string;
}

/** Opens a review for an edit, or adds the edit to the open one, which it withdraws if nothing differs anymore. */
function propose(
  context: WriteContext,
  client: Client,
  review: ClientReview | null,
  { before, after, note, actor }: Proposal,
): void {
  const changes = beforeAndAfter(before, after);
  if (!review) {
    const opened = openReview(context, client, after, givenReason(note ?? '', 'note'), actor);
    const details = { review: opened.id, note: opened.note, registration: after, ...changes };
    recordAudit(context, { actor, action: 'client.submitted', subject: client.id, details });
    return;
  }
  addEditToReview(context, review, after, actor);
  const details = { ...changes, review: review.id };
  recordAudit(context, { actor, action: 'client.edited', subject: client.id, details });
  withdrawIfUnchanged(context, client, review, { reason: 'Edited back to the registration in force.', actor });
}

/** @throws DomainError `invalid_request` naming the field and its fault */
function sound({ mode }: Client, registration: ReviewedRegistration, directOnly = false): ReviewedRegistration {
  const fault = registrationFault({ ...registration, mode }, directOnly);
  if (fault !== undefined) throw new DomainError('invalid_request', fault);
  return { ...registration, name: registration.name.trim() };
}

function same(one: ReviewedRegistration, other: ReviewedRegistration): boolean {
  return Object.keys(beforeAndAfter(one, other).after).length === 0;
}
