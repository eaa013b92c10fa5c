import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { StaffLink } from '../entities/staff-link.ts';
import { DomainError } from '../errors.ts';
import { hashOf, type StaffSessionSecret } from '../identifier/secret-value.ts';
import { idOf, type Uuid } from '../identifier/type-id.ts';
import type { WithSecrets } from '../keys/seal.ts';
import { LOCAL_ISSUER, staffIssuer } from './identity-provider.ts';
import { startSession } from './start-session.ts';

type LinkContext = Pick<Context, 'em' | 'now' | 'config' | 'requestId'> & WithSecrets;

/**
 * Whom a link would sign in. Looking spends nothing: programs that preview links may open it.
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
  if (!link) throw spentLink();
  return { name: link.staff.name };
}

/**
 * The person's row comes before the link's, as for whoever disables somebody: else each of the two could wait for the other.
 * It is held until the session is there, so that who disables the person meanwhile ends it too.
 */
const ADMIT = `
  update staff f set last_sign_in_at = ? from staff_link l
  where l.secret_hash = ? and l.used_at is null and l.expires_at > ?
    and f.id = l.staff_id and f.disabled_at is null and f.issuer = ?
  returning f.id, f.role`;

/** Of two uses at once, one changes the row. */
const USE = 'update staff_link set used_at = ? where secret_hash = ? and used_at is null returning staff_id';

/**
 * Signs the person of a link in, once.
 * @param sessionSecret of the session that the browser has already, if any: it ends
 * @returns the secret for the browser's cookie
 * @throws DomainError `invalid_request` where it is used, expired or wrong
 */
export async function useLink(
  context: LinkContext,
  secret: string,
  sessionSecret: string | undefined,
): Promise<StaffSessionSecret> {
  if (staffIssuer(context.config) !== LOCAL_ISSUER) throw spentLink();
  const at = context.now();
  return context.em.fork().transactional(async (em) => {
    const work = { ...context, em };
    const [person] = await em.execute<{ id: Uuid; role: string }[]>(ADMIT, [at, hashOf(secret), at, LOCAL_ISSUER]);
    if (!person) throw spentLink();
    const [used] = await em.execute<{ staff_id: Uuid }[]>(USE, [at, hashOf(secret)]);
    if (!used) throw spentLink();
    const staffId = idOf('stf', person.id);
    const details = { via: 'link', role: person.role } as const;
    recordAudit(work, { actor: `staff:${staffId}`, action: 'staff.signed_in', subject: staffId, details });
    return startSession(work, staffId, { authenticatedAt: at, replaces: sessionSecret });
  });
}

function spentLink(): DomainError {
  return new DomainError(
    'invalid_request',
    'This sign-in link is used, older than fifteen minutes, or not complete. Ask for a new one.',
  );
}
