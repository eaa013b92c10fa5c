/**
 * The two keys of the local network. They are PUBLIC by design: both are derived from phrases in this file, so anyone can
 * compute them. With them a fresh clone starts with a program whose address and upgrade authority are fixed.
 *
 * The service refuses them on any other cluster (`check-public-keys.ts`): anyone who reads this file could upgrade the program or
 * replace its authority there. On a real cluster the program is deployed under an address and by keys of your own
 * (`npm run chain -- deploy`).
 */
import { createHash } from 'node:crypto';
import { addressOf } from '@fan-api/solana-wire/base58';
import { publicKeyOfSeed } from '@fan-api/solana-wire/ed25519';

function seedOf(phrase: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(phrase).digest());
}

/** Ed25519 seed (32 bytes) of the local network's admin: the upgrade authority of its ticket program, which may initialise it. */
export const LOCAL_ADMIN_SEED: Uint8Array = seedOf('Fan API local network admin');

/** Ed25519 seed (32 bytes) of the local network's program address, which a deployment through a loader must sign with. */
export const LOCAL_PROGRAM_SEED: Uint8Array = seedOf('Fan API local network program');

/** Base58 address of the local network's admin. */
export const LOCAL_ADMIN: string = addressOf(publicKeyOfSeed(LOCAL_ADMIN_SEED));

/** Base58 address of the ticket program on the local network. */
export const LOCAL_PROGRAM_ID: string = addressOf(publicKeyOfSeed(LOCAL_PROGRAM_SEED));
