import { z } from 'zod';
import { Fan } from '../../entities/fan.ts';
import { FormerNumber } from '../../entities/former-number.ts';
import type { Proposal } from '../../entities/proposal.ts';
import type { SignedInStaff } from '../../partners/rights.ts';
import { rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import type { ServiceContext } from '../../runtime.ts';
import { findSupportCode } from '../../sign-in/verification/continuity.ts';
import { moveNumber, numberTaken } from '../../sign-in/verification/move-number.ts';
import { type Proposed, proposalKind } from './kind.ts';
import { propose } from './propose.ts';

const Details = z.object({
  /** When the person who asks last proved the number; ISO 8601. */
  provedAt: z.iso.datetime(),
});

/** D-078: an account opens for the holder of its number, who has no passkey but has told support a code. */
export const REOPEN = proposalKind<z.infer<typeof Details>>({
  name: 'fan.reopen',
  title: 'Open an account for the holder of its number',
  proposes: 'proposals:write',
  decides: 'proposals:decide',
  details: Details,
  effects: ({ details: { provedAt } }) => [
    `The number opens the account again. Its holder proved the number on ${provedAt.slice(0, 10)}.`,
    'Where the number has begun a new, empty account meanwhile, that account loses it.',
    'Anyone who holds the number can then sign in to the account’s tickets and apps.',
  ],
  async check(context, { subject }) {
    await accountOf(context, subject);
  },
  async execute(context, { id, subject }, actor) {
    const { em, now } = context;
    const fan = await accountOf(context, subject);
    if (!fan.phone) await giveBack(context, fan, id, actor);
    await em.nativeUpdate(Fan, { id: fan.id }, { numberProvedAt: now() });
    const details = { by: 'support', proposal: id } as const;
    recordAudit(context, { actor, action: 'fan.continuity_proved', subject: fan.id, details });
    await em.flush();
    return 'done';
  },
});

/** Takes the number back from the new account that has it, where that account holds nothing. */
async function giveBack(context: ServiceContext, fan: Fan, proposal: Proposal['id'], actor: string): Promise<void> {
  const former = await context.em.findOne(FormerNumber, { fan: fan.id }, { orderBy: { givenUpAt: 'desc' } });
  if (!former) throw new DomainError('conflict', 'This fan never had a number.');
  const move = { fan: fan.id, from: null, to: former.phone, reason: 'changed_by_support' } as const;
  const given = await moveNumber(context, move, { actor, details: { by: 'support', proposal } });
  if (!given) throw new DomainError('conflict', numberTaken().message);
}

/** @throws DomainError `not_found`; `conflict` for a test user, and a fan who has left */
export async function accountOf({ em }: ServiceContext, fanId: string): Promise<Fan> {
  const fan = await rowUnder(em, Fan, 'usr', fanId, { refresh: true });
  if (fan.mode === 'sandbox')
    throw new DomainError('conflict', 'A test user keeps its number and its account: the partner resets it.');
  if (fan.deletedAt) throw new DomainError('conflict', 'This fan has deleted the account.');
  return fan;
}

/**
 * Proposes to open the account of a support code.
 * @param request the code as the caller read it out, and the reason
 * @throws DomainError as `propose`; `not_found` where the code is unknown or older than 7 days
 */
export async function proposeReopen(
  context: ServiceContext,
  { code, reason }: { code: string; reason: string },
  staff: SignedInStaff,
): Promise<Proposal> {
  const found = await findSupportCode(context, code);
  if (!found)
    throw new DomainError('not_found', 'This code is unknown, or older than 7 days. Ask the caller for a new one.');
  const proposed: Proposed<unknown> = { subject: found.fan.id, details: { provedAt: found.provedAt.toISOString() } };
  return propose(context, REOPEN, { ...proposed, reason }, staff);
}
