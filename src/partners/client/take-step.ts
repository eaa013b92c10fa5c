import type { Client, ClientReview, ReviewedRegistration } from '../../entities/client.ts';
import type { WriteContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { type ActionWithDetails, recordAudit } from '../../record/audit/record-audit.ts';
import { endSalesOf } from '../end-sales.ts';
import { personBehind } from '../person.ts';
import { originsOf } from '../redirect-uri.ts';
import { beforeAndAfter, frozenChanges, frozenOf, registrationOf } from './describe-changes.ts';
import {
  type ClientStep,
  type ClientStepName,
  LIFE_CYCLE,
  requireSecondPerson,
  staleEdit,
  statusAfter,
} from './life-cycle.ts';
import { approvalFault, registrationFault } from './lint-registration.ts';
import { lockClient, writeClient } from './locked-client.ts';
import { approvalOf, closeReview, editorsOfDraft, openReview, openReviewOf } from './review.ts';

export interface StepRequest {
  clientId: string;
  /** 1 to 1,000 characters; for `submit` the note to the reviewers. */
  reason: string;
  /** The version that the client must have, where given. */
  version?: number;
  /** For `suspend`: whether everything that the client put on sale is taken off sale. */
  endsSales?: boolean;
}

/** The effects of a step besides the client's status. */
interface Effect {
  /** The audit log's record. */
  fact: ActionWithDetails;
  /** The registration that comes into force. */
  registration?: ReviewedRegistration;
}

/**
 * Takes a step in the life cycle of a production client, with its review and its audit entry, in one transaction. Of
 * concurrent steps one wins, because each locks the client first. Approval brings the registration of the review into force. The
 * caller checks the step's right.
 * @throws DomainError of the first failing check, in this order: reason and required version (`invalid_request`), client
 * exists (`not_found`), is production (`invalid_request`), has a status of the step (`conflict`) and the version
 * (`stale_edit`); the actor is a second person (`forbidden`); the registration can be used and is the approved one (`conflict`)
 */
export async function takeClientStep(
  context: WriteContext,
  name: ClientStepName,
  { clientId, reason: text, version, endsSales }: StepRequest,
  actor: string,
): Promise<Client> {
  const step = LIFE_CYCLE[name];
  const reason = givenReason(text, step.review === 'opened' ? 'note' : 'reason');
  if (step.needsVersion && version === undefined) {
    throw new DomainError('invalid_request', 'version must be the version of the client that you looked at.');
  }
  return context.em.transactional(async (em) => {
    const within = { ...context, em };
    const client = await lockClient(within, clientId);
    const review = await openReviewOf(within, client);
    const status = statusAfter(step, client.status, review !== null);
    if (client.mode === 'sandbox' || status === undefined) throw refusalOf(client, step);
    if (version !== undefined && version !== client.version) throw staleEdit(client);
    const { fact, registration } = await followReview(within, step, client, review, { reason, actor, endsSales });
    const inForce = registration && { ...frozenOf(registration), corsOrigins: originsOf(registration.redirectUris) };
    await writeClient(within, client, { status, ...inForce });
    recordAudit(within, { actor, subject: client.id, ...fact });
    return client;
  });
}

/** The refusal of a step that the client's status does not allow. */
function refusalOf({ mode, status }: Client, { from, action, decidesEdit }: ClientStep): DomainError {
  if (mode === 'sandbox') {
    return new DomainError('invalid_request', 'A sandbox client needs no review. It is ready to use.');
  }
  if (decidesEdit) return new DomainError('conflict', `The client is ${status} and has no open review.`);
  const participle = action.slice('client.'.length);
  return new DomainError('conflict', `The client is ${status}; only ${from.join(' or ')} can be ${participle}.`);
}

/** Opens, closes or looks up the step's review. @param open the review that is open before the step */
async function followReview(
  context: WriteContext,
  step: ClientStep,
  client: Client,
  open: ClientReview | null,
  by: { reason: string; actor: string; endsSales: boolean | undefined },
): Promise<Effect> {
  const { reason, actor, endsSales } = by;
  switch (step.review) {
    case null: {
      const ends = await endSalesOf(context, { client: client.id, cause: 'client_suspended' }, { endsSales }, by);
      return { fact: { action: step.action, details: { reason, ...(ends && { endsSales }) } } };
    }
    case 'opened': {
      const editors = await editorsOfDraft(context, client);
      const { id, registration } = openReview(context, client, registrationOf(client), reason, actor, editors);
      return { fact: { action: step.action, details: { review: id, note: reason, registration } } };
    }
    case 'relied_on': {
      const approval = await approvalOf(context, client);
      if (!approval) {
        throw new DomainError('conflict', 'The client has changed since it was approved. Submit it for review first.');
      }
      requireSecondPerson(approval, client, await personBehind(context, actor), 'enable');
      return { fact: { action: step.action, details: { approval: approval.id, reason } } };
    }
    default: {
      if (!open) throw new Error(`${client.id} is in review, and no review is open`);
      if (step.needsSecondPerson) requireSecondPerson(open, client, await personBehind(context, actor), 'approve');
      const details = { review: open.id, reason };
      if (step.review !== 'approved') {
        closeReview(context, open, step.review, by);
        return { fact: { action: step.action, details } };
      }
      const [before, registration] = [registrationOf(client), approvable(client, open)];
      closeReview(context, open, 'approved', by);
      const changes = frozenChanges(before, registration).length > 0 && beforeAndAfter(before, registration);
      return { registration, fact: { action: step.action, details: { ...details, registration, ...changes } } };
    }
  }
}

/** The registration of an open review. @throws DomainError `conflict` where it can't be used on top of what is in force now */
function approvable({ mode }: Client, { registration }: ClientReview): ReviewedRegistration {
  const fault = registrationFault({ ...registration, mode }) ?? approvalFault(registration);
  if (fault === undefined) return registration;
  throw new DomainError('conflict', `The registration can’t be used as it is: ${fault} Edit or reject it.`);
}
