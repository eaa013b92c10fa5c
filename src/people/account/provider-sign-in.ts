import * as oidc from 'openid-client';
import { type Audience, ProviderSignIn } from '../../entities/account.ts';
import type { WithSecrets } from '../../keys/seal.ts';
import type { Config } from '../../platform/config/config.ts';
import type { SqlContext, WithConfig, WriteContext } from '../../platform/context.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import type { Device } from '../../platform/device.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf, type SessionSecret } from '../../platform/identifier/secret-value.ts';
import { type Id, idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { type ActionWithDetails, recordAudit } from '../../record/audit/record-audit.ts';
import { askProvider, type Tokens } from './identity-provider.ts';

/** Seconds that a sign-in may take, and for which the cookie lasts that binds it, or a partner's link, to a browser. */
export const SIGN_IN_LIFETIME: Record<Audience, number> = { staff: 600, member: 900 };

export type SignInContext = WriteContext & SqlContext & WithConfig & WithSecrets;

/** A provider as it is configured now. */
export interface Provider {
  issuer: string;
  client: oidc.Configuration;
  /** Drops its cached metadata. */
  forget: () => void;
}

/** What the two audiences do differently. */
export interface SignInRules {
  audience: Audience;
  callbackUrl(config: Config): string;
  /** @throws DomainError `conflict` where none is set, `unavailable` */
  find(context: SignInContext, partner: Id<'ptn'> | null): Promise<Provider>;
  scope(context: SignInContext, client: oidc.Configuration): string;
  /** Lets the person in, with a session. @throws DomainError `forbidden`, `fresh_sign_in_required` */
  admit(context: SignInContext, answer: ProvenAnswer): Promise<SessionSecret>;
}

export interface SignInWish {
  /** The partner whose provider it is; null for that of the company. */
  partner: Id<'ptn'> | null;
  /** From the browser's sign-in cookie. */
  browserSecret: string;
  /** Path in the console to return to. */
  returnTo: string;
  /** The member of staff who must authenticate again; null for an ordinary sign-in. */
  stepUpOf: Id<'stf'> | null;
}

/**
 * Begins a sign-in through a provider: code, PKCE, state and nonce, bound to this browser.
 * @returns where to send the browser
 * @throws DomainError as `SignInRules.find`
 * @see OpenID Connect Core 1.0 §3.1.2.1, RFC 7636
 */
export async function beginProviderSignIn(
  context: SignInContext,
  rules: SignInRules,
  { partner, browserSecret, returnTo, stepUpOf }: SignInWish,
): Promise<string> {
  const { em, now, config } = context;
  const { issuer, client } = await rules.find(context, partner);
  const state = oidc.randomState();
  const nonce = oidc.randomNonce();
  const codeVerifier = oidc.randomPKCECodeVerifier();
  em.create(ProviderSignIn, {
    stateHash: hashOf(state),
    audience: rules.audience,
    partnerId: partner,
    browserHash: hashOf(browserSecret),
    issuer,
    nonce,
    codeVerifier,
    returnTo,
    stepUpOf,
    startedAt: now(),
    expiresAt: after(now(), SIGN_IN_LIFETIME[rules.audience]),
  });
  await em.flush();
  const url = oidc.buildAuthorizationUrl(client, {
    redirect_uri: rules.callbackUrl(config),
    scope: rules.scope(context, client),
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(stepUpOf !== null && { prompt: 'login', max_age: '0' }),
  });
  return url.href;
}

/** The browser that comes back from a provider. */
export interface ReturningBrowser {
  /** The query of the redirect. */
  query: URLSearchParams;
  /** From its sign-in cookie. */
  browserSecret: string | undefined;
  /** Secret of its present session, which ends. */
  replaces: string | undefined;
  device?: Device | undefined;
}

/** The answer of a provider, checked as the protocol requires. */
export interface ProvenAnswer extends Pick<ReturningBrowser, 'replaces' | 'device'> {
  issuer: string;
  client: oidc.Configuration;
  tokens: Tokens;
  partner: Id<'ptn'> | null;
  stepUpOf: Id<'stf'> | null;
  startedAt: Date;
}

interface SignInRow {
  partner_id: Uuid | null;
  issuer: string;
  nonce: string;
  code_verifier: string;
  return_to: string;
  step_up_of: Uuid | null;
  started_at: Date;
}

/** Single use. A call from another browser deletes nothing. */
const takeSignIn = preparedWithDates<SignInRow>(`
  delete from provider_sign_in where state_hash = $1 and browser_hash = $2 and audience = $3 and expires_at > $4
  returning partner_id, issuer, nonce, code_verifier, return_to, step_up_of, started_at`);

/**
 * Completes a sign-in through a provider.
 * @returns the secret for the browser's cookie, and the path in the console to return to
 * @throws DomainError `invalid_request` (another browser, too late, used, or an invalid answer), and as `SignInRules`
 * @see OpenID Connect Core 1.0 §3.1.3.7, RFC 9207
 */
export async function finishProviderSignIn(
  context: SignInContext,
  rules: SignInRules,
  { query, browserSecret, ...browser }: ReturningBrowser,
): Promise<{ secret: SessionSecret; returnTo: string }> {
  const { audience } = rules;
  const state = query.get('state') ?? '';
  const [begun] = await takeSignIn(context.pool, [hashOf(state), hashOf(browserSecret ?? ''), audience, context.now()]);
  if (!begun) {
    const minutes = SIGN_IN_LIFETIME[audience] / 60;
    throw new DomainError(
      'invalid_request',
      `This sign-in was started in another browser, took longer than ${minutes} minutes or is already complete. Start again.`,
    );
  }
  const partner = begun.partner_id && idOf('ptn', begun.partner_id);
  const { issuer, client, forget } = await rules.find(context, partner);
  if (issuer !== begun.issuer) {
    throw new DomainError('invalid_request', 'The sign-in service has changed. Start again.');
  }
  // not the request's own URL, which differs behind a proxy
  const url = new URL(`${rules.callbackUrl(context.config)}?${query}`);
  const proof = {
    expectedState: state,
    expectedNonce: begun.nonce,
    pkceCodeVerifier: begun.code_verifier,
    idTokenExpected: true,
  };
  const tokens = await askProvider(() => oidc.authorizationCodeGrant(client, url, proof)).catch((error: unknown) => {
    forget();
    throw error;
  });
  const stepUpOf = begun.step_up_of && idOf('stf', begun.step_up_of);
  const answer = { issuer, client, tokens, partner, stepUpOf, startedAt: begun.started_at, ...browser };
  return { secret: await rules.admit(context, answer), returnTo: begun.return_to };
}

type Refusal = Extract<ActionWithDetails, { action: `${string}.sign_in_refused` }>;

/** Records why a person was refused, outside the refusing transaction. @param subject the person at the provider, or the partner */
export async function refuseSignIn(
  context: SignInContext,
  subject: string,
  refusal: Refusal,
  message: string,
): Promise<DomainError> {
  const em = context.em.fork();
  recordAudit({ ...context, em }, { actor: 'system', subject: subject.slice(0, 120), ...refusal });
  await em.flush();
  return new DomainError('forbidden', message);
}
