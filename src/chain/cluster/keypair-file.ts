import { readFileSync } from 'node:fs';
import { addressOf } from '@fan-api/solana-wire/base58';
import { publicKeyOfSeed, SEED_LENGTH, signEd25519 } from '@fan-api/solana-wire/ed25519';
import { z } from 'zod';
import { SetupError } from './setup-error.ts';

/** A signer whose key is outside of this service. */
export interface OutsideSigner {
  readonly address: string;
  /** Undefined: the signature is made elsewhere. */
  sign?(message: Uint8Array): Promise<Uint8Array>;
}

/** Seed, then public key: one number per byte. */
const Keypair = z.array(z.int().min(0).max(255)).length(64);

/**
 * Reads a keypair file as `solana-keygen new` writes it. No message shows a part of it.
 * @throws SetupError where the file cannot be read or holds no keypair
 */
export function readKeypairFile(path: string): Required<OutsideSigner> {
  const bytes = Buffer.from(parse(path));
  const seed = bytes.subarray(0, SEED_LENGTH);
  const publicKey = publicKeyOfSeed(seed);
  if (!bytes.subarray(SEED_LENGTH).equals(publicKey)) throw noKeypair(path);
  return { address: addressOf(publicKey), sign: (message) => signEd25519(seed, message) };
}

function parse(path: string): number[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new SetupError(`${path} can't be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  try {
    return Keypair.parse(JSON.parse(text));
  } catch {
    throw noKeypair(path);
  }
}

function noKeypair(path: string): SetupError {
  return new SetupError(`${path} is no keypair file: a JSON list of 64 numbers, as solana-keygen writes it.`);
}
