import type { EntityManager } from '@mikro-orm/postgresql';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { Client } from '../entities/client.ts';
import { SigningKey } from '../entities/signing-key.ts';
import type { Context, WithConfig, WriteContext } from '../platform/context.ts';
import { takeLock } from '../platform/database/advisory-lock.ts';
import type { Id } from '../platform/identifier/type-id.ts';
import { after } from '../platform/time.ts';
import { recordAudit } from '../record/audit/record-audit.ts';
import { ID_TOKEN_LIFETIME, JWKS_MAX_AGE, SIGNING_KEY_PERIOD } from './lifetimes.ts';
import { seal, unseal, type WithSecrets } from './seal.ts';

/**
 * States of a signing key: `next` (published, so that JWKS caches have it) -> `current` (signs) -> `retiring` (published until
 * the last token it signed has expired) -> `gone` (private key deleted).
 */
type KeyContext = WriteContext & WithConfig & WithSecrets;

/** Clocks of verifiers may differ by this many seconds. */
const CLOCK_LEEWAY = 60;

/** Moves every key to the state that is due, and creates the first key. Safe to run at any time, in several processes. */
export async function maintainKeys(context: KeyContext): Promise<void> {
  await underKeyLock(context, async (em) => {
    const now = context.now();
    const keys = await em.find(SigningKey, { state: { $ne: 'gone' } });
    const inState = (state: SigningKey['state']) => keys.find((key) => key.state === state);
    for (const key of keys) {
      const lastTokenGone = key.retiredAt && after(key.retiredAt, publishedAfter(context, key));
      if (key.state === 'retiring' && lastTokenGone && lastTokenGone <= now) {
        Object.assign(key, { state: 'gone', sealedKey: null });
        recordAudit({ ...context, em }, { actor: 'system', action: 'signing_key.removed', subject: key.kid });
      }
    }
    const current = inState('current');
    const next = inState('next');
    if (!current) {
      await createKey({ ...context, em }, 'current');
    } else if (next && after(next.createdAt, JWKS_MAX_AGE) <= now) {
      Object.assign(current, { state: 'retiring', retiredAt: now });
      await em.flush();
      Object.assign(next, { state: 'current', activatedAt: now });
      recordAudit({ ...context, em }, { actor: 'system', action: 'signing_key.activated', subject: next.kid });
    } else if (!next && after(current.activatedAt ?? current.createdAt, SIGNING_KEY_PERIOD) <= now) {
      await createNextKey({ ...context, em });
    }
  });
}

/**
 * Publishes the next key, unless one is published already. `maintainKeys` makes it sign `JWKS_MAX_AGE` seconds later.
 * @returns the next key and when it may sign
 */
export async function rotateKeys(context: KeyContext, actor = 'system'): Promise<{ kid: string; signsFrom: Date }> {
  return underKeyLock(context, async (em) => {
    const waiting = await em.findOne(SigningKey, { state: 'next' });
    const key = waiting ?? (await createNextKey({ ...context, em }, actor));
    return { kid: key.kid, signsFrom: after(key.createdAt, JWKS_MAX_AGE) };
  });
}

/** Checks first that our KEY_ENCRYPTION_KEY opens the current key: other processes must be able to open the new one. */
async function createNextKey(context: KeyContext, actor?: string): Promise<SigningKey> {
  const current = await context.em.findOne(SigningKey, { state: 'current' });
  if (current?.sealedKey) (await unseal(context.secrets, current.kid, current.sealedKey)).fill(0);
  return createKey(context, 'next', actor);
}

/**
 * Makes a key that signs tokens of one sandbox client for a while, and verifies no others. It signs immediately.
 * @param until when it stops signing
 */
export async function createClientKey(
  context: KeyContext,
  { client, publishedAt, until }: { client: Id<'client'>; publishedAt: Date; until: Date },
  actor: string,
): Promise<SigningKey> {
  const made = await createKey(context, 'retiring', actor);
  return Object.assign(made, { client: context.em.getReference(Client, client), publishedAt, retiredAt: until });
}

type CreatedState = 'next' | 'current' | 'retiring';

async function createKey(context: KeyContext, state: CreatedState, actor = 'system'): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const secret = Buffer.from(JSON.stringify(await exportJWK(privateKey)));
  const { sealed, sealedWith } = await seal(context.secrets, kid, secret);
  secret.fill(0);
  const now = context.now();
  const key = context.em.create(SigningKey, {
    kid,
    publicJwk: { ...publicJwk, kid, use: 'sig', alg: 'RS256' },
    sealedKey: sealed,
    sealedWith,
    state,
    createdAt: now,
    activatedAt: state === 'current' ? now : null,
  });
  recordAudit(context, { actor, action: 'signing_key.created', subject: kid, details: { state } });
  return key;
}

/**
 * Seconds for which a key is published after its last signature. ID tokens of a client's own key are verified on arrival, and such keys
 * are many.
 */
function publishedAfter({ config }: WithConfig, { client }: SigningKey): number {
  const longest = client === null ? Math.max(ID_TOKEN_LIFETIME, config.accessTokenTtl) : config.accessTokenTtl;
  return longest + CLOCK_LEEWAY;
}

async function underKeyLock<T>({ em }: Pick<Context, 'em'>, work: (em: EntityManager) => Promise<T>): Promise<T> {
  return em.fork().transactional(async (locked) => {
    await takeLock(locked, 'signingKeys');
    return work(locked);
  });
}
