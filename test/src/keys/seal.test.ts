import { createSecretKey, randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { envelopeVault } from '../../../src/keys/envelope-vault.ts';
import { deriveKeys, seal, unseal } from '../../../src/keys/seal.ts';
import { createCustody, databaseVault, type KeyVault } from '../../../src/keys/vault.ts';
import { type DataKeysStandIn, standInDataKeys } from './data-keys-stand-in.ts';

const keys = deriveKeys(createSecretKey(Buffer.alloc(32, 1)));
const others = deriveKeys(createSecretKey(Buffer.alloc(32, 2)));
const secret = randomBytes(32);

describe('D-019: secrets at rest', () => {
  it('open again with the same key, and are no text that shows them; sealed twice give two', async () => {
    const [{ sealed }, other] = [await seal(keys, 'kid-1', secret), await seal(keys, 'kid-1', secret)];
    expect(Buffer.from(await unseal(keys, 'kid-1', sealed))).toEqual(secret);
    expect(sealed).not.toContain(secret.toString('base64url'));
    expect(other.sealed).not.toBe(sealed);
  });

  it('do not open with another KEY_ENCRYPTION_KEY, nor as the secret of something else: rows can not be exchanged', async () => {
    const { sealed } = await seal(keys, 'kid-1', secret);
    await expect(unseal(others, 'kid-1', sealed)).rejects.toThrow('kid-1 was sealed with another KEY_ENCRYPTION_KEY');
    await expect(unseal(keys, 'kid-2', sealed)).rejects.toThrow('belongs to kid-1');
  });

  it.each([0, 2, 3, 4])('do not open when part %i was changed', async (part) => {
    const parts = (await seal(keys, 'kid-1', secret)).sealed.split('.');
    const text = parts[part] ?? '';
    parts[part] = `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
    await expect(unseal(keys, 'kid-1', parts.join('.'))).rejects.toThrow(/was changed/);
  });

  it('each purpose has a key of its own, and none is KEY_ENCRYPTION_KEY itself', () => {
    const { refreshSuccessor, smsCode, countedKey } = keys;
    const derived = [refreshSuccessor, smsCode, countedKey].map((key) => key.export().toString('hex'));
    expect(new Set([...derived, Buffer.alloc(32, 1).toString('hex')]).size).toBe(4);
    for (const key of derived) expect(key).toHaveLength(64);
    expect(keys.seal.extractable).toBe(false);
  });
});

describe('vaults', () => {
  let service: DataKeysStandIn;
  let vault: KeyVault;
  beforeEach(() => {
    service = standInDataKeys();
    vault = envelopeVault('kms_test', service);
  });

  const headerOf = (sealed: string) => JSON.parse(Buffer.from(sealed.split('.')[0] ?? '', 'base64url').toString());

  describe('D-180: an envelope per wallet', () => {
    it('each secret has a data key of its own, which is kept beside it encrypted', async () => {
      const [one, two] = [await vault.seal('wallet-1', secret), await vault.seal('wallet-1', secret)];
      expect(one.sealedWith).toBe('kms_test');
      expect(headerOf(one.sealed)).toMatchObject({ kek: 'kms_test', kid: 'wallet-1', edk: expect.any(String) });
      expect(headerOf(one.sealed).edk).not.toBe(headerOf(two.sealed).edk);
      expect(Buffer.from(await vault.open('wallet-1', one.sealed))).toEqual(secret);
      expect(service.calls).toEqual(['generate wallet-1', 'generate wallet-1', 'decrypt wallet-1']);
    });

    it('a data key is zeroed as soon as it was used, also where the secret does not open', async () => {
      const { sealed } = await vault.seal('wallet-1', secret);
      await vault.open('wallet-1', sealed);
      await expect(vault.open('wallet-1', `${sealed.slice(0, -3)}AAA`)).rejects.toThrow();
      expect(service.given).toHaveLength(3);
      for (const key of service.given) expect(Buffer.from(key)).toEqual(Buffer.alloc(32));
    });

    it('the service opens a data key for its owner only', async () => {
      const { sealed } = await vault.seal('wallet-1', secret);
      await expect(vault.open('wallet-2', sealed)).rejects.toThrow();
      const [, ...rest] = sealed.split('.');
      const moved = Buffer.from(JSON.stringify({ ...headerOf(sealed), kid: 'wallet-2' })).toString('base64url');
      await expect(vault.open('wallet-2', [moved, ...rest].join('.'))).rejects.toThrow();
    });

    it('a service that is down is unavailable', async () => {
      const { sealed } = await vault.seal('wallet-1', secret);
      service.down = true;
      await expect(vault.seal('wallet-1', secret)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 });
      await expect(vault.open('wallet-1', sealed)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 });
    });

    it('what has no data key is not asked for', async () => {
      const database = databaseVault(deriveKeys(createSecretKey(Buffer.alloc(32, 1))));
      const { sealed } = await database.seal('wallet-1', secret);
      await expect(vault.open('wallet-1', sealed)).rejects.toThrow('the secret of wallet-1 has no data key');
      expect(service.calls).toEqual([]);
    });
  });

  describe('custody: one vault seals, and each opens what it sealed', () => {
    const database = databaseVault(deriveKeys(createSecretKey(Buffer.alloc(32, 1))));

    it('whichever of them it was', async () => {
      const custody = createCustody(vault, [database]);
      const [here, there] = [await custody.vault.seal('w', secret), await database.seal('w', secret)];
      expect(here.sealedWith).toBe('kms_test');
      for (const sealed of [here, there]) expect(Buffer.from(await custody.open('w', sealed))).toEqual(secret);
      expect(custody.opens('kms_test') && custody.opens(database.id) && custody.opens('')).toBe(true);
      expect(custody.opens('kms_other')).toBe(false);
    });

    it('a vault that is not set up is named', async () => {
      const sealed = await vault.seal('w', secret);
      await expect(createCustody(database).open('w', sealed)).rejects.toThrow(
        'sealed with kms_test, which is not set up',
      );
    });
  });
});
