import { StaffSession } from '../../entities/staff.ts';
import { actorOf, type SignedInStaff } from '../../partners/rights.ts';
import type { Context } from '../../platform/context.ts';
import { browserOf, networkKind } from '../../platform/device.ts';
import { DomainError } from '../../platform/errors.ts';
import { after } from '../../platform/time.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { SESSION_IDLE, sessionIdOf } from './start-session.ts';

/** A signed-in browser. */
export interface OwnSession {
  id: string;
  /** Whether it is the caller's. */
  isCurrent: boolean;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
  /** `Chrome 131 on Windows`. */
  browser: string | undefined;
  address: string | null;
  /** The kind of network, for an address that is not of the internet. */
  network: string | undefined;
  timeZone: string | null;
}

/** The live sessions of a member of staff, newest first. */
export async function listOwnSessions(
  { em, now }: Pick<Context, 'em' | 'now'>,
  staff: Pick<SignedInStaff, 'id' | 'sessionId'>,
): Promise<OwnSession[]> {
  const live = { expiresAt: { $gt: now() }, lastSeenAt: { $gt: after(now(), -SESSION_IDLE) } };
  const sessions = await em.find(StaffSession, { staff: staff.id, ...live }, { orderBy: { createdAt: 'desc' } });
  return sessions.map((session) => describeSession(session, staff.sessionId));
}

/** What is kept of a session in a browser, of staff or of a member of a partner. */
interface StoredSession {
  secretHash: string;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
  address?: string | null | undefined;
  userAgent?: string | null | undefined;
  timeZone?: string | null | undefined;
}

/** A session for the list of its owner. @param current id of the session that makes the call */
export function describeSession(
  { secretHash, createdAt, lastSeenAt, expiresAt, address = null, userAgent = null, timeZone = null }: StoredSession,
  current: string | undefined,
): OwnSession {
  return {
    id: sessionIdOf(secretHash),
    isCurrent: sessionIdOf(secretHash) === current,
    createdAt,
    lastSeenAt,
    expiresAt,
    browser: browserOf(userAgent),
    address,
    network: address === null ? undefined : networkKind(address),
    timeZone,
  };
}

/**
 * Ends one of the caller's sessions.
 * @param id of `OwnSession`
 * @throws DomainError `not_found`, `forbidden` for a token
 */
export async function endOwnSession(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  id: string,
  staff: SignedInStaff,
): Promise<void> {
  if (staff.scopes !== null) throw new DomainError('forbidden', 'A token can’t end sessions. Sign in to the console.');
  const sessions = await context.em.find(StaffSession, { staff: staff.id });
  const session = sessions.find(({ secretHash }) => sessionIdOf(secretHash) === id);
  if (!session) throw new DomainError('not_found', 'This session was not found.');
  context.em.remove(session);
  recordAudit(context, { actor: actorOf(staff), action: 'staff.signed_out', subject: staff.id });
  await context.em.flush();
}
