/**
 * The two keys of the local test network, PUBLIC KNOWLEDGE by design: both come from phrases in this file, so anybody can
 * compute them. They let a fresh clone start with a program whose address and admin are already known.
 *
 * Never use them on a real cluster: whoever reads this file could set up the program there before you do. Build for a real
 * cluster with `PROGRAM_ADMIN` and `PROGRAM_ID` (see `build-program.ts`).
 */
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import bs58 from 'bs58';

/** DER of an Ed25519 private key up to the seed. @see RFC 8410 §7 */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

function seedOf(phrase: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(phrase).digest());
}

function addressOf(seed: Uint8Array): string {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return bs58.encode(spki.subarray(-32));
}

/** Ed25519 seed (32 bytes) of the local network's admin, the only key that may initialise the committed program. */
export const LOCAL_ADMIN_SEED: Uint8Array = seedOf('Fan API local network admin');

/** Ed25519 seed (32 bytes) of the local network's program address, which a deployment through a loader must sign with. */
export const LOCAL_PROGRAM_SEED: Uint8Array = seedOf('Fan API local network program');

/** Base58 address of the local network's admin. */
export const LOCAL_ADMIN: string = addressOf(LOCAL_ADMIN_SEED);

/** Base58 address of the ticket program on the local network. */
export const LOCAL_PROGRAM_ID: string = addressOf(LOCAL_PROGRAM_SEED);
