/**
 * The fresh sign-in of the embedded default. Without a provider, a sign-in proves that somebody reads the output of the
 * process: that they run it on this machine. A call that comes over the machine's own loopback, with the secret of a session,
 * proves the same, so one press confirms it. See D-171.
 *
 * @module
 */

import { LOCAL_ISSUER } from '../../entities/staff.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Context } from '../../platform/context.ts';
import { isLoopback } from '../../platform/device.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf, newStaffSessionSecret, type StaffSessionSecret } from '../../platform/identifier/secret-value.ts';
import { idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { SESSION_IDLE } from './start-session.ts';

/** How a call reached this process. */
export interface CallPath {
  /** Of the other end of the connection, not what a header says. */
  address: string;
  /** The `Host` header. */
  host: string;
  /** Whether a header says that a proxy passed it on. */
  isForwarded: boolean;
}

/** Whether a call is of a browser on this machine to the embedded default, where a person confirms themselves by a press. */
export function confirmsHere(
  config: Pick<Config, 'production' | 'databaseUrl' | 'staffProvider' | 'trustedProxies' | 'adminUrl'>,
  { address, host, isForwarded }: CallPath,
): boolean {
  const isEmbeddedDefault =
    !config.production && config.databaseUrl === undefined && config.staffProvider === undefined;
  const admin = new URL(config.adminUrl);
  const isDirect = config.trustedProxies === 0 && !isForwarded && isLoopback(address) && host === admin.host;
  return isEmbeddedDefault && isDirect && isLoopbackName(admin.hostname);
}

function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
}

/** One live session gets a new secret; its end stays where it was. */
const CONFIRM = `
  update staff_session s set secret_hash = ?, authenticated_at = ?, last_seen_at = ? from staff f
  where s.secret_hash = ? and s.last_seen_at > ? and s.expires_at > ?
    and f.id = s.staff_id and f.disabled_at is null and f.issuer = ?
  returning f.id, f.role`;

/**
 * Makes the sign-in of a session fresh and changes its secret.
 * @returns the secret for the browser's cookie
 * @throws DomainError `forbidden` where a press does not confirm anybody, `sign_in_required` without a live session
 */
export async function confirmSession(
  context: Pick<Context, 'em' | 'now' | 'config' | 'requestId'>,
  path: CallPath,
  secret: string | undefined,
): Promise<StaffSessionSecret> {
  const { now, config } = context;
  if (!confirmsHere(config, path)) {
    throw new DomainError('forbidden', 'This can’t be confirmed by a button here. Sign in again instead.');
  }
  const next = newStaffSessionSecret();
  const at = now();
  return context.em.fork().transactional(async (em) => {
    const values = [hashOf(next), at, at, hashOf(secret ?? ''), after(at, -SESSION_IDLE), at, LOCAL_ISSUER];
    const [person] = await em.execute<{ id: Uuid; role: string }[]>(CONFIRM, values);
    if (!person) throw new DomainError('sign_in_required', 'Your session has ended. Sign in again.');
    const staffId = idOf('stf', person.id);
    const details = { via: 'this_machine', role: person.role, stepUp: true } as const;
    recordAudit(
      { ...context, em },
      { actor: `staff:${staffId}`, action: 'staff.signed_in', subject: staffId, details },
    );
    return next;
  });
}
