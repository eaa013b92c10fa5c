/**
 * The fresh sign-in of the embedded default. Without a provider, a sign-in proves that somebody reads the output of the
 * process: that they run it on this machine. A call that arrives over the machine's own loopback, with the secret of a session,
 * proves the same, so one press confirms it.
 *
 * @module
 */

import { LockMode } from '@mikro-orm/core';
import { AccountSession } from '../../entities/account.ts';
import { LOCAL_ISSUER, Staff } from '../../entities/staff.ts';
import type { Config } from '../../platform/config/config.ts';
import type { WithConfig, WriteContext } from '../../platform/context.ts';
import { isLoopback } from '../../platform/device.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf, newSessionSecret, type SessionSecret } from '../../platform/identifier/secret-value.ts';
import { idOf } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { SESSION_IDLE } from '../account/sessions.ts';

/** How a call reached this process. */
export interface CallPath {
  /** The address of the connection's other end, not one from a header. */
  address: string;
  /** The `Host` header. */
  host: string;
  /** Whether a header says that a proxy passed it on. */
  isForwarded: boolean;
}

/** Whether a call is from a browser on this machine to the embedded default, where a person confirms themselves by pressing a button. */
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

/**
 * Makes the sign-in of a session fresh and changes its secret.
 * @returns the secret for the browser's cookie
 * @throws DomainError `forbidden` where pressing a button confirms nobody, `sign_in_required` without a live session
 */
export async function confirmSession(
  context: WriteContext & WithConfig,
  path: CallPath,
  secret: string | undefined,
): Promise<SessionSecret> {
  const { now, config } = context;
  if (!confirmsHere(config, path)) {
    throw new DomainError('forbidden', 'This can’t be confirmed by a button here. Sign in again instead.');
  }
  const at = now();
  return context.em.fork().transactional(async (em) => {
    const secretHash = hashOf(secret ?? '');
    const lastSeenAt = { $gt: after(at, -SESSION_IDLE.staff) };
    const live = { secretHash, audience: 'staff', lastSeenAt, expiresAt: { $gt: at } } as const;
    const session = await em.findOne(AccountSession, live);
    const person = { id: session && idOf('stf', session.accountId), issuer: LOCAL_ISSUER, disabledAt: null };
    const staff = session && (await em.findOne(Staff, person, { lockMode: LockMode.PESSIMISTIC_WRITE }));
    const next = newSessionSecret('staff');
    const fresh = { secretHash: hashOf(next), authenticatedAt: at, lastSeenAt: at };
    // of two confirmations at the same time, the second finds another secret
    if (!staff || (await em.nativeUpdate(AccountSession, { secretHash }, fresh)) !== 1) {
      throw new DomainError('sign_in_required', 'Your session has ended. Sign in again.');
    }
    const details = { via: 'this_machine', role: staff.role, stepUp: true } as const;
    const fact = { actor: `staff:${staff.id}`, action: 'staff.signed_in', subject: staff.id, details } as const;
    recordAudit({ ...context, em }, fact);
    return next;
  });
}
