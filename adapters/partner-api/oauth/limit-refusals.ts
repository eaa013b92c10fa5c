import { DomainError } from '../../../src/platform/errors.ts';
import { OAuthError } from '../../../src/platform/oauth-error.ts';
import { networkOf } from '../../../src/sign-in/abuse/network-of.ts';
import { countCall, isLimitReached, type Limiter } from '../../http/rate-limit.ts';
import type { RequestContext } from '../../http/request-state.ts';

/** Over the limit, at most this many requests of an address run at once: a flood of wrong ones costs no more. */
const AT_ONCE_OVER_LIMIT = 10;

/** The limit of refused requests, by address. */
export interface RefusalLimit {
  limiter: Limiter;
  /** Requests that run now, by address. */
  running: Map<string, number>;
}

/**
 * Runs a request and counts it if it is refused. Many people may share an address, so over the limit a right request is still served;
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
