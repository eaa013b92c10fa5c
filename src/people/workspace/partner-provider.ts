/**
 * A partner's own OIDC provider. Staff have set it, but the partner runs it: nothing in its answers is trusted further than its
 * own members, and in production no call of ours goes to a private address (`src/platform/public-fetch.ts`).
 *
 * @module
 */
import { LRUCache } from 'lru-cache';
import * as oidc from 'openid-client';
import { PartnerProvider } from '../../entities/partner-member.ts';
import { unseal, type WithSecrets } from '../../keys/seal.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { uriFault } from '../../platform/identifier/uri-fault.ts';
import { publicFetch } from '../../platform/public-fetch.ts';
import { askProvider } from '../staff/identity-provider.ts';
import { requireSecretMethod, sendSecret } from '../staff/secret-method.ts';

const CALL_LIMIT_SECONDS = 5;

/** The redirect URI that a partner's provider has to know. */
export function partnerCallbackUrl({ partnersUrl }: Pick<Config, 'partnersUrl'>): string {
  return `${partnersUrl}/auth/callback`;
}

export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
}

/**
 * Reads the discovery document.
 * @throws DomainError `unavailable`, `invalid_request` for a document that does not hold, `conflict` where our secret can't be sent
 */
export async function discoverProvider(
  { config }: Pick<Context, 'config'>,
  { issuer, clientId, clientSecret }: ProviderSettings,
): Promise<oidc.Configuration> {
  const authentication = clientSecret === undefined ? oidc.None() : sendSecret(clientSecret);
  const { production } = config;
  const client = await askProvider(() =>
    oidc.discovery(new URL(issuer), clientId, clientSecret, authentication, {
      timeout: CALL_LIMIT_SECONDS,
      execute: [oidc.enableNonRepudiationChecks, ...(production ? [] : [oidc.allowInsecureRequests])],
      ...(production && { [oidc.customFetch]: publicFetch as oidc.CustomFetch }),
    }),
  );
  if (clientSecret !== undefined) requireSecretMethod(client.serverMetadata(), 'The client secret');
  return client;
}

/** Metadata of providers, by partner and what is set: each is read once per process and hour. Only of the last few hundred. */
const discovered = new LRUCache<string, Promise<oidc.Configuration>>({ max: 500, ttl: 3_600_000 });

/**
 * The provider of a partner. `forget` drops what is known of it, after a call that failed: its metadata may have changed.
 * @throws DomainError `conflict` where it has none, and as `discoverProvider`
 */
export async function providerOf(
  context: Pick<Context, 'em' | 'config'> & WithSecrets,
  partnerId: Id<'ptn'>,
): Promise<{ issuer: string; client: oidc.Configuration; forget: () => void }> {
  const provider = await context.em.findOne(PartnerProvider, { partner: partnerId });
  if (!provider)
    throw new DomainError('conflict', 'This partner has no sign-in service of its own. Sign in by e-mail.');
  const { issuer, clientId, setAt } = provider;
  const key = JSON.stringify([partnerId, issuer, clientId, setAt]);
  const forget = () => void discovered.delete(key);
  const known = discovered.get(key);
  if (known) return { issuer, client: await known, forget };
  const client = unsealed(context, provider).then((clientSecret) =>
    discoverProvider(context, { issuer, clientId, clientSecret }),
  );
  discovered.set(key, client);
  // a failure is not kept
  void client.catch(forget);
  return { issuer, client: await client, forget };
}

async function unsealed(
  { secrets }: WithSecrets,
  { secretOwner, sealedSecret }: PartnerProvider,
): Promise<string | undefined> {
  return sealedSecret ? Buffer.from(await unseal(secrets, secretOwner, sealedSecret)).toString() : undefined;
}

/** What is wrong with an issuer's address; undefined where nothing is. Continues a sentence. */
export function issuerFault({ production }: Pick<Config, 'production'>, issuer: string): string | undefined {
  if (!URL.canParse(issuer) || issuer.length > 300) return 'must be an https address of up to 300 characters';
  const fault = uriFault(issuer);
  if (fault !== undefined) return fault;
  const { protocol, username, password, search, hash } = new URL(issuer);
  if (protocol !== 'https:' && (production || protocol !== 'http:')) return 'must be an https address';
  if (username !== '' || password !== '' || search !== '' || hash !== '') {
    return 'must have no user name, query or fragment';
  }
  return undefined;
}
