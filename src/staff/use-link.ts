import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { StaffLink } from '../entities/staff-link.ts';
import { DomainError } from '../errors.ts';
import { hashOf, type StaffSessionSecret } from '../identifier/secret-value.ts';
import { idOf } from '../identifier/type-id.ts';
import { LOCAL_ISSUER, staffIssuer } from './identity-provider.ts';
import { startSession } from './start-session.ts';

type LinkContext = Pick<Context, 'em' | 'now' | 'config' | 'secrets' | 'requestId'>;

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

/** Of two uses at once, one changes the row. */
const USE = `
  update staff_link l set used_at = ? from staff f
  where l.secret_hash = ? and l.used_at is null and l.expires_at > ?
    and f.id = l.staff_id and f.disabled_at is null and f.issuer = ?
  returning l.staff_id, f.role`;

const ADMIT = 'update staff set last_sign_in_at = ? where id = ? and disabled_at is null returning id';

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
    const rows = await em.execute<{ staff_id: string; role: string }[]>(USE, [at, hashOf(secret), at, LOCAL_ISSUER]);
    const [used] = rows;
    if (!used) throw spentLink();
    const staffId = idOf('stf', used.staff_id);
    // holds the row until the session is there, so that somebody who disables the person meanwhile ends it too
    const [admitted] = await em.execute<{ id: string }[]>(ADMIT, [at, used.staff_id]);
    if (!admitted) throw spentLink();
    const details = { via: 'link', role: used.role };
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
