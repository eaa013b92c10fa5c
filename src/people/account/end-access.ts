import { AccountLink } from '../../entities/account.ts';
import { Proposal, type ProposalKindName } from '../../entities/proposal.ts';
import { StaffToken } from '../../entities/staff.ts';
import type { WriteContext } from '../../platform/context.ts';
import { type Id, isId } from '../../platform/identifier/type-id.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { type AccountId, rowsOf } from './account.ts';
import { endSessions } from './sessions.ts';

/**
 * Ends the sessions and links of an account, and for staff also tokens and open proposals. Runs in the caller's transaction, which has
 * locked the account's row.
 * @returns how many sessions and tokens it ended
 */
export async function endAccess(context: WriteContext, account: AccountId): Promise<number> {
  const { em, now } = context;
  const sessions = await endSessions(context, account);
  await em.nativeDelete(AccountLink, rowsOf(account));
  if (!isId('stf', account)) return sessions;
  await endProposalsOf(context, account);
  return sessions + (await em.nativeUpdate(StaffToken, { staff: account, revokedAt: null }, { revokedAt: now() }));
}

/** Ends what a person has proposed and nobody has decided, in the caller's transaction. @param kind of one kind only */
export async function endProposalsOf(
  context: WriteContext,
  staffId: Id<'stf'>,
  kind?: ProposalKindName,
): Promise<void> {
  const { em, now } = context;
  const open = { state: 'proposed', proposedBy: `staff:${staffId}`, ...(kind && { kind }) } as const;
  const reason = 'The person who proposed it may no longer do so.';
  const ended = { state: 'withdrawn', decidedBy: 'system', decidedAt: now(), note: reason, endedAt: now() } as const;
  for (const { id, kind, subject } of await em.find(Proposal, open, { disableIdentityMap: true })) {
    if ((await em.nativeUpdate(Proposal, { ...open, id }, ended)) === 0) continue;
    const details = { proposal: id, kind, reason };
    recordAudit(context, { actor: 'system', action: 'proposal.withdrawn', subject, details });
  }
}
