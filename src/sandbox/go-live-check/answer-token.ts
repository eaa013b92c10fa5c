import { createHash, randomBytes } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { type CodeFacts, type GoLiveAttempt, GoLiveSecret } from '../../entities/go-live-check.ts';
import { ID_TOKEN_LIFETIME } from '../../keys/lifetimes.ts';
import { AUTHORIZATION_CODE_LIFETIME } from '../../oauth/lifetimes.ts';
import { challengeOf } from '../../oauth/pkce.ts';
import { actionsOf } from '../../partners/scopes.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { OAuthError } from '../../platform/oauth-error.ts';
import { after, HOUR } from '../../platform/time.ts';
import type { Behaviour } from './checks.ts';
import {
  behaviourOf,
  CHECK_SUBJECT,
  type CheckContext,
  grantIdOf,
  type OpenRun,
  recordEvent,
  secretUnder,
} from './open-run.ts';
import { signIdToken } from './run-addresses.ts';

/** Seconds: long enough that no app refreshes on its own during a check. */
const ACCESS_TOKEN_LIFETIME = 600;
const SLOW_MS = { code: 5_000, refresh: 1_500 } as const;

/** A form field by its name. */
export type Field = (name: string) => string | undefined;

export interface TokenAnswer {
  body: Record<string, unknown>;
  /** How long the answer is held back. */
  delayMs: number;
  /** The connection breaks instead of an answer. */
  isLost?: true;
}

/**
 * Answers a request for tokens of a run.
 * @throws OAuthError as the real token endpoint
 */
export function answerToken(context: CheckContext, open: OpenRun, field: Field): Promise<TokenAnswer> {
  const grantType = field('grant_type');
  if (field('client_id') !== open.client.id) throw new OAuthError('invalid_request', 'client_id is wrong');
  if (grantType === 'authorization_code') return exchange(context, open, field);
  if (grantType === 'refresh_token') return refresh(context, open, field);
  throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
}

async function exchange(context: CheckContext, open: OpenRun, field: Field): Promise<TokenAnswer> {
  const found = await secretUnder(context, open, hashOf(field('code') ?? ''));
  if (found?.secret.kind !== 'code') throw new OAuthError('invalid_request', 'code is invalid');
  const { secret, attempt } = found;
  const refused = codeFault(secret, context.now(), field) ?? (await spend(context, secret, 'the code was used before'));
  await recordEvent(context, attempt, { kind: 'exchange', facts: { refused } });
  if (refused !== null) {
    await endTokens(context, attempt);
    throw new OAuthError('invalid_request', refused);
  }
  const body = await issue(context, open, attempt, { facts: secret.facts, generation: 1 });
  return { body, delayMs: behaviourOf(attempt).slow === 'code' ? SLOW_MS.code : 0 };
}

function codeFault({ facts, createdAt }: GoLiveSecret, now: Date, field: Field): string | undefined {
  if (after(createdAt, AUTHORIZATION_CODE_LIFETIME) <= now) return 'the code has expired';
  if (field('redirect_uri') !== facts.redirectUri) return 'redirect_uri is not that of the authorize request';
  if (challengeOf(field('code_verifier') ?? '') !== facts.codeChallenge) return 'Invalid PKCE code_verifier';
  return undefined;
}

async function refresh(context: CheckContext, open: OpenRun, field: Field): Promise<TokenAnswer> {
  const found = await secretUnder(context, open, hashOf(field('refresh_token') ?? ''));
  if (found?.secret.kind !== 'refresh') throw new OAuthError('invalid_grant', 'refresh_token is invalid');
  const { secret, attempt } = found;
  const behaviour = behaviourOf(attempt);
  const revoked = behaviour.refresh === 'refused';
  const used = await spend(context, secret, 'the refresh token was used before');
  const isLost = behaviour.refresh === 'lost';
  const refused = revoked ? 'the grant was revoked' : isLost && inRetryWindow(context, open, secret) ? null : used;
  const facts = { generation: secret.generation, repeated: used !== null, refused };
  await recordEvent(context, attempt, { kind: 'refresh', facts });
  if (refused !== null) {
    if (!revoked) await endTokens(context, attempt);
    throw new OAuthError('invalid_grant', refused);
  }
  if (isLost && used === null) return { body: {}, delayMs: 0, isLost };
  const body = await issue(context, open, attempt, { facts: secret.facts, generation: secret.generation + 1 });
  return { body, delayMs: behaviour.slow === 'refresh' ? SLOW_MS.refresh : 0 };
}

/** Whether a lost answer is forgiven, as on the real server: for a time after the first use. */
function inRetryWindow({ now }: CheckContext, { client }: OpenRun, { usedAt }: GoLiveSecret): boolean {
  return usedAt != null && after(usedAt, client.refreshRetryWindow) > now();
}

/** Single use by one conditional update. @returns null for the first use, otherwise `message` */
async function spend({ em, now }: CheckContext, { hash }: GoLiveSecret, message: string): Promise<string | null> {
  const changed = await em.nativeUpdate(GoLiveSecret, { hash, usedAt: null }, { usedAt: now() });
  return changed === 1 ? null : message;
}

/** Ends what is unused, as the real server does after a reuse. Used refresh tokens stay, so that a further use is seen. */
async function endTokens({ em }: CheckContext, { id }: GoLiveAttempt): Promise<void> {
  await em.nativeDelete(GoLiveSecret, { attempt: id, kind: { $ne: 'code' }, usedAt: null });
}

async function issue(
  context: CheckContext,
  open: OpenRun,
  attempt: GoLiveAttempt,
  { facts, generation }: { facts: CodeFacts; generation: number },
): Promise<Record<string, unknown>> {
  const behaviour = behaviourOf(attempt);
  const scopes = facts.scope.split(' ');
  const accessToken = await newToken(context, attempt, 'access', { facts, generation });
  const expired = behaviour.api === 'expired_at_first' && generation === 1;
  return {
    token_type: 'Bearer',
    expires_in: expired ? 1 : ACCESS_TOKEN_LIFETIME,
    scope: facts.scope,
    granted_actions: actionsOf(scopes),
    grant_id: grantIdOf(attempt),
    grant_mode: 'all_current_future',
    mode: 'sandbox',
    access_token: accessToken,
    ...(scopes.includes('openid') && {
      id_token: await idToken(context, open, { behaviour, facts, accessToken, generation }),
    }),
    ...(scopes.includes('offline_access') && {
      refresh_token: await newToken(context, attempt, 'refresh', { facts, generation }),
      refresh_token_expires_in: context.config.refreshTokenTtl,
    }),
  };
}

async function newToken(
  { em, now }: CheckContext,
  attempt: GoLiveAttempt,
  kind: 'access' | 'refresh',
  { facts, generation }: { facts: CodeFacts; generation: number },
): Promise<string> {
  const value = `check_${kind === 'access' ? 'at' : 'rt'}_${randomBytes(32).toString('base64url')}`;
  await em.insert(GoLiveSecret, {
    hash: hashOf(value),
    attempt: attempt.id,
    kind,
    generation,
    facts,
    createdAt: now(),
  });
  return value;
}

interface IdTokenOf {
  behaviour: Behaviour;
  facts: CodeFacts;
  accessToken: string;
  generation: number;
}

function idToken(context: CheckContext, open: OpenRun, { behaviour, facts, accessToken, generation }: IdTokenOf) {
  const now = Math.floor(context.now().getTime() / 1000);
  const nonce = generation === 1 ? facts.nonce : null;
  const payload: JWTPayload = {
    iss: open.issuer,
    sub: CHECK_SUBJECT,
    aud: open.client.id,
    iat: now,
    exp: now + ID_TOKEN_LIFETIME,
    auth_time: now,
    amr: ['sms'],
    at_hash: atHash(accessToken),
    ...(nonce !== null && { nonce }),
  };
  return signIdToken(open.keys, spoil(payload, behaviour.idToken), behaviour.signature);
}

/** Puts the fault of a check into a payload. @see OIDC Core §3.1.3.7 */
function spoil(payload: JWTPayload, fault: Behaviour['idToken']): JWTPayload {
  switch (fault) {
    case undefined:
      return payload;
    case 'wrong_issuer':
      return { ...payload, iss: `${payload.iss}/another-issuer` };
    case 'wrong_audience':
      return { ...payload, aud: 'another-client' };
    case 'wrong_nonce':
      return { ...payload, nonce: randomBytes(16).toString('base64url') };
    case 'expired':
      return { ...payload, iat: (payload.iat ?? 0) - 3 * HOUR, exp: (payload.iat ?? 0) - 2 * HOUR };
    case 'no_subject':
      return without('sub', payload);
    case 'wrong_at_hash':
      return { ...payload, at_hash: atHash('another access token') };
    case 'no_at_hash':
      return without('at_hash', payload);
  }
}

function without(name: string, payload: JWTPayload): JWTPayload {
  return Object.fromEntries(Object.entries(payload).filter(([each]) => each !== name));
}

/** @see OIDC Core §3.1.3.6 */
function atHash(accessToken: string): string {
  return createHash('sha256').update(accessToken, 'ascii').digest().subarray(0, 16).toString('base64url');
}
