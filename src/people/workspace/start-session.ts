import { PartnerMember, PartnerSession } from '../../entities/partner-member.ts';
import type { Context } from '../../platform/context.ts';
import type { Device } from '../../platform/device.ts';
import { hashOf, type MemberSessionSecret, newMemberSessionSecret } from '../../platform/identifier/secret-value.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { SESSION_LIFETIME } from '../staff/start-session.ts';

/** Seconds from the last use to the end of a session: developers leave the page open beside their work. */
export const MEMBER_SESSION_IDLE = 2 * 3600;
/** Seconds from the start to the end, even with use. */
export const MEMBER_SESSION_LIFETIME = SESSION_LIFETIME;

/**
 * Starts a session with a new secret, in the caller's unit of work.
 * @param replaces the browser's present secret: its session ends, so that no planted secret opens the new one
 */
export async function startMemberSession(
  { em, now }: Pick<Context, 'em' | 'now'>,
  memberId: Id<'mem'>,
  { replaces, device }: { replaces: string | undefined; device: Device | undefined },
): Promise<MemberSessionSecret> {
  const secret = newMemberSessionSecret();
  if (replaces !== undefined) await em.nativeDelete(PartnerSession, { secretHash: hashOf(replaces) });
  em.create(PartnerSession, {
    secretHash: hashOf(secret),
    member: em.getReference(PartnerMember, memberId),
    createdAt: now(),
    lastSeenAt: now(),
    ...device,
    expiresAt: after(now(), MEMBER_SESSION_LIFETIME),
  });
  return secret;
}
