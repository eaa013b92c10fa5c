import { keyFromBase58 } from './key.ts';

export const COMPUTE_BUDGET = keyFromBase58('ComputeBudget111111111111111111111111111111');

/** Programs that are part of the VM: they count as cheap if a transaction sets no compute limit. */
export const BUILTINS = new Set(
  [
    '11111111111111111111111111111111',
    'ComputeBudget111111111111111111111111111111',
    'Vote111111111111111111111111111111111111111',
    'BPFLoader1111111111111111111111111111111111',
    'BPFLoader2111111111111111111111111111111111',
    'BPFLoaderUpgradeab1e11111111111111111111111',
    'LoaderV411111111111111111111111111111111111',
    'Ed25519SigVerify111111111111111111111111111',
    'KeccakSecp256k11111111111111111111111111111',
    'Secp256r1SigVerify1111111111111111111111111',
  ].map(keyFromBase58),
);

/** Programs that check signatures in their data; each of these is paid for like one of the transaction. */
export const PRECOMPILES = new Set(
  [
    'Ed25519SigVerify111111111111111111111111111',
    'KeccakSecp256k11111111111111111111111111111',
    'Secp256r1SigVerify1111111111111111111111111',
  ].map(keyFromBase58),
);
