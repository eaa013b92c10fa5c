import { INSTRUCTION_SIZE } from './elf.ts';
import { LinkError } from './link-error.ts';

const LDDW = 0x18;
const CALLX = 0x8d;

/** The low three bits of an opcode. */
const CLASS_LOAD = 1;
const CLASS_STORE = 3;
const CLASS_ALU32 = 4;
const CLASS_JUMP32 = 6;
const CLASS_ALU64 = 7;
const MODE_MASK = 0xe0;
const MODE_SIGN_EXTENDED = 0x80;
const MODE_ATOMIC = 0xc0;
const BYTE_SWAP = 0xd7;

/**
 * Refuses what clang can emit but Solana's machine cannot run, which would else be noticed only on the cluster, and brings indirect
 * calls (`callx`) into the form of the given sBPF version.
 *
 * @param code changed in place
 * @throws LinkError `unsupported_instruction`, with the offset in the code
 */
export function checkInstructions(code: Buffer, version: 0 | 3): void {
  for (let at = 0; at < code.length; at += INSTRUCTION_SIZE) {
    const opcode = code.readUInt8(at);
    if (opcode === LDDW) {
      at += INSTRUCTION_SIZE;
    } else if (opcode === CALLX) {
      rewriteIndirectCall(code, at, version);
    } else {
      const fault = faultOf(opcode, code.readInt16LE(at + 2), version);
      if (fault) throw new LinkError('unsupported_instruction', `${fault} at byte ${at} of the code`);
    }
  }
}

/** Where the register's number stands: clang up to 18 and sBPF v0 say `imm`, later ones say `dst`. */
function rewriteIndirectCall(code: Buffer, at: number, version: 0 | 3): void {
  const register = code.readUInt32LE(at + 4) || code.readUInt8(at + 1) & 0x0f;
  code.writeUInt8(version === 3 ? register : 0, at + 1);
  code.writeUInt32LE(version === 3 ? 0 : register, at + 4);
}

function faultOf(opcode: number, offset: number, version: 0 | 3): string | undefined {
  const kind = opcode & 7;
  const mode = opcode & MODE_MASK;
  if (kind === CLASS_STORE && mode === MODE_ATOMIC) return 'an atomic operation';
  if (kind === CLASS_LOAD && mode === MODE_SIGN_EXTENDED) return 'a sign-extending load';
  if (kind === CLASS_JUMP32 && version === 0) return 'a 32-bit jump (compile with -mcpu=v2)';
  if (opcode === CLASS_JUMP32) return 'a long jump';
  if ((kind === CLASS_ALU32 || kind === CLASS_ALU64) && offset !== 0) return 'a signed division or sign-extending move';
  if (opcode === BYTE_SWAP) return 'a byte swap';
  return undefined;
}
