import * as oidc from 'openid-client';
import { PartnerSignIn } from '../../entities/partner-member.ts';
import type { WithSecrets } from '../../keys/seal.ts';
import type { Context } from '../../platform/context.ts';
import { knownId } from '../../platform/identifier/known-id.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { after } from '../../platform/time.ts';
import { partnerCallbackUrl, providerOf } from './partner-provider.ts';

/** Seconds; also of the cookie that binds a sign-in and its link to a browser. */
export const MEMBER_SIGN_IN_LIFETIME = 900;

/**
 * Begins a sign-in through a partner's own provider: code, PKCE, state and nonce, bound to this browser.
 * @param wish.returnTo path in the workspace to return to
 * @returns where to send the browser
 * @throws DomainError `not_found`, `conflict` where the partner has no provider, `unavailable`
 * @see OpenID Connect Core 1.0 §3.1.2.1, RFC 7636
 */
export async function beginProviderSignIn(
  context: Pick<Context, 'em' | 'now' | 'config'> & WithSecrets,
  wish: { partnerId: string; browserSecret: string; returnTo: string },
): Promise<string> {
  const { em, now, config } = context;
  const partner = knownId('ptn', wish.partnerId);
  const { issuer, client } = await providerOf(context, partner);
  const state = oidc.randomState();
  const nonce = oidc.randomNonce();
  const codeVerifier = oidc.randomPKCECodeVerifier();
  em.create(PartnerSignIn, {
    stateHash: hashOf(state),
    partner,
    browserHash: hashOf(wish.browserSecret),
    issuer,
    nonce,
    codeVerifier,
    returnTo: wish.returnTo,
    expiresAt: after(now(), MEMBER_SIGN_IN_LIFETIME),
  });
  await em.flush();
  const url = oidc.buildAuthorizationUrl(client, {
    redirect_uri: partnerCallbackUrl(config),
    scope: 'openid email',
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
  return url.href;
}
