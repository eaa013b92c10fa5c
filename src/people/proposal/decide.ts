import { Proposal, type ProposalState } from '../../entities/proposal.ts';
import { Staff } from '../../entities/staff.ts';
import { type Person, personBehind, staffIn } from '../../partners/person.ts';
import { actorOf, requireRight, roleHas, type SignedInStaff } from '../../partners/rights.ts';
import { rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import type { ServiceContext } from '../../runtime.ts';
import { endProposalsOf } from '../account/end-access.ts';
import { PROPOSAL_KINDS } from './kinds.ts';
import { settleKind } from './settle-proposals.ts';

/** The ways in which the wait of a proposal ends. */
type Decision = 'approved' | 'declined' | 'withdrawn';

export interface ProposalDecision {
  proposalId: string;
  /** 1 to 1,000 characters. */
  reason: string;
}

/** Whether a person did not propose it, with any of their accounts. */
export function isSecondPerson({ proposedBy }: Pick<Proposal, 'proposedBy'>, { accounts }: Person): boolean {
  return !accounts.has(proposedBy);
}

/** Whether it still waits for a decision. */
export function isWaiting({ state, expiresAt }: Pick<Proposal, 'state' | 'expiresAt'>, now: Date): boolean {
  return state === 'proposed' && expiresAt > now;
}

/**
 * Approves a proposal of somebody else and carries it out, in one transaction: either both happen or neither. Work in the
 * background is ordered there, and ends later (`settle-proposals.ts`).
 * @throws DomainError `not_found`, `forbidden`, `fresh_sign_in_required`; `conflict` where it is decided, withdrawn or expired, or can't
 * be done any more; and as the kind's `check` and `execute` do
 */
export async function approveProposal(
  context: ServiceContext,
  decision: ProposalDecision,
  staff: SignedInStaff,
): Promise<Proposal> {
  const { proposal, person } = await decidable(context, decision.proposalId, staff);
  const reason = givenReason(decision.reason);
  const kind = PROPOSAL_KINDS[proposal.kind];
  const proposed = { subject: proposal.subject, details: proposal.details };
  await kind.check(context, proposed);
  const actor = actorOf(staff);
  const approved = await context.em.transactional(async (em) => {
    const within = { ...context, em };
    await take(within, proposal, 'approved', { reason, actor, person });
    const about = { id: proposal.id, reason: proposal.reason };
    if ((await kind.execute(within, { ...proposed, ...about }, actor)) === 'done') {
      await em.nativeUpdate(Proposal, { id: proposal.id }, { state: 'done', endedAt: context.now() });
    }
    return em.findOneOrFail(Proposal, { id: proposal.id }, { refresh: true });
  });
  if (approved.state === 'done') return approved;
  // if this fails, the job tries again
  await settleKind(context, proposal.kind).catch((err) => context.log.warn({ err }, 'an approved proposal waits'));
  return context.em.findOneOrFail(Proposal, { id: proposal.id }, { refresh: true });
}

/**
 * Declines a proposal of somebody else.
 * @throws DomainError as `approveProposal`, for its right and its state
 */
export async function declineProposal(
  context: ServiceContext,
  decision: ProposalDecision,
  staff: SignedInStaff,
): Promise<Proposal> {
  const { proposal, person } = await decidable(context, decision.proposalId, staff);
  const reason = givenReason(decision.reason);
  return close(context, proposal, 'declined', { reason, actor: actorOf(staff), person });
}

/**
 * Withdraws the caller's own proposal.
 * @throws DomainError `not_found`; `forbidden` for somebody else's; `conflict` where it is decided or expired
 */
export async function withdrawProposal(
  context: ServiceContext,
  { proposalId, reason }: ProposalDecision,
  staff: SignedInStaff,
): Promise<Proposal> {
  const proposal = await rowUnder(context.em, Proposal, 'prop', proposalId, { refresh: true });
  const actor = actorOf(staff);
  const person = await personBehind(context, actor);
  if (isSecondPerson(proposal, person)) {
    throw new DomainError('forbidden', 'Only the person who proposed it can withdraw it. You can decline it.');
  }
  return close(context, proposal, 'withdrawn', { reason: givenReason(reason), actor, person });
}

interface Deciding {
  reason: string;
  actor: string;
  person: Person;
}

async function close(context: ServiceContext, proposal: Proposal, to: Decision, by: Deciding): Promise<Proposal> {
  return context.em.transactional(async (em) => {
    await take({ ...context, em }, proposal, to, by);
    return em.findOneOrFail(Proposal, { id: proposal.id }, { refresh: true });
  });
}

async function decidable(
  context: ServiceContext,
  proposalId: string,
  staff: SignedInStaff,
): Promise<{ proposal: Proposal; person: Person }> {
  const proposal = await rowUnder(context.em, Proposal, 'prop', proposalId, { refresh: true });
  requireRight(staff, PROPOSAL_KINDS[proposal.kind].decides, context.now());
  const person = await personBehind(context, actorOf(staff));
  if (!isSecondPerson(proposal, person)) {
    throw new DomainError('forbidden', 'You proposed this: someone else has to decide it. You can withdraw it.');
  }
  await requireProposer(context, proposal);
  return { proposal, person };
}

/** Ends what was proposed by somebody who has lost the right to propose it. */
async function requireProposer(context: ServiceContext, { kind, proposedBy }: Proposal): Promise<void> {
  const id = staffIn(proposedBy);
  const proposer = id && (await context.em.findOne(Staff, { id }, { refresh: true }));
  if (!proposer || (!proposer.disabledAt && roleHas(proposer.role, PROPOSAL_KINDS[kind].proposes))) return;
  await context.em.transactional((em) => endProposalsOf({ ...context, em }, proposer.id, kind));
  throw new DomainError('conflict', 'The person who proposed this may no longer do so: the proposal has ended.');
}

/** The one conditional update that ends the wait: of several people at the same time one wins. */
async function take(
  context: ServiceContext,
  { id, kind, subject }: Proposal,
  to: Decision,
  { reason: note, actor, person }: Deciding,
): Promise<void> {
  const { em } = context;
  const now = context.now();
  const own = [...person.accounts];
  const by = to === 'withdrawn' ? { $in: own } : { $nin: own };
  const taken = await em.nativeUpdate(
    Proposal,
    { id, state: 'proposed', expiresAt: { $gt: now }, proposedBy: by },
    { state: to, decidedBy: actor, decidedAt: now, note, ...(to !== 'approved' && { endedAt: now }) },
  );
  if (taken === 0) {
    const { state } = await em.findOneOrFail(Proposal, { id }, { refresh: true });
    throw new DomainError('conflict', tooLate(state));
  }
  recordAudit(context, {
    actor,
    action: `proposal.${to}`,
    subject,
    details: { proposal: id, kind, reason: note },
  });
}

const TOO_LATE: Readonly<Record<ProposalState, string>> = {
  proposed: 'The proposal has expired. Propose it again.',
  expired: 'The proposal has expired. Propose it again.',
  approved: 'Someone else has approved the proposal already.',
  done: 'Someone else has approved the proposal already.',
  failed: 'Someone else has approved the proposal already.',
  declined: 'The proposal has been declined already.',
  withdrawn: 'The proposal has been withdrawn.',
};

function tooLate(state: ProposalState): string {
  return TOO_LATE[state];
}
