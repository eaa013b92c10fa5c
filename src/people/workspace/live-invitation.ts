import { PartnerLink } from '../../entities/partner-member.ts';
import type { Context } from '../../platform/context.ts';
import type { Id } from '../../platform/identifier/type-id.ts';

/** Who has joined needs no invitation any more. In the transaction of `em`. */
export async function endInvitations({ em, now }: Pick<Context, 'em' | 'now'>, memberId: Id<'mem'>): Promise<void> {
  await em.nativeUpdate(PartnerLink, { member: memberId, kind: 'invitation', usedAt: null }, { usedAt: now() });
}

/** Whether a person who has not joined yet may still do so. */
export async function hasLiveInvitation(
  { em, now }: Pick<Context, 'em' | 'now'>,
  memberId: Id<'mem'>,
): Promise<boolean> {
  const live = { member: memberId, kind: 'invitation', usedAt: null, expiresAt: { $gt: now() } } as const;
  return (await em.count(PartnerLink, live)) > 0;
}
