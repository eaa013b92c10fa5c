import { createSecretKey } from 'node:crypto';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { SigningKey } from '../../../src/entities/signing-key.ts';
import { createKeyRing, type KeyRing } from '../../../src/keys/key-ring.ts';
import { maintainKeys, rotateKeys } from '../../../src/keys/rotate-keys.ts';
import { deriveKeys } from '../../../src/keys/seal.ts';
import { freezeClock } from '../../support/freeze-clock.ts';
import { callFan, postForm, refreshForm, signIn, type Tokens } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

/** One life of the keys, told in order: each test takes up where the one before left off. */
const DAY = 86_400;
let second: string;
/** Of a process that lives through the rotation. */
let living: KeyRing;
let before: Tokens;
const app = await testApp({ env: { ACCESS_TOKEN_TTL: '600' } });
const clock = freezeClock(app);
const [first = ''] = await publishedKids();

/** The process forgets what it read of the keys, as it does every few seconds. */
function reread(): void {
  app.runtime.keys = createKeyRing(app.runtime);
}

async function published(): Promise<JSONWebKeySet> {
  reread();
  return (await (await fetch(`${app.config.authUrl}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
}

async function publishedKids(): Promise<string[]> {
  return (await published()).keys.map((key) => key.kid ?? '').sort();
}

/** Lets time pass, and the job that sees to the keys run. */
async function pass(seconds: number): Promise<void> {
  clock.pass(seconds);
  await maintainKeys(app.context());
}

async function stateOf(kid: string): Promise<SigningKey['state']> {
  return (await app.context().em.findOneOrFail(SigningKey, { kid })).state;
}

const kidOf = (token: string) => decodeProtectedHeader(token).kid;

describe('keys: next -> current -> retiring -> gone', () => {
  it('an empty database gets a current key of 2,048 bits, its private part encrypted', async () => {
    const { keys } = await published();
    expect(keys).toHaveLength(1);
    expect(Buffer.from(String(keys[0]?.n), 'base64url')).toHaveLength(256);
    const row = await app.context().em.findOneOrFail(SigningKey, { kid: first });
    expect(row.state).toBe('current');
    expect(row.sealedKey?.split('.')).toHaveLength(5);
    expect(Object.keys(row.publicJwk).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  it('a rotation publishes the next key five minutes before it signs', async () => {
    const { kid, signsFrom } = await rotateKeys(app.context());
    second = kid;
    expect(signsFrom.getTime() - app.runtime.now().getTime()).toBe(300_000);
    expect(await publishedKids()).toEqual([first, second].sort());
    expect(kidOf((await signIn(app)).access_token)).toBe(first);
  });

  it('asked again it makes no other', async () => {
    expect((await rotateKeys(app.context())).kid).toBe(second);
    expect(await publishedKids()).toHaveLength(2);
  });

  it('before the five minutes are over the old key signs on', async () => {
    await pass(299);
    living = createKeyRing(app.runtime);
    expect((await living.current()).kid).toBe(first);
    reread();
    before = await signIn(app);
    expect([kidOf(before.access_token), kidOf(before.id_token)]).toEqual([first, first]);
  });

  it('after them the next one signs, access tokens and ID tokens', async () => {
    await pass(1);
    reread();
    const tokens = await signIn(app);
    expect([kidOf(tokens.access_token), kidOf(tokens.id_token)]).toEqual([second, second]);
    expect([await stateOf(first), await stateOf(second)]).toEqual(['retiring', 'current']);
  });

  it('a process that read the keys before reads them again', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 11_000);
    try {
      expect((await living.current()).kid).toBe(second);
    } finally {
      clock.mockRestore();
    }
  });

  it('tokens signed before verify after, here and by the published keys', async () => {
    expect((await callFan(app, '/tickets', before.access_token)).status).toBe(200);
    const keys = createLocalJWKSet(await published());
    const { protectedHeader } = await jwtVerify(before.id_token, keys, { currentDate: app.runtime.now() });
    expect(protectedHeader.kid).toBe(first);
    expect((await postForm(app, '/oauth2/token', refreshForm(app, before.refresh_token))).status).toBe(200);
  });

  it('the old key stays published until the last token signed by it has expired; then its private part is gone', async () => {
    await pass(3659);
    expect(await publishedKids()).toEqual([first, second].sort());
    await pass(1);
    expect(await publishedKids()).toEqual([second]);
    const key = await app.context().em.findOneOrFail(SigningKey, { kid: first });
    expect([key.state, key.sealedKey]).toEqual(['gone', null]);
  });

  it('after thirty days a key is replaced by itself', async () => {
    await pass(30 * DAY - 3661);
    expect(await publishedKids()).toEqual([second]);
    await pass(1);
    const kids = await publishedKids();
    expect(kids).toHaveLength(2);
    await pass(300);
    expect(await stateOf(second)).toBe('retiring');
  });

  it('a process that slept through it all catches up step by step', async () => {
    for (let run = 0; run < 4; run += 1) await pass(100 * DAY);
    const states = (await app.context().em.find(SigningKey, { state: { $ne: 'gone' } })).map((key) => key.state);
    expect(states).toContain('current');
    expect(states.filter((state) => state === 'current')).toHaveLength(1);
    reread();
    expect((await callFan(app, '/tickets', (await signIn(app)).access_token)).status).toBe(200);
  });

  it('each step is audited', async () => {
    const entries = await app.context().em.find(AuditEntry, { subject: [first, second] }, { orderBy: { id: 'asc' } });
    expect(entries.map(({ subject, action }) => [subject === first ? 'first' : 'second', action])).toEqual([
      ['first', 'signing_key.created'],
      ['second', 'signing_key.created'],
      ['second', 'signing_key.activated'],
      ['first', 'signing_key.removed'],
      ['second', 'signing_key.removed'],
    ]);
  });
});

describe('another KEY_ENCRYPTION_KEY', () => {
  const secrets = deriveKeys(createSecretKey(Buffer.alloc(32, 99)));
  const named = /sealed with another KEY_ENCRYPTION_KEY/;

  it('does not sign, and says why', async () => {
    const ring = createKeyRing({ pool: app.runtime.pool, secrets });
    await expect(ring.current()).rejects.toThrow(named);
  });

  it('makes no key that the other processes could not open', async () => {
    await pass(301);
    const { em } = app.context();
    const count = await em.count(SigningKey);
    await expect(rotateKeys({ ...app.context(), secrets })).rejects.toThrow(named);
    clock.pass(31 * DAY);
    await expect(maintainKeys({ ...app.context(), secrets })).rejects.toThrow(named);
    expect(await em.count(SigningKey)).toBe(count);
  });
});

it('a key that is removed early verifies no token, not even one that was verified before', async () => {
  const { access_token } = await signIn(app);
  expect((await callFan(app, '/tickets', access_token)).status).toBe(200);
  await app.context().em.nativeUpdate(SigningKey, { kid: kidOf(access_token) ?? '' }, { state: 'gone' });
  reread();
  expect(await callFan(app, '/tickets', access_token)).toMatchObject({
    status: 401,
    body: { message: 'The access token is invalid: it is signed by an unknown key.' },
  });
});
