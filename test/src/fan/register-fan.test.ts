import { createPrivateKey, createPublicKey, createSecretKey, sign, verify } from 'node:crypto';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { Fan } from '../../../src/entities/fan.ts';
import { Wallet } from '../../../src/entities/wallet.ts';
import { registerFan } from '../../../src/fan/register-fan.ts';
import { knownId } from '../../../src/identifier/known-id.ts';
import { deriveKeys, unseal } from '../../../src/keys/seal.ts';
import { testApp } from '../../support/test-app.ts';

const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

const app = await testApp();

async function walletOf(phone: string) {
  const fan = await registerFan(app.context(), 'production', phone);
  return app.context().em.findOneOrFail(Wallet, { fan: fan.id });
}

describe('a fan’s custodial wallet', () => {
  it('is an Ed25519 key: the sealed seed signs for the address', async () => {
    const wallet = await walletOf('+12025550110');
    const seed = await unseal(app.runtime.secrets, wallet.address, wallet.sealedKey);
    expect(seed).toHaveLength(32);
    const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
    const publicKey = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(bs58.decode(wallet.address)).toString('base64url') },
      format: 'jwk',
    });
    const message = Buffer.from('a message');
    expect(verify(null, message, publicKey, sign(null, message, privateKey))).toBe(true);
  });

  it('opens with no other key and under no other address', async () => {
    const [one, other] = [await walletOf('+12025550111'), await walletOf('+12025550112')];
    const foreign = deriveKeys(createSecretKey(Buffer.alloc(32, 9)));
    await expect(unseal(foreign, one.address, one.sealedKey)).rejects.toThrow();
    await expect(unseal(app.runtime.secrets, other.address, one.sealedKey)).rejects.toThrow(/belongs to/);
  });

  it('never leaves with the entity: its key is hidden from JSON', async () => {
    expect(JSON.stringify(await walletOf('+12025550113'))).not.toContain('sealedKey');
  });
});

describe('registerFan', () => {
  it('ten calls at once for one number make one fan with one wallet', async () => {
    const fans = await Promise.all(
      Array.from({ length: 10 }, () => registerFan(app.context(), 'production', '+12025550114')),
    );
    expect(new Set(fans.map(({ id }) => id)).size).toBe(1);
    const { em } = app.context();
    expect(await em.count(Fan, { phone: '+12025550114' })).toBe(1);
    expect(await em.count(Wallet, { fan: knownId('usr', fans[0]?.id ?? '') })).toBe(1);
  });

  it('the same number in the other mode is another fan', async () => {
    const production = await registerFan(app.context(), 'production', '+12025550115');
    const sandbox = await registerFan(app.context(), 'sandbox', '+12025550115');
    expect(sandbox.id).not.toBe(production.id);
  });

  it('an error other than a taken number is not swallowed', async () => {
    await expect(registerFan(app.context(), 'production', '+1202555011612345678')).rejects.toThrow(/too long/);
  });
});
