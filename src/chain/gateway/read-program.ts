import { programDataAddress } from '@fan-api/cosign-policy/program-addresses';
import { addressOf } from '@fan-api/solana-wire/base58';
import { UPGRADEABLE_LOADER } from '@fan-api/ticket-program/description';
import type { JsonRpc } from './json-rpc.ts';
import { readAnyAccounts } from './read-accounts.ts';

/** The account at a program's address. */
export type DeployedProgram =
  | { readonly state: 'absent' }
  /** No program of the upgradeable loader. */
  | { readonly state: 'other'; readonly owner: string }
  | {
      readonly state: 'deployed';
      /** Null: nobody can upgrade it any more. */
      readonly upgradeAuthority: string | null;
      /** Slot of the last deployment or upgrade. */
      readonly slot: number;
      /** The code, and zeros up to the end of the account. */
      readonly code: Uint8Array;
    };

/** State, slot, and the optional authority, before the code. @see `UpgradeableLoaderState` of Solana's loader interface */
const HEADER = 45;
const PROGRAM_STATE = 2;
const PROGRAM_DATA_STATE = 3;
const SYSTEM_PROGRAM = '11111111111111111111111111111111';

/**
 * Reads a program and its ProgramData account, at one slot.
 * @throws DomainError `unavailable` where the cluster is unreachable, or returns a malformed account
 */
export async function readProgram(rpc: JsonRpc, programId: string): Promise<DeployedProgram> {
  const [program, programData] = await readAnyAccounts(rpc, [programId, programDataAddress(programId).address]);
  // anybody can send lamports to an address before a program is deployed there
  if (!program || (program.owner === SYSTEM_PROGRAM && program.data.length === 0)) return { state: 'absent' };
  const isProgram = program.data.length >= 36 && program.data.readUInt32LE(0) === PROGRAM_STATE;
  if (program.owner !== UPGRADEABLE_LOADER || !program.executable || !isProgram) {
    return { state: 'other', owner: program.owner };
  }
  const { data } = programData ?? {};
  // closed for good: the loader never frees the address
  if (data === undefined || data.length < HEADER || data.readUInt32LE(0) !== PROGRAM_DATA_STATE) {
    return { state: 'other', owner: program.owner };
  }
  return {
    state: 'deployed',
    // the loader leaves the key's bytes when it takes the authority away
    upgradeAuthority: data[12] === 1 ? addressOf(data.subarray(13, HEADER)) : null,
    slot: Number(data.readBigUInt64LE(4)),
    code: data.subarray(HEADER),
  };
}
