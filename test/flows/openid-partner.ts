import * as oidc from 'openid-client';
import { REDIRECT_URI, USUAL_SCOPE } from '../support/partner.ts';

/** A partner's app on an unmodified `openid-client`, which checks every answer by the standards. */
export async function discover(issuer: string, clientId: string): Promise<oidc.Configuration> {
  const config = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), {
    execute: [oidc.allowInsecureRequests],
  });
  oidc.enableNonRepudiationChecks(config);
  return config;
}

/** Sends the fan's browser to the authorization endpoint. @returns its answer, and what the callback is checked by */
export async function sendFan(config: oidc.Configuration, parameters: Record<string, string> = {}, hasNonce = true) {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const state = oidc.randomState();
  const nonce = oidc.randomNonce();
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: USUAL_SCOPE,
    state,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...(hasNonce && { nonce }),
    ...parameters,
  });
  const answer = await fetch(url, { redirect: 'manual' });
  const checks = { pkceCodeVerifier, expectedState: state, idTokenExpected: true };
  return { answer, checks: { ...checks, ...(hasNonce && { expectedNonce: nonce }) } };
}
