import { AccountLink, AccountSession, type Audience } from '../../entities/account.ts';
import { seal, type WithSecrets } from '../../keys/seal.ts';
import type { Context, EntityContext, WriteContext } from '../../platform/context.ts';
import { browserOf, type Device, networkKind } from '../../platform/device.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf, newSessionSecret, type SessionSecret } from '../../platform/identifier/secret-value.ts';
import { after } from '../../platform/time.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { type AccountId, accountActor, accountOf, rowsOf } from './account.ts';

/** Seconds from the last use to the end of a session. Developers leave the workspace open beside their work. */
export const SESSION_IDLE: Record<Audience, number> = { staff: 30 * 60, member: 2 * 3600 };
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
  { em, now, secrets }: EntityContext & WithSecrets,
  account: AccountId,
  { authenticatedAt, idToken, replaces, device }: SessionBeginning,
): Promise<SessionSecret> {
  const rows = rowsOf(account);
  const secret = newSessionSecret(rows.audience);
  const secretHash = hashOf(secret);
  if (replaces !== undefined) {
    await em.nativeDelete(AccountSession, { audience: rows.audience, secretHash: hashOf(replaces) });
  }
  const hint = idToken === undefined ? undefined : await seal(secrets, secretHash, Buffer.from(idToken));
  em.create(AccountSession, {
    secretHash,
    ...rows,
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
  /** The kind of network, for an address that is not public. */
  network: string | undefined;
  timeZone: string | null;
}

/** The caller, whose sessions these are. */
interface Owner {
  id: AccountId;
  sessionId?: string;
  /** Null or undefined for a session; the rights of a token. */
  scopes?: readonly string[] | null;
}

/** The live sessions of an account, newest first. */
export async function listOwnSessions(
  { em, now }: EntityContext,
  { id: account, sessionId }: Owner,
): Promise<OwnSession[]> {
  const rows = rowsOf(account);
  const live = { expiresAt: { $gt: now() }, lastSeenAt: { $gt: after(now(), -SESSION_IDLE[rows.audience]) } };
  const sessions = await em.find(AccountSession, { ...rows, ...live }, { orderBy: { createdAt: 'desc' } });
  return sessions.map(({ secretHash, createdAt, lastSeenAt, expiresAt, address, userAgent, timeZone }) => {
    const id = sessionIdOf(secretHash);
    const network = address == null ? undefined : networkKind(address);
    const seen = { createdAt, lastSeenAt, expiresAt, address: address ?? null, timeZone: timeZone ?? null };
    return { id, isCurrent: id === sessionId, ...seen, browser: browserOf(userAgent ?? null), network };
  });
}

/**
 * Ends one of the caller's sessions.
 * @param id of `OwnSession`
 * @throws DomainError `not_found`, `forbidden` for a token
 */
export async function endOwnSession(context: WriteContext, id: string, owner: Owner): Promise<void> {
  if (owner.scopes) throw new DomainError('forbidden', 'A token can’t end sessions. Sign in to the console.');
  const sessions = await context.em.find(AccountSession, rowsOf(owner.id));
  const session = sessions.find(({ secretHash }) => sessionIdOf(secretHash) === id);
  if (!session) throw new DomainError('not_found', 'This session was not found.');
  await end(context, session, owner.id);
}

/** Ends the session of a browser. @param secret from its cookie @returns the session, for what follows its end */
export async function endBrowserSession(
  context: WriteContext,
  audience: Audience,
  secret: string | undefined,
): Promise<AccountSession | undefined> {
  if (secret === undefined) return undefined;
  const session = await context.em.findOne(AccountSession, { audience, secretHash: hashOf(secret) });
  if (!session) return undefined;
  await end(context, session, accountOf(session));
  return session;
}

const SIGNED_OUT = { staff: { action: 'staff.signed_out' }, member: { action: 'partner_member.signed_out' } } as const;

async function end(context: WriteContext, session: AccountSession, account: AccountId): Promise<void> {
  context.em.remove(session);
  recordAudit(context, { actor: accountActor(account), subject: account, ...SIGNED_OUT[session.audience] });
  await context.em.flush();
}

/** Ends every session of an account and the links that would start one, in the caller's transaction. @returns how many sessions */
export async function endSessions({ em }: Pick<Context, 'em'>, account: AccountId): Promise<number> {
  await em.nativeDelete(AccountLink, { ...rowsOf(account), kind: 'sign_in', usedAt: null });
  return em.nativeDelete(AccountSession, rowsOf(account));
}
