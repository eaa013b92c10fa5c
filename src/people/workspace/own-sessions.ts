import { PartnerSession } from '../../entities/partner-member.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { after } from '../../platform/time.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { describeSession, type OwnSession } from '../staff/own-sessions.ts';
import { sessionIdOf } from '../staff/start-session.ts';
import type { SignedInMember } from './find-session.ts';
import { MEMBER_SESSION_IDLE } from './start-session.ts';

type SignOutContext = Pick<Context, 'em' | 'now' | 'requestId'>;

/** The live sessions of a member, newest first. */
export async function listOwnSessions(
  { em, now }: Pick<Context, 'em' | 'now'>,
  { id, sessionId }: Pick<SignedInMember, 'id' | 'sessionId'>,
): Promise<OwnSession[]> {
  const live = { expiresAt: { $gt: now() }, lastSeenAt: { $gt: after(now(), -MEMBER_SESSION_IDLE) } };
  const sessions = await em.find(PartnerSession, { member: id, ...live }, { orderBy: { createdAt: 'desc' } });
  return sessions.map((session) => describeSession(session, sessionId));
}

/**
 * Ends one of the member's sessions.
 * @param id of `OwnSession`
 * @throws DomainError `not_found`
 */
export async function endOwnSession(context: SignOutContext, id: string, member: SignedInMember): Promise<void> {
  const sessions = await context.em.find(PartnerSession, { member: member.id });
  const session = sessions.find(({ secretHash }) => sessionIdOf(secretHash) === id);
  if (!session) throw new DomainError('not_found', 'This session was not found.');
  await end(context, session);
}

/** Ends the session of a browser. @param secret from its cookie */
export async function endMemberSession(context: SignOutContext, secret: string | undefined): Promise<void> {
  const session =
    secret === undefined ? null : await context.em.findOne(PartnerSession, { secretHash: hashOf(secret) });
  if (session) await end(context, session);
}

async function end(context: SignOutContext, session: PartnerSession): Promise<void> {
  const member = session.member.id;
  context.em.remove(session);
  recordAudit(context, { actor: `member:${member}`, action: 'partner_member.signed_out', subject: member });
  await context.em.flush();
}
