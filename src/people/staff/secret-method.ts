import * as oidc from 'openid-client';
import { DomainError } from '../../platform/errors.ts';

type Offer = Pick<oidc.ServerMetadata, 'token_endpoint_auth_methods_supported'>;

type SecretMethod = 'client_secret_basic' | 'client_secret_post';

/**
 * HTTP Basic where the provider offers it or says nothing; the form only where it offers the form without Basic.
 * @returns undefined where it offers neither
 * @see RFC 6749 §2.3.1, OpenID Connect Discovery 1.0 §3 (`client_secret_basic` is the default)
 */
export function secretMethod({ token_endpoint_auth_methods_supported: offered }: Offer): SecretMethod | undefined {
  if (!offered || offered.length === 0) return 'client_secret_basic';
  return (['client_secret_basic', 'client_secret_post'] as const).find((method) => offered.includes(method));
}

/** Sends our secret by the method in the provider's metadata. */
export function sendSecret(secret: string): oidc.ClientAuth {
  const basic = oidc.ClientSecretBasic(secret);
  const form = oidc.ClientSecretPost(secret);
  return (provider, ...request) =>
    secretMethod(provider) === 'client_secret_post' ? form(provider, ...request) : basic(provider, ...request);
}

/** @param secret what it is called @throws DomainError `conflict` where the provider supports neither method */
export function requireSecretMethod(provider: Offer, secret: string): void {
  if (secretMethod(provider) !== undefined) return;
  const offered = provider.token_endpoint_auth_methods_supported?.join(', ');
  throw new DomainError(
    'conflict',
    `${secret} can't be used: your company’s sign-in service takes ${offered} at its token endpoint, but neither client_secret_basic nor client_secret_post.`,
    { cause: new Error(`token_endpoint_auth_methods_supported: ${offered}`) },
  );
}
