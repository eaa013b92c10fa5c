import { Staff, StaffSession } from '../../entities/staff.ts';
import { seal, type WithSecrets } from '../../keys/seal.ts';
import type { Context } from '../../platform/context.ts';
import type { Device } from '../../platform/device.ts';
import { hashOf, newStaffSessionSecret, type StaffSessionSecret } from '../../platform/identifier/secret-value.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';

/** Seconds from the last use to the end of a session. */
export const SESSION_IDLE = 30 * 60;
/** Seconds from the start to the end, even with use. */
export const SESSION_LIFETIME = 12 * 3600;

const ID_LENGTH = 16;

/** A prefix of the stored hash: identifies a session and opens none. */
export function sessionIdOf(secretHash: string): string {
  return secretHash.slice(0, ID_LENGTH);
}

export interface SessionBeginning {
  /** When the person authenticated; null where the provider omits it. */
  authenticatedAt: Date | null;
  /** For the provider's logout. */
  idToken?: string;
  /** The browser's present secret: its session ends. */
  replaces: string | undefined;
  /** The browser that signs in. */
  device?: Device | undefined;
}

/**
 * Starts a session with a new secret, in the caller's unit of work. The browser's old secret becomes invalid, so that
 * neither a planted one nor one stolen before a step-up opens the new session.
 */
export async function startSession(
  { em, now, secrets }: Pick<Context, 'em' | 'now'> & WithSecrets,
  staffId: Id<'stf'>,
  { authenticatedAt, idToken, replaces, device }: SessionBeginning,
): Promise<StaffSessionSecret> {
  const secret = newStaffSessionSecret();
  const secretHash = hashOf(secret);
  if (replaces !== undefined) await em.nativeDelete(StaffSession, { secretHash: hashOf(replaces) });
  const hint = idToken === undefined ? undefined : await seal(secrets, secretHash, Buffer.from(idToken));
  em.create(StaffSession, {
    secretHash,
    staff: em.getReference(Staff, staffId),
    authenticatedAt,
    createdAt: now(),
    ...device,
    lastSeenAt: now(),
    expiresAt: after(now(), SESSION_LIFETIME),
    sealedIdToken: hint?.sealed ?? null,
    sealedWith: hint?.sealedWith ?? '',
  });
  return secret;
}
