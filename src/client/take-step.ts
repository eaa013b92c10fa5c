import { givenReason } from '../audit/reason.ts';
import { type ActionWithDetails, recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { Client, type ClientReview } from '../entities/client.ts';
import { DomainError } from '../errors.ts';
import { knownId, nothingUnder } from '../identifier/known-id.ts';
import { changesBetween, isFrozen, lastApprovals, registrationOf } from './describe-changes.ts';
import { type ClientStep, type ClientStepName, LIFE_CYCLE, mayApprove, staleEdit } from './life-cycle.ts';
import { openReview, openReviewOf } from './open-review.ts';

type StepContext = Pick<Context, 'em' | 'now' | 'requestId'>;

export interface StepRequest {
  clientId: string;
  /** 1 to 1,000 characters; for `submit` the note to the reviewers. */
  reason: string;
  /** The version that the client must have, where given. */
  version?: number;
}

/**
 * Takes a step in the life cycle of a production client, with its review and its audit entry, in one transaction. Of several
 * at once one wins: the conditional update locks the row until the transaction ends. The caller checks the step's right.
 * @throws DomainError of the first failing check, in this order: reason and required version (`invalid_request`), client
 * exists (`not_found`), is production (`invalid_request`), has a status of the step (`conflict`) and the version
 * (`stale_edit`); the actor is a second person (`forbidden`); the registration is the approved one (`conflict`)
 */
export async function takeClientStep(
  context: StepContext,
  name: ClientStepName,
  { clientId, reason: text, version }: StepRequest,
  actor: string,
): Promise<Client> {
  const step = LIFE_CYCLE[name];
  const reason = givenReason(text, step.review === 'opened' ? 'note' : 'reason');
  if (step.needsVersion && version === undefined) {
    throw new DomainError('invalid_request', 'version must be the version of the client that you looked at.');
  }
  return context.em.transactional(async (em) => {
    const within = { ...context, em };
    const id = knownId('client', clientId);
    const moved = await em.nativeUpdate(
      Client,
      { id, mode: 'production', status: { $in: [...step.from] }, ...(version !== undefined && { version }) },
      { status: step.to, updatedAt: context.now() },
    );
    const client = await em.findOne(Client, { id }, { refresh: true });
    if (!client) throw nothingUnder('client', id);
    if (moved !== 1) throw refusalOf(client, step);
    const fact = await followReview(within, step, client, { reason, actor });
    recordAudit(within, { actor, subject: id, ...fact });
    return client;
  });
}

/** Why the update did not match the client. */
function refusalOf({ mode, status, version }: Client, { from, action }: ClientStep): DomainError {
  if (mode === 'sandbox') {
    return new DomainError('invalid_request', 'A sandbox client needs no review: it is ready as it is.');
  }
  if (from.includes(status)) return staleEdit({ version });
  const participle = action.slice('client.'.length);
  return new DomainError('conflict', `The client is ${status}; only ${from.join(' or ')} can be ${participle}.`);
}

/** Opens, closes or looks up the step's review. @returns the audit log's record of the step */
async function followReview(
  context: StepContext,
  step: ClientStep,
  client: Client,
  { reason, actor }: { reason: string; actor: string },
): Promise<ActionWithDetails> {
  switch (step.review) {
    case null:
      return { action: step.action, details: { reason } };
    case 'opened': {
      const { id, registration } = openReview(context, client, reason, actor);
      return { action: step.action, details: { review: id, note: reason, registration } };
    }
    case 'relied_on': {
      const { id } = await approvalOf(context, client);
      return { action: step.action, details: { approval: id, reason } };
    }
    default: {
      const review = await openReviewOf(context, client);
      if (step.needsSecondPerson && !mayApprove(review, actor)) throw needsSecondPerson(review, actor);
      context.em.assign(review, { decision: step.review, decidedBy: actor, decidedAt: context.now(), reason });
      const details = { review: review.id, reason };
      if (step.review !== 'approved') return { action: step.action, details };
      return { action: step.action, details: { ...details, registration: registrationOf(client) } };
    }
  }
}

function needsSecondPerson({ submittedBy }: ClientReview, actor: string): DomainError {
  const part = submittedBy === actor ? 'submitted this client' : 'edited this client in review';
  return new DomainError('forbidden', `You ${part}: somebody else must approve it.`);
}

/** The last approval, which must be of the present registration. */
async function approvalOf(context: StepContext, client: Client): Promise<ClientReview> {
  const approval = (await lastApprovals(context, [client.id])).get(client.id);
  if (!approval || changesBetween(approval.registration, registrationOf(client)).some(isFrozen)) {
    throw new DomainError('conflict', 'The client is not as it was approved. Have it reviewed first.');
  }
  return approval;
}
