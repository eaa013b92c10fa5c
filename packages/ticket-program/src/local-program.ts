import { readFileSync } from 'node:fs';
import { ACCOUNT_VERSION } from './describe-program.ts';
import { LOCAL_ADMIN, LOCAL_PROGRAM_ID } from './local-keys.ts';

/** The committed program: the same code on every cluster. */
export function readProgramCode(): Uint8Array {
  return readFileSync(new URL('../program/permit.so', import.meta.url));
}

/** The program at its address on the local network, upgradeable by the local admin. */
export function readLocalProgram() {
  return {
    id: LOCAL_PROGRAM_ID,
    elf: readProgramCode(),
    upgradeAuthority: LOCAL_ADMIN,
    accountVersion: ACCOUNT_VERSION,
  };
}
