import { LOCAL_ISSUER, StaffLink } from '../../entities/staff.ts';
import type { WithSecrets } from '../../keys/seal.ts';
import type { Context } from '../../platform/context.ts';
import { type Device, deviceDetails } from '../../platform/device.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf, type StaffSessionSecret } from '../../platform/identifier/secret-value.ts';
import { idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { staffIssuer } from './identity-provider.ts';
import { startSession } from './start-session.ts';

type LinkContext = Pick<Context, 'em' | 'now' | 'config' | 'requestId'> & WithSecrets;

/**
 * The person whom a link would sign in. Does not use it up, because link previews may open it.
 * @throws DomainError `invalid_request` where it is used, expired or wrong
 */
export async function lookAtLink({ em, now, config }: LinkContext, secret: string): Promise<{ name: string }> {
  const link = await em.findOne(
    StaffLink,
    {
      secretHash: hashOf(secret),
      usedAt: null,
      expiresAt: { $gt: now() },
      staff: { disabledAt: null, issuer: staffIssuer(config) },
    },
    { populate: ['staff'] },
  );
  if (!link) throw invalidLink();
  return { name: link.staff.name };
}

/**
 * Locks the person's row before the link's, as `disableStaff` does, to prevent deadlocks. The lock is held until the session
 * exists, so that a concurrent `disableStaff` ends it too.
 */
const ADMIT = `
  update staff f set last_sign_in_at = ? from staff_link l
  where l.secret_hash = ? and l.used_at is null and l.expires_at > ?
    and f.id = l.staff_id and f.disabled_at is null and f.issuer = ?
  returning f.id, f.role`;

const USE = 'update staff_link set used_at = ? where secret_hash = ? and used_at is null returning staff_id';

/**
 * Signs in the person of a link, once.
 * @param sessionSecret of the browser's present session, which ends
 * @param device that signs in
 * @returns the secret for the browser's cookie
 * @throws DomainError `invalid_request` where it is used, expired or wrong
 */
export async function useLink(
  context: LinkContext,
  secret: string,
  sessionSecret: string | undefined,
  device?: Device,
): Promise<StaffSessionSecret> {
  if (staffIssuer(context.config) !== LOCAL_ISSUER) throw invalidLink();
  const at = context.now();
  return context.em.fork().transactional(async (em) => {
    const work = { ...context, em };
    const [person] = await em.execute<{ id: Uuid; role: string }[]>(ADMIT, [at, hashOf(secret), at, LOCAL_ISSUER]);
    if (!person) throw invalidLink();
    const [used] = await em.execute<{ staff_id: Uuid }[]>(USE, [at, hashOf(secret)]);
    if (!used) throw invalidLink();
    const staffId = idOf('stf', person.id);
    const details = { via: 'link', role: person.role, ...deviceDetails(device) } as const;
    recordAudit(work, { actor: `staff:${staffId}`, action: 'staff.signed_in', subject: staffId, details });
    return startSession(work, staffId, { authenticatedAt: at, replaces: sessionSecret, device });
  });
}

function invalidLink(): DomainError {
  return new DomainError(
    'invalid_request',
    'This sign-in link was already used, is older than 15 minutes or is incomplete. Ask for a new one.',
  );
}
