import { partnerSchema } from '../../schema/schema.ts';
import { type MemberRole, PartnerMember } from '../../src/entities/partner-member.ts';
import { findMemberSession, type SignedInMember } from '../../src/people/account/find-session.ts';
import { startSession } from '../../src/people/account/sessions.ts';
import type { Id } from '../../src/platform/identifier/type-id.ts';
import { runDocument } from './staff-call.ts';
import type { TestApp } from './start-app.ts';

/** A person of a partner who has joined and is signed in. */
export async function newMember(
  app: TestApp,
  partner: Id<'ptn'>,
  name = 'Mia Member',
  role: MemberRole = 'developer',
): Promise<SignedInMember> {
  const context = app.context();
  const { em, now } = context;
  const at = now();
  const email = `${crypto.randomUUID()}@partner.example`;
  const joined = { joinedAt: at, lastSignInAt: at };
  const invited = { invitedBy: 'system', invitedAt: at };
  const member = em.create(PartnerMember, { partner, name, email, role, ...invited, ...joined });
  await em.flush();
  const device = { address: '192.0.2.7', userAgent: 'Mozilla/5.0 Chrome/131.0', timeZone: 'Europe/Berlin' };
  const secret = await startSession(context, member.id, { authenticatedAt: at, replaces: undefined, device });
  await em.flush();
  const found = await findMemberSession(context, secret);
  if (!found) throw new Error('a session that was just started is found');
  return found;
}

/** Runs a GraphQL document of the workspace as somebody, without HTTP. @throws the first error of the answer */
export function runAsMember<Data = Record<string, unknown>>(
  app: TestApp,
  member: SignedInMember,
  document: string,
  variables: Record<string, unknown> = {},
): Promise<Data> {
  return runDocument(partnerSchema, app, member, document, variables) as Promise<Data>;
}
