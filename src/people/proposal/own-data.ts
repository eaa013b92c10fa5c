import { z } from 'zod';
import { Proposal } from '../../entities/proposal.ts';
import { personBehind } from '../../partners/person.ts';
import { actorOf, requireRight, type SignedInStaff } from '../../partners/rights.ts';
import { rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';
import { knownId } from '../../platform/identifier/known-id.ts';
import { after, DAY } from '../../platform/time.ts';
import type { ServiceContext } from '../../runtime.ts';
import { copyFanData, type FanCopy } from '../../sign-in/own-data/copy-data.ts';
import { deleteFan, requireMayLeave } from '../../sign-in/own-data/delete-fan.ts';
import { proposalKind } from './kind.ts';
import { propose } from './propose.ts';
import { accountOf } from './reopen.ts';

const NoDetails = z.object({});

/** Seconds after the approval in which the copy can be downloaded. */
export const COPY_AVAILABLE = 7 * DAY;

/** All that is kept about a fan who asks support for it. */
export const FAN_COPY = proposalKind<object>({
  name: 'fan.copy',
  title: 'Copy a fan’s data',
  proposes: 'proposals:write',
  decides: 'proposals:decide',
  details: NoDetails,
  effects: () => [
    'You and the person who proposed it can download all that is kept about the fan for seven days: numbers, sign-ins, passkeys, apps, tickets, sales, calls.',
    'Each download is on record. Give the files to the fan alone.',
  ],
  async check(context, { subject }) {
    await accountOf(context, subject);
  },
  async execute(context, { subject }) {
    await accountOf(context, subject);
    return 'done';
  },
});

/** A fan who can’t sign in, or wants support to do it, leaves. */
export const FAN_DELETION = proposalKind<object>({
  name: 'fan.deletion',
  title: 'Delete a fan’s account',
  proposes: 'proposals:write',
  decides: 'proposals:decide',
  details: NoDetails,
  effects: () => [
    'Every app loses its access, and the fan’s visits end.',
    'Numbers, passkeys and sign-ins are deleted. The number is free for a new account.',
    'The wallet’s key is destroyed once no permit is left in it.',
    'Books, proposals and the audit log keep the account’s identifier. Nobody can undo it.',
  ],
  async check(context, { subject }) {
    const { id } = await accountOf(context, subject);
    await requireMayLeave(context, id);
  },
  async execute(context, { id, subject, reason }, actor) {
    const fan = await accountOf(context, subject);
    await deleteFan(context, fan.id, { actor, details: { by: 'support', proposal: id } }, reason);
    return 'done';
  },
});

/**
 * Proposes a copy of a fan's data, or the deletion of the account.
 * @throws DomainError as `propose`; `not_found`; `conflict` for a test user, a fan who has left, and as `deleteFan`
 */
export function proposeAboutData(
  context: ServiceContext,
  kind: typeof FAN_COPY | typeof FAN_DELETION,
  { fanId, reason }: { fanId: string; reason: string },
  staff: SignedInStaff,
): Promise<Proposal> {
  return propose(context, kind, { subject: knownId('usr', fanId), details: {}, reason }, staff);
}

/**
 * The copy of an approved proposal, for the two people of it. An audit entry says who made it.
 * @throws DomainError `not_found`; `forbidden` for others; `conflict` where it is not approved, or was more than seven days ago
 */
export async function copyForSupport(
  context: ServiceContext,
  proposalId: string,
  staff: SignedInStaff,
): Promise<FanCopy> {
  requireRight(staff, 'proposals:write', context.now());
  const found = await rowUnder(context.em, Proposal, 'prop', proposalId, { refresh: true });
  const { id, kind, state, subject, proposedBy, decidedBy, endedAt } = found;
  if (kind !== FAN_COPY.name) throw new DomainError('conflict', 'This proposal is about something else.');
  const { accounts } = await personBehind(context, actorOf(staff));
  if (!accounts.has(proposedBy) && !(decidedBy && accounts.has(decidedBy))) {
    throw new DomainError('forbidden', 'The two people who proposed and approved it can download it.');
  }
  if (state !== 'done' || !endedAt) throw new DomainError('conflict', 'Nobody has approved this copy.');
  if (after(endedAt, COPY_AVAILABLE) <= context.now()) {
    throw new DomainError('conflict', 'It was approved more than seven days ago. Propose it again.');
  }
  const fan = await accountOf(context, subject);
  return copyFanData(context, fan.id, { actor: actorOf(staff), details: { by: 'support', proposal: id } });
}
