import { randomUUID } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import type { Context } from '../context.ts';
import type { WithDoubts } from '../database/doubts.ts';
import { untilKnown } from '../database/until-known.ts';
import { AuthorizationCode } from '../entities/authorization-code.ts';
import { AuthorizationSession } from '../entities/authorization-session.ts';
import { ConsentGrant } from '../entities/consent-grant.ts';
import { DomainError } from '../errors.ts';
import { hashOf, type SecretValue } from '../identifier/secret-value.ts';
import type { Id } from '../identifier/type-id.ts';
import { AUTHORIZATION_CODE_LIFETIME, after } from '../oauth/lifetimes.ts';
import { withParameters } from '../oauth/redirect-uri.ts';
import type { OpenSession } from './find-session.ts';

/** What ends a session with a code. */
export interface Completion {
  code: SecretValue<'authorization_code'>;
  /** The process that makes it. */
  process: string;
  /** The hash of a code that nobody has got, and that this one replaces. */
  lost: string | undefined;
}

/**
 * Ends a session with a code for the grant that `makeGrant` makes, in the caller's transaction. Locks the session's row
 * before any row that `makeGrant` locks, in the same order as a sandbox reset. Done again with the same code, it changes nothing.
 * @param makeGrant is given the grant of the code that is replaced
 * @returns the redirect URI with `code` and `state`
 * @throws DomainError `wrong_step` where the session has ended
 */
export async function completeAuthorization(
  { em, now }: Pick<Context, 'em' | 'now'>,
  session: OpenSession,
  { code, process, lost }: Completion,
  makeGrant: (fanId: Id<'usr'>, earlier: ConsentGrant | undefined) => Promise<ConsentGrant>,
): Promise<string> {
  const hash = hashOf(code);
  const redirectTo = withParameters(session.redirectUri, { code, state: session.state });
  // single use: of two concurrent consents one ends the session; and none after another fan has signed in to it
  const before = lost === undefined ? ({ step: 'consent', fan: session.fan?.id ?? null } as const) : { codeHash: lost };
  if (!(await endSession(em, session, before, { codeHash: hash, completedBy: process }))) {
    if ((await em.count(AuthorizationCode, { hash })) === 1) return redirectTo;
    throw completed();
  }
  const { fan, authenticatedAt } = session;
  if (!fan || !authenticatedAt) throw new Error(`session ${session.id} reached consent without a verified fan`);
  const earlier = lost === undefined ? undefined : await takeBack(em, lost);
  em.create(AuthorizationCode, {
    hash,
    client: session.client.id,
    grant: await makeGrant(fan.id, earlier),
    redirectUri: session.redirectUri,
    codeChallenge: session.codeChallenge,
    nonce: session.nonce ?? null,
    authenticatedAt,
    expiresAt: after(now(), AUTHORIZATION_CODE_LIFETIME),
  });
  return redirectTo;
}

/** The hash of a completed session's code, where nobody has used it and the answer that it was in was lost by us. */
export async function findLostCode(
  { em, now, doubts }: Pick<Context, 'em' | 'now'> & WithDoubts,
  { codeHash, completedBy }: OpenSession,
): Promise<string | undefined> {
  const code = codeHash == null ? null : await em.findOne(AuthorizationCode, { hash: codeHash, usedAt: null });
  if (code === null) return undefined;
  const at = after(code.expiresAt, -AUTHORIZATION_CODE_LIFETIME);
  return (await doubts.concern({ id: code.hash, process: completedBy ?? null, at }, now())) ? code.hash : undefined;
}

/** Deletes a code that nobody has used. @returns its grant @throws DomainError `wrong_step` where it was used meanwhile */
async function takeBack(em: Context['em'], hash: string): Promise<ConsentGrant> {
  const code = await em.findOne(AuthorizationCode, { hash, usedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (code === null) throw completed();
  em.remove(code);
  return em.findOneOrFail(ConsentGrant, code.grant.id);
}

/**
 * Ends a session that the fan cancelled, at any step.
 * @returns the redirect URI with `error=access_denied`
 * @see RFC 6749 §4.1.2.1
 */
export async function denyAuthorization(
  context: Pick<Context, 'em'> & WithDoubts,
  session: OpenSession,
): Promise<string> {
  const { em } = context;
  const { result: ended, again } = await untilKnown(context, randomUUID(), () =>
    endSession(em, session, { step: { $ne: 'done' } }),
  );
  const denied = { id: session.id, step: 'done', codeHash: null } as const;
  if (!ended && !(again && (await em.count(AuthorizationSession, denied)) === 1)) throw completed();
  return withParameters(session.redirectUri, {
    error: 'access_denied',
    error_description: 'The user denied the request',
    state: session.state,
  });
}

async function endSession(
  em: Context['em'],
  { id }: OpenSession,
  where: { step: 'consent'; fan: Id<'usr'> | null } | { codeHash: string } | { step: { $ne: 'done' } },
  code: { codeHash?: string; completedBy?: string } = {},
): Promise<boolean> {
  return (await em.nativeUpdate(AuthorizationSession, { id, ...where }, { step: 'done', ...code })) === 1;
}

function completed(): DomainError {
  return new DomainError('wrong_step', 'This sign-in has been completed already.');
}
