import { generateKeyPairSync } from 'node:crypto';
import bs58 from 'bs58';
import type { Context } from '../context.ts';
import type { Fan } from '../entities/fan.ts';
import { Wallet } from '../entities/wallet.ts';
import { seal } from '../keys/seal.ts';

/**
 * Gives a fan a custodial wallet: an Ed25519 key whose private half (the 32-byte seed) is sealed. Written with the
 * caller's unit of work.
 */
export async function createWallet(
  { em, now, secrets }: Pick<Context, 'em' | 'now' | 'secrets'>,
  fan: Fan,
): Promise<Wallet> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = rawKey(privateKey.export({ format: 'jwk' }).d);
  const address = bs58.encode(rawKey(publicKey.export({ format: 'jwk' }).x));
  return em.create(Wallet, { address, fan, sealedKey: await seal(secrets, address, seed), createdAt: now() });
}

function rawKey(base64url: string | undefined): Uint8Array {
  if (base64url === undefined) throw new Error('an Ed25519 key without its raw part');
  return Buffer.from(base64url, 'base64url');
}
