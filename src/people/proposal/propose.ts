import { LockMode, UniqueConstraintViolationException } from '@mikro-orm/core';
import { Proposal } from '../../entities/proposal.ts';
import { Staff } from '../../entities/staff.ts';
import { actorOf, requireRight, type SignedInStaff } from '../../partners/rights.ts';
import { DomainError } from '../../platform/errors.ts';
import { newId } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import type { ServiceContext } from '../../runtime.ts';
import { expireProposals } from './expire-proposals.ts';
import type { AnyKind, Proposed } from './kind.ts';

/** Seconds in which a proposal can be decided. */
export const PROPOSAL_LIFETIME = 72 * 3600;

/**
 * Proposes what another member of staff decides. Nothing else happens before that.
 * @throws DomainError `forbidden`; `invalid_request` for an invalid reason or details that the kind refuses; `conflict` where one of
 * this kind is open for the subject; and as the kind's `check` does
 */
export async function propose(
  context: ServiceContext,
  { name: kind, proposes, details: schema, check }: AnyKind,
  { subject, details, reason: text }: Proposed<unknown> & { reason: string },
  staff: SignedInStaff,
): Promise<Proposal> {
  requireRight(staff, proposes, context.now());
  const reason = givenReason(text);
  const { success, data } = schema.safeParse(details);
  if (!success) throw new DomainError('invalid_request', `The details are not those of ${kind}.`);
  await check(context, { subject, details: data });
  // an expired proposal must not block a new one
  await expireProposals(context);
  const now = context.now();
  const actor = actorOf(staff);
  try {
    return await context.em.transactional(async (em) => {
      // locked: a call that disables the person waits, and then ends this proposal too
      const lock = { lockMode: LockMode.PESSIMISTIC_READ };
      if (!(await em.findOne(Staff, { id: staff.id, disabledAt: null }, lock))) {
        throw new DomainError('forbidden', 'An admin has disabled your access.');
      }
      const proposal = em.create(Proposal, {
        id: newId('prop'),
        kind,
        subject,
        details: data,
        reason,
        proposedBy: actor,
        proposedAt: now,
        expiresAt: after(now, PROPOSAL_LIFETIME),
        state: 'proposed',
      });
      const about = { proposal: proposal.id, kind, reason };
      recordAudit({ ...context, em }, { actor, action: 'proposal.made', subject, details: about });
      await em.flush();
      return proposal;
    });
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    throw new DomainError('conflict', 'The same is already proposed. Decide or withdraw that proposal first.');
  }
}
