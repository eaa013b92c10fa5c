import { AuthorizationCode } from '../../entities/authorization-code.ts';
import { AuthorizationSession } from '../../entities/authorization-session.ts';
import { AUTHORIZATION_CODE_LIFETIME } from '../../oauth/lifetimes.ts';
import { withParameters } from '../../partners/redirect-uri.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { untilKnown } from '../../platform/until-known.ts';
import type { WithActivity } from '../../record/activity/activity-log.ts';
import { wasAnsweredInSession } from '../../record/activity/was-answered.ts';
import type { OpenSession } from './find-session.ts';

/** A live, unused code that the browser may never have received: the answer to the consent is not in the request log (D-226). */
export interface LostCode {
  hash: string;
  grant: Id<'grant'>;
}

/** Finds the lost code of a completed session; undefined where the browser has received it, or it was used or has expired. */
export async function findLostCode(
  context: Pick<Context, 'em' | 'pool' | 'now'> & WithActivity,
  { id, codeHash }: OpenSession,
): Promise<LostCode | undefined> {
  if (codeHash === null) return undefined;
  const unused = { hash: codeHash, usedAt: null, expiresAt: { $gt: context.now() } };
  const code = await context.em.findOne(AuthorizationCode, unused);
  if (code === null) return undefined;
  const at = after(code.expiresAt, -AUTHORIZATION_CODE_LIFETIME);
  const isAnswered = await wasAnsweredInSession(context, id, 'login.consent.grant', at);
  return isAnswered ? undefined : { hash: code.hash, grant: code.grant.id };
}

/**
 * Ends a session that the fan cancelled, at any step.
 * @returns the redirect URI with `error=access_denied`
 * @see RFC 6749 §4.1.2.1
 */
export async function denyAuthorization(
  context: Pick<Context, 'em' | 'config'>,
  session: Pick<OpenSession, 'id' | 'redirectUri' | 'state'>,
): Promise<string> {
  const { em } = context;
  const { id } = session;
  const { result: ended, again } = await untilKnown(context, () =>
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
