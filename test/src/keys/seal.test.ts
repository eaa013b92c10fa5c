import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deriveKeys, seal, unseal } from '../../../src/keys/seal.ts';

const keys = deriveKeys(createSecretKey(Buffer.alloc(32, 1)));
const others = deriveKeys(createSecretKey(Buffer.alloc(32, 2)));
const secret = randomBytes(32);

describe('D-009: secrets at rest', () => {
  it('open again with the same key, and are no text that shows them', async () => {
    const { sealed } = await seal(keys, 'kid-1', secret);
    expect(Buffer.from(await unseal(keys, 'kid-1', sealed))).toEqual(secret);
    expect(sealed).not.toContain(secret.toString('base64url'));
  });

  it('sealed twice give two texts', async () => {
    const [one, other] = [await seal(keys, 'kid-1', secret), await seal(keys, 'kid-1', secret)];
    expect(one.sealed).not.toBe(other.sealed);
  });

  it('do not open with another KEY_ENCRYPTION_KEY, and the message says so', async () => {
    const { sealed } = await seal(keys, 'kid-1', secret);
    await expect(unseal(others, 'kid-1', sealed)).rejects.toThrow('kid-1 was sealed with another KEY_ENCRYPTION_KEY');
  });

  it('do not open as the secret of something else, so that rows can not be exchanged', async () => {
    const { sealed } = await seal(keys, 'kid-1', secret);
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
