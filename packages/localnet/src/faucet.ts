import { createHash } from 'node:crypto';
import { publicKeyOfSeed, signEd25519Sync } from '@fan-api/solana-wire/ed25519';
import { Account } from 'litesvm/dist/internal.js';
import { bytesOf, type Key, keyAt, SYSTEM_PROGRAM } from './key.ts';
import { type Landing, type Ledger, landTransaction } from './ledger.ts';
import { readTransaction } from './wire-transaction.ts';

/** Limit of a single `requestAirdrop`, in lamports: a million SOL. */
export const MAX_AIRDROP = 10n ** 15n;

/** Balance to which the faucet is refilled: just under 2^53, so that clients show it exactly. */
const FAUCET_BALANCE = 9n * MAX_AIRDROP;

let lastNonce = 0;

/** Sends `lamports` from the network's own faucet, as an ordinary transaction that history and subscribers see. */
export function airdrop(ledger: Ledger, to: Key, lamports: bigint): Landing {
  const seed = createHash('sha256').update(`faucet ${ledger.genesis.seed}`).digest();
  const faucet = keyAt(publicKeyOfSeed(seed));
  fill(ledger, faucet);
  // Two equal airdrops in one slot would be one transaction; a transfer of the faucet to itself makes them differ.
  lastNonce = Math.max(lastNonce + 1, Date.now());
  const message = Buffer.concat([
    Uint8Array.of(1, 0, 1, 3),
    bytesOf(faucet),
    bytesOf(to),
    bytesOf(SYSTEM_PROGRAM),
    bytesOf(ledger.clock.blockhashAt(ledger.clock.slot())),
    Uint8Array.of(2),
    transferInstruction(1, lamports),
    transferInstruction(0, BigInt(lastNonce)),
  ]);
  const wire = Buffer.concat([Uint8Array.of(1), signEd25519Sync(seed, message), message]);
  return landTransaction(ledger, readTransaction(wire));
}

function fill({ vm }: Ledger, faucet: Key): void {
  if ((vm.getBalance(bytesOf(faucet)) ?? 0n) > FAUCET_BALANCE / 2n) return;
  const account = new Account(FAUCET_BALANCE, new Uint8Array(), bytesOf(SYSTEM_PROGRAM), false, 2n ** 64n - 1n);
  vm.setAccount(bytesOf(faucet), account);
}

/** System program, account 2: Transfer (2) of `lamports` from account 0 to account `to`. */
function transferInstruction(to: number, lamports: bigint): Buffer {
  const instruction = Buffer.from([2, 2, 0, to, 12, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  instruction.writeBigUInt64LE(lamports, 9);
  return instruction;
}
