import { readFileSync } from 'node:fs';
import { LOCAL_ADMIN, LOCAL_PROGRAM_ID } from './local-keys.ts';

/** The committed program: the same code on every cluster. */
export function readProgramCode(): Uint8Array {
  return readFileSync(new URL('../program/permit.so', import.meta.url));
}

/** The program at its address on the local network, upgradeable by the local admin. */
export function readLocalProgram(): { id: string; elf: Uint8Array; upgradeAuthority: string } {
  return { id: LOCAL_PROGRAM_ID, elf: readProgramCode(), upgradeAuthority: LOCAL_ADMIN };
}
