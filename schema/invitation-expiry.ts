import { invitationExpiries } from '../src/people/account/links.ts';
import type { Id } from '../src/platform/identifier/type-id.ts';
import type { ServiceContext } from '../src/runtime.ts';

/** The options of a field of members, in both schemas. */
export const INVITATION_EXPIRY = {
  type: 'DateTime',
  nullable: true,
  description: 'Until when the link in the newest invitation works; null where there is none that was not used.',
  load: (ids: string[], { context }: { context: Pick<ServiceContext, 'em'> }) =>
    invitationExpiries(context, ids as Id<'mem'>[]),
  resolve: ({ id }: { id: string }) => id,
} as const;
