import { randomUUID } from 'node:crypto';
import { AuthorizationCode } from '../../entities/authorization-code.ts';
import { AuthorizationSession } from '../../entities/authorization-session.ts';
import { AUTHORIZATION_CODE_LIFETIME } from '../../oauth/lifetimes.ts';
import { withParameters } from '../../partners/redirect-uri.ts';
import type { Context } from '../../platform/context.ts';
import type { WithDoubts } from '../../platform/database/doubts.ts';
import { untilKnown } from '../../platform/database/until-known.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import type { OpenSession } from './find-session.ts';

/** A code that nobody has used, and the answer that it was in was lost by us. */
export interface LostCode {
  hash: string;
  grant: Id<'grant'>;
}

/** The code of a completed session, where it is a lost one. */
export async function findLostCode(
  { em, now, doubts }: Pick<Context, 'em' | 'now'> & WithDoubts,
  { codeHash, completedBy }: OpenSession,
): Promise<LostCode | undefined> {
  const code = codeHash === null ? null : await em.findOne(AuthorizationCode, { hash: codeHash, usedAt: null });
  if (code === null) return undefined;
  const at = after(code.expiresAt, -AUTHORIZATION_CODE_LIFETIME);
  const isLost = await doubts.concern({ id: code.hash, process: completedBy, at }, now());
  return isLost ? { hash: code.hash, grant: code.grant.id } : undefined;
}

/**
 * Ends a session that the fan cancelled, at any step.
 * @returns the redirect URI with `error=access_denied`
 * @see RFC 6749 §4.1.2.1
 */
export async function denyAuthorization(
  context: Pick<Context, 'em'> & WithDoubts,
  session: Pick<OpenSession, 'id' | 'redirectUri' | 'state'>,
): Promise<string> {
  const { em } = context;
  const { id } = session;
  const { result: ended, again } = await untilKnown(context, randomUUID(), () =>
    em.nativeUpdate(AuthorizationSession, { id, step: { $ne: 'done' } }, { step: 'done' }),
  );
  const denied = { id, step: 'done', codeHash: null } as const;
  if (ended === 0 && !(again && (await em.count(AuthorizationSession, denied)) === 1))
    throw new DomainError('wrong_step', 'This sign-in has been completed already.');
  return withParameters(session.redirectUri, {
    error: 'access_denied',
    error_description: 'The user denied the request',
    state: session.state,
  });
}
