import * as oidc from 'openid-client';
import { StaffSignIn } from '../../entities/staff.ts';
import type { Context } from '../../platform/context.ts';
import {
  type BrowserSecret,
  hashOf,
  isBrowserSecret,
  newBrowserSecret,
} from '../../platform/identifier/secret-value.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { identityProvider } from './identity-provider.ts';

/** Seconds. */
export const SIGN_IN_LIFETIME = 600;

export interface SignInWish {
  /** From the browser's sign-in cookie; reused, so that several tabs share it. */
  browserSecret: string | undefined;
  /** Path in the console to return to. */
  returnTo: string;
  /** The person who must authenticate again for a fresh sign-in; null for an ordinary one. */
  stepUpOf: Id<'stf'> | null;
}

/**
 * Begins a sign-in through the company's provider: code, PKCE, state and nonce, bound to this browser.
 * @returns where to send the browser, and the secret for its sign-in cookie
 * @throws DomainError `unavailable` where the provider does not answer
 * @see OpenID Connect Core 1.0 §3.1.2.1, RFC 7636
 */
export async function beginSignIn(
  context: Pick<Context, 'em' | 'now' | 'config'>,
  wish: SignInWish,
): Promise<{ redirectTo: string; browserSecret: BrowserSecret }> {
  const { em, now, config } = context;
  const { settings, client } = await identityProvider(context);
  const browserSecret = isBrowserSecret(wish.browserSecret) ? wish.browserSecret : newBrowserSecret();
  const state = oidc.randomState();
  const nonce = oidc.randomNonce();
  const codeVerifier = oidc.randomPKCECodeVerifier();
  em.create(StaffSignIn, {
    stateHash: hashOf(state),
    browserHash: hashOf(browserSecret),
    nonce,
    codeVerifier,
    returnTo: wish.returnTo,
    stepUpOf: wish.stepUpOf,
    startedAt: now(),
    expiresAt: after(now(), SIGN_IN_LIFETIME),
  });
  await em.flush();
  const url = oidc.buildAuthorizationUrl(client, {
    redirect_uri: callbackUrl(config),
    scope: scopeFor(client, settings.groupsClaim),
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(wish.stepUpOf !== null && { prompt: 'login', max_age: '0' }),
  });
  return { redirectTo: url.href, browserSecret };
}

/** The redirect URI. */
export function callbackUrl({ adminUrl }: Pick<Context['config'], 'adminUrl'>): string {
  return `${adminUrl}/auth/callback`;
}

/** Some providers have a scope for groups, named like the claim; strict ones refuse unknown scopes. */
function scopeFor(client: oidc.Configuration, groupsClaim: string): string {
  const supported = client.serverMetadata().scopes_supported;
  const wished = supported ? ['profile', 'email', groupsClaim] : ['profile', 'email'];
  return ['openid', ...wished.filter((scope) => supported?.includes(scope) ?? true)].join(' ');
}
