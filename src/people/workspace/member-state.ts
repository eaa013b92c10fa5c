import type { PartnerMember } from '../../entities/partner-member.ts';

export const MEMBER_STATES = ['invited', 'joined', 'revoked'] as const;

/** How far a member of a partner has come. */
export function memberState({
  revokedAt,
  joinedAt,
}: Pick<PartnerMember, 'revokedAt' | 'joinedAt'>): (typeof MEMBER_STATES)[number] {
  if (revokedAt) return 'revoked';
  return joinedAt ? 'joined' : 'invited';
}
