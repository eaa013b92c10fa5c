import { PartnerLink } from '../src/entities/partner-member.ts';
import { rowsBy } from './load-rows.ts';

const invitations = rowsBy(PartnerLink, 'member', { where: { kind: 'invitation', usedAt: null } });

const load: (...call: Parameters<typeof invitations.load>) => Promise<(Date | undefined)[]> = async (ids, call) =>
  (await invitations.load(ids, call)).map(
    (links) => links.map(({ expiresAt }) => expiresAt).sort((one, other) => Number(other) - Number(one))[0],
  );

/** The options of a field of members, in both schemas. */
export const INVITATION_EXPIRY = {
  type: 'DateTime',
  nullable: true,
  description: 'Until when the link in the newest invitation works; null where there is none that was not used.',
  load,
  resolve: ({ id }: { id: string }) => id,
} as const;
