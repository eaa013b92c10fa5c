/**
 * The company’s OIDC provider. Its metadata is read once per process and again after an hour; every call has a time limit.
 *
 * @module
 */

import * as oidc from 'openid-client';
import { LOCAL_ISSUER } from '../../entities/staff.ts';
import type { Config, StaffProviderConfig } from '../../platform/config/config.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { requireSecretMethod, sendSecret } from './secret-method.ts';

/** The issuer of this process's staff: after a change, sessions and tokens of the former issuer are invalid. */
export function staffIssuer({ staffProvider }: Pick<Config, 'staffProvider'>): string {
  return staffProvider?.issuer ?? LOCAL_ISSUER;
}

const CALL_LIMIT_SECONDS = 5;
const DISCOVERY_KEPT_MS = 3_600_000;

const discovered = new WeakMap<StaffProviderConfig, { at: number; client: Promise<oidc.Configuration> }>();

/**
 * The provider's settings and metadata.
 * @throws DomainError `conflict` where none is configured or it does not accept our secret, `unavailable`
 */
export async function identityProvider({ config }: Pick<Context, 'config'>) {
  const settings = config.staffProvider;
  if (!settings)
    throw new DomainError('conflict', 'No sign-in service is configured. Staff sign in with one-time links.');
  const known = discovered.get(settings);
  if (known && Date.now() - known.at < DISCOVERY_KEPT_MS) return { settings, client: await known.client };
  const client = discoverUsable(settings);
  discovered.set(settings, { at: Date.now(), client });
  // a failure is not cached
  void client.catch(() => discovered.delete(settings));
  return { settings, client: await client };
}

async function discoverUsable(settings: StaffProviderConfig): Promise<oidc.Configuration> {
  const client = await askProvider(() => discover(settings));
  if (settings.clientSecret !== undefined) requireSecretMethod(client.serverMetadata(), 'STAFF_OIDC_CLIENT_SECRET');
  return client;
}

async function discover({ issuer, clientId, clientSecret }: StaffProviderConfig): Promise<oidc.Configuration> {
  const authentication = clientSecret === undefined ? oidc.None() : sendSecret(clientSecret);
  // http is for development only; see config.ts
  const insecure = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
  return oidc.discovery(new URL(issuer), clientId, clientSecret, authentication, {
    timeout: CALL_LIMIT_SECONDS,
    execute: [oidc.enableNonRepudiationChecks, ...insecure],
  });
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
