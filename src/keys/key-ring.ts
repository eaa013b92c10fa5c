import { createPrivateKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto';
import { importJWK, type JWK } from 'jose';
import type { Pool } from 'pg';
import { prepared } from '../database/prepared.ts';
import type { SIGNING_KEY_STATES } from '../entities/signing-key.ts';
import { DomainError } from '../errors.ts';
import { type DerivedKeys, unseal } from './seal.ts';

/**
 * The issuer's keys, re-read from the database every few seconds: a new key reaches every process long before it signs, since
 * it is published `JWKS_MAX_AGE` earlier.
 */
export interface KeyRing {
  /** The key that signs now. @throws DomainError `unavailable` where there is none */
  current(): Promise<CurrentKey>;
  /** The public key of a `kid` in a token, or undefined where it is not (or no longer) ours. */
  verificationKey(kid: string): Promise<CryptoKey | undefined>;
  /** The JWKS document. */
  published(): Promise<{ keys: JWK[] }>;
}

/** The part of a context that signs and verifies tokens. */
export interface WithKeys {
  keys: KeyRing;
}

/** The key that signs now. */
export interface CurrentKey {
  kid: string;
  privateKey: KeyObject;
}

interface Loaded {
  current: CurrentKey | undefined;
  publicKeys: Map<string, CryptoKey>;
  jwks: { keys: JWK[] };
}

const REREAD_AFTER_MS = 10_000;
/** For an unknown `kid`, and for the JWKS: who caches it for its whole max-age must have a key before it signs. */
const REREAD_EAGERLY_AFTER_MS = 1_000;

const readKeys = prepared<{
  kid: string;
  public_jwk: JWK;
  sealed_key: string | null;
  state: (typeof SIGNING_KEY_STATES)[number];
}>(`select kid, public_jwk, case when state = 'current' then sealed_key end as sealed_key, state
    from signing_key where state <> 'gone' order by created_at desc, kid`);

/** A key ring over the database, read on first use. */
export function createKeyRing({ pool, secrets }: { pool: Pool; secrets: DerivedKeys }): KeyRing {
  let loaded: Promise<Loaded> | undefined;
  let loadedAt = 0;

  function read(maxAgeMs: number): Promise<Loaded> {
    // the age of a cache, whatever clocks say
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

  return {
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
  const publicKeys = new Map<string, CryptoKey>();
  let current = before?.current;
  for (const row of rows) {
    const known = before?.publicKeys.get(row.kid);
    publicKeys.set(row.kid, known ?? ((await importJWK(row.public_jwk, 'RS256')) as CryptoKey));
    if (row.state === 'current' && row.sealed_key !== null && current?.kid !== row.kid) {
      const opened = await unseal(secrets, row.kid, row.sealed_key);
      const key = JSON.parse(new TextDecoder().decode(opened)) as JsonWebKeyInput['key'];
      opened.fill(0);
      current = { kid: row.kid, privateKey: createPrivateKey({ key, format: 'jwk' }) };
    }
  }
  if (!rows.some((row) => row.kid === current?.kid && row.state === 'current')) current = undefined;
  return { current, publicKeys, jwks: { keys: rows.map((row) => row.public_jwk) } };
}
