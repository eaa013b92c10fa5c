import { PortalSession } from '../../entities/portal-session.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { type Id, idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';

/** Seconds without a call after which a session expires. */
export const PORTAL_IDLE = 30 * 60;
/** Seconds after which the phone must be verified again. */
export const PORTAL_LIFETIME = 12 * 3600;
/** Wrong codes after which the sign-in must start again. */
export const PORTAL_TRIES = 5;

/** A fan who is signed in. */
export interface PortalFan {
  id: Id<'usr'>;
  mode: 'sandbox' | 'production';
  /** E.164. Null while the number that the fan had is another fan's. */
  phone: string | null;
  /** By a code or a passkey. */
  authenticatedAt: Date;
  /** Names the visit in the database. */
  secretHash: string;
  /** Without a further call. */
  expiresAt: Date;
}

/**
 * The fan of a session; extends it.
 * @param secret from the browser's cookie
 * @throws DomainError `session_not_found` where nobody is signed in, or the session has expired
 */
export async function requirePortalFan(
  { em, now }: Pick<Context, 'em' | 'now'>,
  secret: string | undefined,
): Promise<PortalFan> {
  const at = now();
  const [seen] =
    secret === undefined
      ? []
      : await em.execute<SeenRow[]>(
          `update portal_session s set expires_at = least(?::timestamptz, s.authenticated_at + make_interval(secs => ?))
           from fan f where s.secret_hash = ? and s.step = 'open' and s.expires_at > ? and f.id = s.fan_id
           returning f.id, f.mode, f.phone, s.authenticated_at, s.secret_hash, s.expires_at`,
          [after(at, PORTAL_IDLE), PORTAL_LIFETIME, hashOf(secret), at],
        );
  if (!seen)
    throw new DomainError('session_not_found', 'You are not signed in, or were away for too long. Sign in again.');
  return {
    id: idOf('usr', seen.id),
    mode: seen.mode,
    phone: seen.phone,
    authenticatedAt: new Date(seen.authenticated_at),
    secretHash: seen.secret_hash,
    expiresAt: new Date(seen.expires_at),
  };
}

interface SeenRow {
  id: Uuid;
  mode: PortalFan['mode'];
  phone: string | null;
  authenticated_at: string;
  secret_hash: string;
  expires_at: string;
}

/** The visit whose number is proved, but not that its account is this fan's. */
export async function findPortalContinuity(
  { em, now }: Pick<Context, 'em' | 'now'>,
  secret: string | undefined,
): Promise<PortalSession | undefined> {
  if (secret === undefined) return undefined;
  const where = { secretHash: hashOf(secret), step: 'continuity', expiresAt: { $gt: now() } } as const;
  return (await em.findOne(PortalSession, where, { refresh: true })) ?? undefined;
}

/** The number of a visit that has not been opened by a passkey. */
export function numberUnderCheck({ phone }: PortalSession): string {
  if (!phone) throw new Error('a visit without a number has no code');
  return phone;
}

/** The session whose phone is under verification; undefined where no code may be typed any more. */
export async function findPortalChallenge(
  { em, now }: Pick<Context, 'em' | 'now'>,
  secret: string | undefined,
): Promise<PortalSession | undefined> {
  if (secret === undefined) return undefined;
  const found = await em.findOne(
    PortalSession,
    {
      secretHash: hashOf(secret),
      step: 'code',
      expiresAt: { $gt: now() },
      // a code that is being checked may be the right one
      $or: [{ wrongTries: { $lt: PORTAL_TRIES } }, { triesUnderWay: { $gt: 0 } }],
    },
    { refresh: true },
  );
  return found ?? undefined;
}

export async function endPortalSession({ em }: Pick<Context, 'em'>, secret: string | undefined): Promise<void> {
  if (secret !== undefined) await em.nativeDelete(PortalSession, { secretHash: hashOf(secret) });
}
