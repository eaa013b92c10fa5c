import { address, getTransactionDecoder, lamports } from '@solana/kit';
import { Keypair, Transaction, TransactionInstruction } from '@solana/web3.js';
import { FailedTransactionMetadata, LiteSVM } from 'litesvm';

export interface Run {
  readonly failed: boolean;
  /** What the program logged. */
  readonly said: readonly string[];
  readonly logs: readonly string[];
}

/** Loads a program into a VM and calls it once, without accounts or data. @throws Error when the VM refuses the file */
export function runElf(elf: Uint8Array): Run {
  const svm = new LiteSVM();
  const payer = Keypair.generate();
  const programId = Keypair.generate().publicKey;
  svm.airdrop(address(payer.publicKey.toBase58()), lamports(1_000_000_000n));
  svm.addProgram(address(programId.toBase58()), elf);
  const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: svm.latestBlockhash() });
  transaction.add(new TransactionInstruction({ programId, keys: [] }));
  transaction.sign(payer);
  const result = svm.sendTransaction(getTransactionDecoder().decode(transaction.serialize()));
  const failed = result instanceof FailedTransactionMetadata;
  const logs = (failed ? result.meta() : result).logs();
  const said = logs.flatMap((line) => (line.startsWith('Program log: ') ? [line.slice('Program log: '.length)] : []));
  return { failed, said, logs };
}
