import { PhoneChallenge } from '../../entities/phone-challenge.ts';
import { PortalSession } from '../../entities/portal-session.ts';
import type { Context, EntityContext, SqlContext } from '../../platform/context.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { type Id, idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import { after } from '../../platform/time.ts';
import { SESSION_TRIES } from '../authorization/find-session.ts';

/** Seconds without a call after which a session expires. */
export const PORTAL_IDLE = 30 * 60;
/** Seconds after which the phone must be verified again. */
const PORTAL_LIFETIME = 12 * 3600;

/** A fan who is signed in. */
export interface PortalFan {
  id: Id<'usr'>;
  mode: Mode;
  /** E.164. Null while the number that the fan had is another fan's. */
  phone: string | null;
  /** By a code or a passkey. */
  authenticatedAt: Date;
  /** Identifies the visit in the database. */
  secretHash: string;
  /** When the visit expires without a further call. */
  expiresAt: Date;
}

const extendVisit = preparedWithDates<Omit<PortalFan, 'id'> & { id: Uuid }>(`
  update portal_session s set expires_at = least($1::timestamptz, s.authenticated_at + make_interval(secs => ${PORTAL_LIFETIME}))
  from fan f where s.secret_hash = $2 and s.expires_at > $3 and f.id = s.fan_id
  returning f.id, f.mode, f.phone, s.authenticated_at as "authenticatedAt", s.secret_hash as "secretHash", s.expires_at as "expiresAt"`);

/**
 * Finds the fan who is signed in with a secret, and extends the visit.
 * @param secret from the browser's cookie
 * @throws DomainError `session_not_found` where nobody is signed in, or the session has expired
 */
export async function requirePortalFan({ pool, now }: SqlContext, secret: string | undefined): Promise<PortalFan> {
  const at = now();
  const [seen] = secret === undefined ? [] : await extendVisit(pool, [after(at, PORTAL_IDLE), hashOf(secret), at]);
  if (!seen)
    throw new DomainError('session_not_found', 'You are not signed in, or were away for too long. Sign in again.');
  return { ...seen, id: idOf('usr', seen.id) };
}

/** A number that a visitor is proving, or has proved while its account is not open yet. */
export type PortalChallenge = PhoneChallenge & { step: 'code' | 'continuity'; phone: string; resendAt: Date };

/** The number of a visitor who is not signed in; undefined where there is none, or no code for it may be typed any more. */
export async function findPortalChallenge(
  { em, now }: EntityContext,
  secret: string | undefined,
): Promise<PortalChallenge | undefined> {
  if (secret === undefined) return undefined;
  const where = { purpose: 'portal', owner: hashOf(secret), expiresAt: { $gt: now() } } as const;
  const found = await em.findOne(PhoneChallenge, where, { refresh: true });
  // a code that is being checked may be the right one
  const mayType = found?.step === 'code' && (found.wrongTries < SESSION_TRIES || found.triesUnderWay > 0);
  return mayType || found?.step === 'continuity' ? (found as PortalChallenge) : undefined;
}

export async function endPortalSession({ em }: Pick<Context, 'em'>, secret: string | undefined): Promise<void> {
  if (secret === undefined) return;
  const secretHash = hashOf(secret);
  await em.nativeDelete(PortalSession, { secretHash });
  await em.nativeDelete(PhoneChallenge, { purpose: { $in: ['portal', 'number_change'] }, owner: secretHash });
}

export function signInIsOver(): DomainError {
  return new DomainError('session_not_found', 'This sign-in is over. Begin again with your number.');
}
