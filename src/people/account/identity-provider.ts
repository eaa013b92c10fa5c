/**
 * OIDC providers: the company's, and those of partners. Metadata is read once per process and again after an hour; every call
 * has a time limit.
 *
 * @module
 */
import { LRUCache } from 'lru-cache';
import * as oidc from 'openid-client';
import { DomainError } from '../../platform/errors.ts';

const CALL_LIMIT_SECONDS = 5;

export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret?: string | undefined;
}

/** How we reach a provider. */
export interface ProviderAccess {
  /** Whether its address may have plain http. */
  insecure: boolean;
  /** Instead of the platform's `fetch`. */
  fetch?: oidc.CustomFetch;
  /** The name of our secret, for the message where the provider can't be sent it. */
  secretName: string;
}

/**
 * Reads the discovery document.
 * @throws DomainError `unavailable`, `invalid_request` for an invalid document, `conflict` where our secret can't be sent
 */
export async function discoverProvider(
  { issuer, clientId, clientSecret }: ProviderSettings,
  { insecure, fetch, secretName }: ProviderAccess,
): Promise<oidc.Configuration> {
  const authentication = clientSecret === undefined ? oidc.None() : sendSecret(clientSecret);
  const client = await askProvider(() =>
    oidc.discovery(new URL(issuer), clientId, clientSecret, authentication, {
      timeout: CALL_LIMIT_SECONDS,
      execute: [oidc.enableNonRepudiationChecks, ...(insecure ? [oidc.allowInsecureRequests] : [])],
      ...(fetch && { [oidc.customFetch]: fetch }),
    }),
  );
  if (clientSecret !== undefined) requireSecretMethod(client.serverMetadata(), secretName);
  return client;
}

/** Metadata of the last few hundred providers, by the settings it was read with. */
const discovered = new LRUCache<string | object, Promise<oidc.Configuration>>({ max: 500, ttl: 3_600_000 });

/** A provider's metadata. `forget` drops it, after a call that failed: it may have changed. */
export async function keptProvider(
  key: string | object,
  discover: () => Promise<oidc.Configuration>,
): Promise<{ client: oidc.Configuration; forget: () => void }> {
  const forget = () => void discovered.delete(key);
  const known = discovered.get(key);
  if (known) return { client: await known, forget };
  const client = discover();
  discovered.set(key, client);
  // a failure is not kept
  void client.catch(forget);
  return { client: await client, forget };
}

/** @throws DomainError `unavailable`, `forbidden` where the provider refused the person, `invalid_request` for a bad answer */
export async function askProvider<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (isUnavailable(cause)) {
      throw new DomainError('unavailable', 'Your company’s sign-in service is not responding. Try again shortly.', {
        cause,
      });
    }
    if (cause instanceof oidc.AuthorizationResponseError) {
      const why = cause.error_description ?? cause.error;
      throw new DomainError('forbidden', `Your company’s sign-in service refused: ${why.slice(0, 200)}`, { cause });
    }
    throw new DomainError('invalid_request', 'Your company’s sign-in service sent an invalid answer.', { cause });
  }
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.status >= 500;
  if (error instanceof oidc.ClientError) {
    const answered = error.cause;
    return error.code === 'OAUTH_TIMEOUT' || (answered instanceof Response && answered.status >= 500);
  }
  // thrown by `fetch` without an answer
  return error instanceof TypeError && error.message === 'fetch failed';
}

export type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>;
export type Claims = Record<string, unknown> & oidc.IDToken;

/** The claims of the ID token, and those of userinfo where one of `needed` is missing: many providers leave some out. @throws as `askProvider` */
export async function readClaims(
  client: oidc.Configuration,
  tokens: Tokens,
  needed: readonly string[],
): Promise<Claims> {
  const idToken = tokens.claims();
  if (!idToken) throw new Error('the client library let an answer without an ID token pass');
  const complete = needed.every((name) => idToken[name] !== undefined);
  const more =
    complete || client.serverMetadata().userinfo_endpoint === undefined
      ? {}
      : await askProvider(() => oidc.fetchUserInfo(client, tokens.access_token, idToken.sub));
  return { ...more, ...idToken };
}

type Offer = Pick<oidc.ServerMetadata, 'token_endpoint_auth_methods_supported'>;

/**
 * HTTP Basic where the provider offers it or names no method; the request body only where it offers that without Basic.
 * @returns undefined where it offers neither
 * @see RFC 6749 §2.3.1, OpenID Connect Discovery 1.0 §3 (`client_secret_basic` is the default)
 */
function secretMethod({ token_endpoint_auth_methods_supported: offered }: Offer) {
  if (!offered || offered.length === 0) return 'client_secret_basic';
  return (['client_secret_basic', 'client_secret_post'] as const).find((method) => offered.includes(method));
}

/** Sends our secret by a method in the provider's metadata. */
function sendSecret(secret: string): oidc.ClientAuth {
  const basic = oidc.ClientSecretBasic(secret);
  const form = oidc.ClientSecretPost(secret);
  return (provider, ...request) =>
    secretMethod(provider) === 'client_secret_post' ? form(provider, ...request) : basic(provider, ...request);
}

/** @param secret its name @throws DomainError `conflict` where the provider supports neither method */
function requireSecretMethod(provider: Offer, secret: string): void {
  if (secretMethod(provider) !== undefined) return;
  const offered = provider.token_endpoint_auth_methods_supported?.join(', ');
  throw new DomainError(
    'conflict',
    `${secret} can't be used: your company’s sign-in service takes ${offered} at its token endpoint, but neither client_secret_basic nor client_secret_post.`,
    { cause: new Error(`token_endpoint_auth_methods_supported: ${offered}`) },
  );
}
