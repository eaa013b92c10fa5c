import { hash } from 'node:crypto';
import { encodeBase58 } from '@fan-api/solana-wire/base58';
import { isOnCurve } from '@fan-api/solana-wire/on-curve';
import { UPGRADEABLE_LOADER } from '@fan-api/ticket-program/description';
import { LRUCache } from 'lru-cache';
import { addressBytes } from './address-bytes.ts';

/** A program-derived address and its bump. */
export interface ProgramAddress {
  readonly address: string;
  readonly bump: number;
}

/** The end of what the runtime hashes for a program-derived address. */
const MARKER = Buffer.from('ProgramDerivedAddress');

// cached, because a derivation hashes until a point is off the curve
const known = new LRUCache<string, ProgramAddress>({ max: 20_000 });

/** The Config account: seed `"config"`. */
export function configAddress(programId: string): ProgramAddress {
  return derive(programId, 'config', []);
}

/** The Event account: seeds `"event"`, event id (32 bytes). */
export function eventAddress(programId: string, eventId: Uint8Array): ProgramAddress {
  return derive(programId, 'event', [eventId]);
}

/** The Permit account: seeds `"permit"`, address of the Event account (base58), ticket id (32 bytes). */
export function permitAddress(programId: string, event: string, ticketId: Uint8Array): ProgramAddress {
  return derive(programId, 'permit', [addressBytes(event), ticketId]);
}

/** The loader's account of a program, which holds its code and names its upgrade authority: seed is the program's address. */
export function programDataAddress(programId: string): ProgramAddress {
  return find(UPGRADEABLE_LOADER, [addressBytes(programId)]);
}

/** @throws ChainError `bad_address` @throws RangeError for a seed of another length than 32 */
function derive(programId: string, kind: string, seeds: readonly Uint8Array[]): ProgramAddress {
  if (seeds.some((seed) => seed.length !== 32)) throw new RangeError(`a ${kind} seed has 32 bytes`);
  return find(programId, [Buffer.from(kind), ...seeds]);
}

function find(programId: string, seeds: readonly Uint8Array[]): ProgramAddress {
  // the runtime joins the seeds too before it hashes them
  const id = `${programId} ${Buffer.concat(seeds).toString('latin1')}`;
  const remembered = known.get(id);
  if (remembered !== undefined) return remembered;
  const derived = search(Buffer.concat(seeds), addressBytes(programId));
  known.set(id, derived);
  return derived;
}

/** As `PublicKey.findProgramAddressSync`, which takes nine times as long: an import derives millions. */
function search(seeds: Uint8Array, program: Uint8Array): ProgramAddress {
  const hashed = Buffer.concat([seeds, Uint8Array.of(255), program, MARKER]);
  for (let bump = 255; bump >= 0; bump -= 1) {
    hashed[seeds.length] = bump;
    const point = hash('sha256', hashed, 'buffer');
    if (!isOnCurve(point)) return { address: encodeBase58(point), bump };
  }
  throw new RangeError('no bump gives a program-derived address');
}
