import { createPrivateKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto';
import { importJWK, type JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { SIGNING_KEY_STATES } from '../entities/signing-key.ts';
import { prepared } from '../platform/database/prepared.ts';
import { DomainError } from '../platform/errors.ts';
import type { Uuid } from '../platform/identifier/type-id.ts';
import { type DerivedKeys, unseal } from './seal.ts';

/**
 * The issuer's keys, re-read from the database every few seconds: a new key reaches every process long before it signs, since
 * it is published `JWKS_MAX_AGE` earlier.
 */
export interface KeyRing {
  /** The key that signs now. @throws DomainError `unavailable` where there is none */
  current(): Promise<CurrentKey>;
  /** The public key of a `kid` in a token, or undefined where it is not (or no longer) ours. */
  verificationKey(kid: string): Promise<VerificationKey | undefined>;
  /** A key that signs tokens of one sandbox client; undefined where it is not (or no longer) ours. */
  clientKey(kid: string): Promise<CurrentKey | undefined>;
  /** The JWKS document. */
  published(): Promise<{ keys: JWK[] }>;
}

/** The part of a context that signs and verifies tokens. */
export interface WithKeys {
  keys: KeyRing;
}

/** A published key. */
export interface VerificationKey {
  publicKey: CryptoKey;
  /** The sandbox client whose tokens alone it signs; null: those of all clients. */
  client: Uuid | null;
}

/** A key that signs. */
export interface CurrentKey {
  kid: string;
  privateKey: KeyObject;
}

interface Loaded {
  current: CurrentKey | undefined;
  publicKeys: Map<string, VerificationKey>;
  jwks: { keys: JWK[] };
}

const REREAD_AFTER_MS = 10_000;
/** For an unknown `kid`, and for the JWKS: a client that caches it for its whole max-age must have a key before it signs. */
const REREAD_EAGERLY_AFTER_MS = 1_000;

const readKeys = prepared<{
  kid: string;
  public_jwk: JWK;
  sealed_key: string | null;
  state: (typeof SIGNING_KEY_STATES)[number];
  client_id: Uuid | null;
  published: boolean;
}>(`select kid, public_jwk, case when state = 'current' then sealed_key end as sealed_key, state, client_id,
      coalesce(published_at <= clock_timestamp(), true) as published
    from signing_key where state <> 'gone' order by created_at desc, kid`);

const readClientKey = prepared<{ sealed_key: string }>(
  `select sealed_key from signing_key where kid = $1 and client_id is not null and state <> 'gone' and sealed_key is not null`,
);

/** A key ring over the database, read on first use. */
export function createKeyRing({ pool, secrets }: { pool: Pool; secrets: DerivedKeys }): KeyRing {
  let loaded: Promise<Loaded> | undefined;
  let loadedAt = 0;

  function read(maxAgeMs: number): Promise<Loaded> {
    // the age of a cache, which must not depend on the wall clock
    const nowMs = performance.now();
    if (loaded === undefined || nowMs - loadedAt > maxAgeMs) {
      const previous = loaded;
      loadedAt = nowMs;
      loaded = load(pool, secrets, previous).catch((error) => {
        loaded = previous;
        if (previous === undefined) throw error;
        return previous;
      });
    }
    return loaded;
  }

  const clientKeys = new LRUCache<string, CurrentKey>({ max: 50 });

  return {
    async clientKey(kid) {
      const known = clientKeys.get(kid);
      if (known) return known;
      const [row] = await readClientKey(pool, [kid]);
      if (!row) return undefined;
      const key = await openKey(secrets, kid, row.sealed_key);
      clientKeys.set(kid, key);
      return key;
    },
    async current() {
      const { current } = await read(REREAD_AFTER_MS);
      if (current === undefined)
        throw new DomainError('unavailable', 'There is no signing key yet. Try again shortly.', { retryAfter: 5 });
      return current;
    },
    async verificationKey(kid) {
      const key = (await read(REREAD_AFTER_MS)).publicKeys.get(kid);
      return key ?? (await read(REREAD_EAGERLY_AFTER_MS)).publicKeys.get(kid);
    },
    async published() {
      return (await read(REREAD_EAGERLY_AFTER_MS)).jwks;
    },
  };
}

async function load(pool: Pool, secrets: DerivedKeys, previous: Promise<Loaded> | undefined): Promise<Loaded> {
  const before = await previous?.catch(() => undefined);
  const rows = await readKeys(pool, []);
  const publicKeys = new Map<string, VerificationKey>();
  let current = before?.current;
  for (const row of rows) {
    const known = before?.publicKeys.get(row.kid);
    publicKeys.set(row.kid, known ?? { publicKey: await publicKeyOf(row.public_jwk), client: row.client_id });
    if (row.state === 'current' && row.sealed_key !== null && current?.kid !== row.kid) {
      current = await openKey(secrets, row.kid, row.sealed_key);
    }
  }
  if (!rows.some((row) => row.kid === current?.kid && row.state === 'current')) current = undefined;
  const published = rows.filter((row) => row.published);
  return { current, publicKeys, jwks: { keys: published.map((row) => row.public_jwk) } };
}

async function publicKeyOf(jwk: JWK): Promise<CryptoKey> {
  return (await importJWK(jwk, 'RS256')) as CryptoKey;
}

async function openKey(secrets: DerivedKeys, kid: string, sealed: string): Promise<CurrentKey> {
  const opened = await unseal(secrets, kid, sealed);
  const key = JSON.parse(new TextDecoder().decode(opened)) as JsonWebKeyInput['key'];
  opened.fill(0);
  return { kid, privateKey: createPrivateKey({ key, format: 'jwk' }) };
}
