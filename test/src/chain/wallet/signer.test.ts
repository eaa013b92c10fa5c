import { createSecretKey, randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { publicKeyOfSeed, verifyEd25519 } from '@fan-api/solana-wire/ed25519';
import bs58 from 'bs58';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../../../adapters/process/log.ts';
import { createSigner, type Signer } from '../../../../src/chain/wallet/signer.ts';
import { SigningKey } from '../../../../src/entities/signing-key.ts';
import { Wallet } from '../../../../src/entities/wallet.ts';
import { unseal } from '../../../../src/keys/seal.ts';
import type { Custody } from '../../../../src/keys/vault.ts';
import { registerFan } from '../../../../src/sign-in/fan/register-fan.ts';
import { countStatements } from '../../../support/count-statements.ts';
import { signIn } from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';

const MESSAGE = Buffer.from('a message');
const KEY = randomBytes(32);
const lines: string[] = [];
const logTo = new Writable({
  write(chunk, _, done) {
    lines.push(String(chunk));
    done();
  },
});
const app = await testApp({ env: { KEY_ENCRYPTION_KEY: KEY.toString('hex') }, logTo });
const fan = await registerFan(app.context(), 'production', '+12025550100');
const wallet = await app.context().em.findOneOrFail(Wallet, { fan: fan.id });
const seed = Buffer.from(await unseal(app.runtime.secrets, wallet.address, wallet.sealedKey));
afterEach(() => vi.restoreAllMocks());

/** A signer whose opened seeds the test can look at afterwards. */
function watched(open: Custody['open'] = app.runtime.custody.open): { signer: Signer; opened: Uint8Array[] } {
  const opened: Uint8Array[] = [];
  const custody: Custody = {
    ...app.runtime.custody,
    async open(owner, sealed) {
      const bytes = await open(owner, sealed);
      opened.push(bytes);
      return bytes;
    },
  };
  return { signer: createSigner({ pool: app.runtime.pool, custody }), opened };
}

describe('the signer', () => {
  it('opens a key once for signatures that follow each other, and zeroes the seed before it signs', async () => {
    const { signer, opened } = watched();
    for (let count = 0; count < 3; count += 1) {
      const signature = await signer.sign(wallet.address, MESSAGE);
      expect(await verifyEd25519(bs58.decode(wallet.address), MESSAGE, signature)).toBe(true);
    }
    expect(opened.map((bytes) => Buffer.from(bytes))).toEqual([Buffer.alloc(32)]);
  });

  it('forgets a key a minute after its last use', async () => {
    const { signer, opened } = watched();
    await signer.sign(wallet.address, MESSAGE);
    const now = performance.now();
    await sleep(10);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + 59_000);
    await signer.sign(wallet.address, MESSAGE);
    expect(opened).toHaveLength(1);
    // the cache reads the clock once in a millisecond
    await sleep(10);
    clock.mockImplementation(() => now + 59_000 + 61_000);
    await signer.sign(wallet.address, MESSAGE);
    expect(opened).toHaveLength(2);
    clock.mockRestore();
  });

  it('does so by a timer: nobody has to ask for the key again', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await watched().signer.sign(wallet.address, MESSAGE);
    expect(timers.mock.calls.map(([, delay]) => delay)).toContain(60_001);
    timers.mockRestore();
  });

  it('signs with no key that is not the address’s', async () => {
    const { signer, opened } = watched(async () => new Uint8Array(randomBytes(32)));
    await expect(signer.sign(wallet.address, MESSAGE)).rejects.toThrow(
      `the sealed key of ${wallet.address} does not match`,
    );
    expect(Buffer.from(opened[0] ?? [])).toEqual(Buffer.alloc(32));
  });

  it('asks the database once for a key, and not for a key that it has', async () => {
    const { signer } = watched();
    expect((await countStatements(() => signer.sign(wallet.address, MESSAGE))).statements).toHaveLength(1);
    expect((await countStatements(() => signer.sign(wallet.address, MESSAGE))).statements).toEqual([]);
  });

  it('a failure is not kept: the next signature opens the key anew', async () => {
    let fails = true;
    const { signer } = watched((owner, sealed) =>
      fails ? Promise.reject(new Error('down')) : app.runtime.custody.open(owner, sealed),
    );
    await expect(signer.sign(wallet.address, MESSAGE)).rejects.toThrow('down');
    fails = false;
    expect(await signer.sign(wallet.address, MESSAGE)).toHaveLength(64);
  });
});

describe('D-181: no key material is shown', () => {
  /** Bytes as something might print them. */
  const forms = (bytes: Buffer) => [
    bytes.toString('hex'),
    bytes.toString('hex').match(/../g)?.slice(0, 8).join(' ') ?? '',
    bytes.toString('base64').slice(0, 40),
    bytes.toString('base64url').slice(0, 40),
    [...bytes.subarray(0, 6)].join(', '),
    bs58.encode(bytes),
  ];
  const shown = (text: string, secrets: Buffer[]) => {
    const plain = text.replaceAll(/\s+/g, ' ');
    return secrets.flatMap(forms).filter((form) => plain.includes(form));
  };

  it('the check itself finds bytes in each form', () => {
    const text = (value: unknown) => inspect(value, { depth: 9 });
    for (const value of [{ a: seed }, { a: new Uint8Array(seed) }, { a: seed.toString('hex') }, [bs58.encode(seed)]])
      expect(shown(text(value), [seed])).not.toEqual([]);
  });

  it('by what is printed of the objects that hold it', async () => {
    const { config, secrets, custody, signer, keys } = app.runtime;
    await signer.sign(wallet.address, MESSAGE);
    await keys.current();
    const { refreshSuccessor, smsCode, countedKey } = secrets;
    const all = [KEY, seed, ...[refreshSuccessor, smsCode, countedKey].map((key) => key.export())];
    for (const holder of [config, secrets, custody, signer, keys, await keys.current(), app.context()]) {
      const text = inspect(holder, { depth: 7, showHidden: true, maxArrayLength: null, maxStringLength: null });
      expect(shown(text, all)).toEqual([]);
    }
    expect(shown(JSON.stringify({ config, secrets, custody, signer }), all)).toEqual([]);
  });

  it('by no line of the log of a sign-in, at any level, nor by an error of opening', async () => {
    await signIn(app);
    const errors = await Promise.all(
      [
        unseal(app.runtime.secrets, 'another owner', wallet.sealedKey),
        unseal(app.runtime.secrets, wallet.address, `${wallet.sealedKey.slice(0, -3)}AAA`),
        watched(async () => Uint8Array.from(seed).fill(1, 0, 1)).signer.sign(wallet.address, MESSAGE),
        app.runtime.signer.sign(bs58.encode(publicKeyOfSeed(KEY)), MESSAGE),
      ].map((attempt) => attempt.catch((error: unknown) => error)),
    );
    const log = createLog('trace', logTo);
    for (const err of errors)
      log.error({ err, seed, key: createSecretKey(seed) }, 'an error with what should not be in it');
    const key = await app.context().em.findOneOrFail(SigningKey, { state: 'current' });
    const jwk = JSON.parse(Buffer.from(await unseal(app.runtime.secrets, key.kid, key.sealedKey ?? '')).toString());
    const text = lines.join('') + inspect(errors, { depth: 9, showHidden: true });
    expect(lines.length).toBeGreaterThanOrEqual(errors.length);
    expect(shown(text, [KEY, seed])).toEqual([]);
    expect(text).not.toContain(jwk.d.slice(0, 40));
  });
});
