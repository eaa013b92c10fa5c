import { readFileSync } from 'node:fs';
import { LOCAL_PROGRAM_ID } from './local-keys.ts';

/** The committed program at its address on the local network. */
export function readLocalProgram(): { id: string; elf: Uint8Array } {
  return { id: LOCAL_PROGRAM_ID, elf: readFileSync(new URL('../program/permit.so', import.meta.url)) };
}
