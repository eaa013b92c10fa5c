import { keyFromBase58 } from './key.ts';
import type { WireMessage } from './wire-transaction.ts';

const COMPUTE_BUDGET = keyFromBase58('ComputeBudget111111111111111111111111111111');

/** Programs that check signatures in their data; each of these is paid for like one of the transaction. */
const PRECOMPILES = new Set(
  [
    'Ed25519SigVerify111111111111111111111111111',
    'KeccakSecp256k11111111111111111111111111111',
    'Secp256r1SigVerify1111111111111111111111111',
  ].map(keyFromBase58),
);

/** Programs that are part of the VM: they count as cheap if a transaction sets no compute limit. */
const BUILTINS = new Set([
  ...PRECOMPILES,
  COMPUTE_BUDGET,
  ...[
    '11111111111111111111111111111111',
    'Vote111111111111111111111111111111111111111',
    'BPFLoader1111111111111111111111111111111111',
    'BPFLoader2111111111111111111111111111111111',
    'BPFLoaderUpgradeab1e11111111111111111111111',
    'LoaderV411111111111111111111111111111111111',
  ].map(keyFromBase58),
]);

const LAMPORTS_PER_SIGNATURE = 5000n;
const MAX_COMPUTE_UNITS = 1_400_000;
const UNITS_PER_BUILTIN = 3_000;
const UNITS_PER_INSTRUCTION = 200_000;

/**
 * What a message costs its fee payer, in lamports: a fixed price per signature, and the priority price (micro-lamports
 * per compute unit) times the compute limit.
 * @see https://solana.com/docs/core/fees
 */
export function transactionFee(message: WireMessage): bigint {
  const { price, units } = computeBudgetOf(message);
  const signatures = message.header.requiredSignatures + precompileSignatures(message);
  return LAMPORTS_PER_SIGNATURE * BigInt(signatures) + (price * units + 999_999n) / 1_000_000n;
}

/** What a message offers for priority, in micro-lamports per compute unit. */
export function priorityPrice(message: WireMessage): bigint {
  return computeBudgetOf(message).price;
}

function computeBudgetOf(message: WireMessage): { price: bigint; units: bigint } {
  let price = 0n;
  let limit: number | undefined;
  let defaultLimit = 0;
  for (const { programIndex, data } of message.instructions) {
    const programKey = message.keys[programIndex];
    defaultLimit += BUILTINS.has(programKey) ? UNITS_PER_BUILTIN : UNITS_PER_INSTRUCTION;
    if (programKey !== COMPUTE_BUDGET) continue;
    const bytes = Buffer.from(data);
    if (bytes[0] === 2 && bytes.length >= 5) limit = bytes.readUInt32LE(1);
    if (bytes[0] === 3 && bytes.length >= 9) price = bytes.readBigUInt64LE(1);
  }
  return { price, units: BigInt(Math.min(limit ?? defaultLimit, MAX_COMPUTE_UNITS)) };
}

/** Signatures checked by the Ed25519 and secp256 programs, whose data starts with their number. */
function precompileSignatures(message: WireMessage): number {
  const programs = message.instructions.filter(({ programIndex }) => PRECOMPILES.has(message.keys[programIndex]));
  return programs.reduce((sum, { data }) => sum + (data[0] ?? 0), 0);
}
