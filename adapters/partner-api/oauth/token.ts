import { type CodeExchange, exchangeCode } from '../../../src/oauth/token/exchange-code.ts';
import type { IssuedTokens } from '../../../src/oauth/token/issue-tokens.ts';
import { type Refresh, refreshTokens } from '../../../src/oauth/token/refresh-tokens.ts';
import { revokeToken } from '../../../src/oauth/token/revoke-token.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import { tryUuidOf } from '../../../src/platform/identifier/type-id.ts';
import { OAuthError } from '../../../src/platform/oauth-error.ts';
import type { ServiceContext } from '../../../src/runtime.ts';
import { networkOf } from '../../../src/sign-in/abuse/network-of.ts';
import { answerJson } from '../../http/answer-json.ts';
import { doCall } from '../../http/do-call.ts';
import { countCall, isLimitReached, type Limiter } from '../../http/rate-limit.ts';
import type { RequestContext } from '../../http/request-state.ts';
import { type Form, readForm } from './form.ts';

/** `POST /oauth2/token`. A form that cannot be read is not counted: it costs no statement, and some libraries first authenticate. */
export async function handleToken(context: ServiceContext, ctx: RequestContext, refusals: RefusalLimit): Promise<void> {
  const form = await readForm(ctx);
  await limitRefusals(ctx, refusals, async () => {
    const caller = { client: clientOf(form) };
    ctx.state.caller = caller;
    const { response, grant, fan } = await answerGrant(context, ctx, form);
    ctx.state.caller = { ...caller, grant, fan, mode: response.mode };
    answerJson(ctx, response);
  });
}

function clientOf(form: Form) {
  return tryUuidOf('client', form.get('client_id') ?? '');
}

function answerGrant(context: ServiceContext, ctx: RequestContext, form: Form): Promise<IssuedTokens> {
  const grantType = form.require('grant_type');
  switch (grantType) {
    case 'authorization_code': {
      ctx.state.operation = 'token.exchange';
      const exchange: CodeExchange = {
        clientId: form.require('client_id'),
        code: form.require('code'),
        redirectUri: form.require('redirect_uri'),
        codeVerifier: form.require('code_verifier'),
      };
      return doCall(context, ctx, exchange, (within) => exchangeCode(within, exchange));
    }
    case 'refresh_token': {
      ctx.state.operation = 'token.refresh';
      const refresh: Refresh = {
        clientId: form.require('client_id'),
        refreshToken: form.require('refresh_token'),
        scope: form.get('scope'),
      };
      return doCall(context, ctx, refresh, (within) => refreshTokens(within, refresh));
    }
    default:
      throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  }
}

/** `POST /oauth2/revoke`: 200 and an empty body, also for an unknown token. @see RFC 7009 §2.2 */
export async function handleRevoke(context: ServiceContext, ctx: RequestContext): Promise<void> {
  const form = await readForm(ctx);
  ctx.state.caller = { client: clientOf(form) };
  await revokeToken(context, form.require('client_id'), form.require('token'));
  ctx.status = 200;
  ctx.body = '';
  // Koa would call an empty body text/plain, which some browser libraries refuse
  ctx.remove('Content-Type');
}

/** Over the limit, at most this many requests of an address run at once: a flood of wrong ones costs no more. */
const AT_ONCE_OVER_LIMIT = 10;

/** The limit of refused requests, by address. */
interface RefusalLimit {
  limiter: Limiter;
  /** Requests that run now, by address. */
  running: Map<string, number>;
}

/**
 * Runs a request and counts it if it is refused. Many people may share an address, so over the limit a valid request is still served;
 * a refused one gets 429 in place of its reason.
 * @throws DomainError `rate_limited`
 */
export async function limitRefusals(
  ctx: RequestContext,
  { limiter, running }: RefusalLimit,
  run: () => Promise<void>,
): Promise<void> {
  const network = networkOf(ctx.ip);
  const atOnce = (running.get(network) ?? 0) + 1;
  running.set(network, atOnce);
  try {
    if (atOnce > AT_ONCE_OVER_LIMIT && (await isLimitReached(limiter, network)))
      throw tooManyRefused(await countCall(ctx, limiter, network));
    await run();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const retryAfter = await countCall(ctx, limiter, network);
    throw retryAfter === undefined ? error : tooManyRefused(retryAfter);
  } finally {
    const left = (running.get(network) ?? 1) - 1;
    if (left > 0) running.set(network, left);
    else running.delete(network);
  }
}

function tooManyRefused(retryAfter = 1): DomainError {
  return new DomainError('rate_limited', `too many refused requests; try again in ${retryAfter} s`, { retryAfter });
}
