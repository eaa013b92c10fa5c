import type { SignedInMember } from '../../src/people/account/find-session.ts';
import type { ServiceContext } from '../../src/runtime.ts';

/** What the resolvers of one call of a partner's member work with. Without a member there is no call. */
export interface PartnerCall {
  /** For reading: one entity manager for the whole call. */
  context: ServiceContext;
  /** A new context for one mutation, so that a refused one leaves nothing behind for the next. */
  work(): ServiceContext;
  member: SignedInMember;
}

/** The member, as audit entries name them. */
export function actorIn({ member }: PartnerCall): string {
  return `member:${member.id}`;
}
