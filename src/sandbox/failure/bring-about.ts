import { setTimeout as sleep } from 'node:timers/promises';
import { AuthorizationCode } from '../../entities/authorization-code.ts';
import { AuthorizationSession } from '../../entities/authorization-session.ts';
import type { WithKeys } from '../../keys/key-ring.ts';
import type { WithSecrets } from '../../keys/seal.ts';
import { revokeGrant } from '../../oauth/grant/revoke-grant.ts';
import { turnActionOff } from '../../oauth/grant/switch-action.ts';
import { type CodeExchange, exchangeCode } from '../../oauth/token/exchange-code.ts';
import { asRefreshToken, hashesOf } from '../../oauth/token/refresh-token.ts';
import { type Refresh, refreshTokens } from '../../oauth/token/refresh-tokens.ts';
import type { WithTokenClock } from '../../partners/client/token-clock.ts';
import type { Action } from '../../partners/scopes.ts';
import type { Context, EntityContext } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { type Id, idOf, isId, type Uuid } from '../../platform/identifier/type-id.ts';
import type { WithActivity } from '../../record/activity/activity-log.ts';
import type { Met } from './meet-failure.ts';

/** The part of a call that a failure needs. */
interface BearerCall {
  /** `client_…`, as the call names it. */
  clientId: string;
  /** Of a call with an access token. */
  token?: { grant_id: string; sub: string };
  /** The action that the call needs. */
  action?: Action;
}

/** The subject of a call; a token request is its own subject. */
export type CallSubject = BearerCall | CodeExchange | Refresh;

type BringContext = Pick<Context, 'em' | 'pool' | 'config' | 'now' | 'requestId' | 'log'> &
  WithKeys &
  WithSecrets &
  WithActivity &
  WithTokenClock;

/** The reason in the audit log: a fan did not do it. */
const NOTE = 'Brought about by a failure that was armed in the sandbox.';

/**
 * Makes a failure happen before the call runs into it: the code expires, the grant ends, somebody else uses the token. Failures
 * during the call (`simulated-gateway.ts`) or after it (`call-simulated.ts`) do nothing here.
 * @throws DomainError `rate_limited`, `unavailable`
 */
export async function bringAbout(
  context: BringContext,
  { failure, seconds }: Met,
  subject: CallSubject,
): Promise<void> {
  const { token, action } = 'token' in subject ? subject : {};
  switch (failure) {
    case 'slow_answer':
      await sleep(seconds * 1000);
      return;
    case 'rate_limited':
      throw new DomainError('rate_limited', `Too many requests; try again in ${seconds} s.`, { retryAfter: seconds });
    case 'unavailable':
      throw new DomainError('unavailable', 'The service is unavailable for the moment; try again.', {
        retryAfter: seconds,
      });
    case 'code_expired':
      if ('code' in subject) await expireCode(context, subject);
      return;
    case 'code_used':
      if ('code' in subject) await exchangeCode(somebodyElse(context), subject);
      return;
    case 'refresh_reuse':
      if ('refreshToken' in subject) await refreshTwice(somebodyElse(context), subject);
      return;
    case 'grant_revoked':
      await endGrant(context, token?.grant_id ?? (await grantOfRefresh(context, subject)));
      return;
    case 'grant_narrowed':
      if (token && action && isId('usr', token.sub))
        await turnActionOff(context, token.sub, { grantIds: [token.grant_id], action });
  }
}

/** Work outside a request counts as answered, so its repeat is a reuse. */
function somebodyElse(context: BringContext): BringContext {
  return { ...context, requestId: null };
}

/** Ends a sign-in that has just started. */
export async function loseSession({ em, now }: EntityContext, id: Id<'sess'>): Promise<void> {
  await em.nativeUpdate(AuthorizationSession, { id }, { expiresAt: now() });
}

async function expireCode({ em, now }: BringContext, { code, clientId }: CodeExchange): Promise<void> {
  if (!isId('client', clientId)) return;
  await em.nativeUpdate(
    AuthorizationCode,
    { hash: hashOf(code), client: clientId, usedAt: null },
    { expiresAt: now() },
  );
}

/** After the second rotation the token is older than a retry window allows. */
async function refreshTwice(context: BringContext, refresh: Refresh): Promise<void> {
  const { response } = await refreshTokens(context, refresh);
  if (response.refresh_token === undefined) return;
  await refreshTokens(context, { ...refresh, refreshToken: response.refresh_token });
}

const readGrant = prepared<{ grant_id: Uuid }>('select grant_id from refresh_token_family where handle_hash = $1');

async function grantOfRefresh({ pool }: BringContext, subject: CallSubject): Promise<string | undefined> {
  const token = asRefreshToken('refreshToken' in subject ? subject.refreshToken : '');
  if (token === undefined) return undefined;
  const [family] = await readGrant(pool, [hashesOf(token).handleHash]);
  return family && idOf('grant', family.grant_id);
}

async function endGrant(context: BringContext, grantId: string | undefined): Promise<void> {
  if (grantId === undefined || !isId('grant', grantId)) return;
  await revokeGrant(context, { grantId, reason: 'revoked_by_fan', actor: 'system', note: NOTE });
}
