import { FailedTransactionMetadata } from 'litesvm/dist/internal.js';
import { accountAtSlot } from './account-at-slot.ts';
import { admit, signaturesVerify } from './admission.ts';
import { setsNonce } from './durable-nonce.ts';
import { type Execution, executionOf, NO_EXECUTION } from './execution.ts';
import { type Ledger, tick, withStateAt } from './ledger.ts';
import { accountsOf } from './message-accounts.ts';
import { errorJsonOf, type TransactionErrorJson } from './transaction-error.ts';
import { type WireTransaction, withBlockhash } from './wire-transaction.ts';

export interface SimulationOptions {
  /** The slot whose state the transaction runs on. */
  slot: number;
  verifySignatures: boolean;
  /** Take the newest blockhash in place of the transaction's own, and so check neither its age nor for a duplicate. */
  replaceBlockhash: boolean;
}

export interface Simulation {
  err: TransactionErrorJson | null;
  execution: Execution;
}

/** Executes a transaction on the state of a slot without keeping anything of it. */
export function simulate(ledger: Ledger, transaction: WireTransaction, options: SimulationOptions): Simulation {
  const { vm, clock } = ledger;
  const { slot, verifySignatures, replaceBlockhash } = options;
  const { message } = transaction;
  tick(ledger);
  const ownCheck = setsNonce(message);
  // A wrong signature is reported first. If the transaction runs, the VM checks the signatures, which is faster.
  const isForged = () => verifySignatures && !signaturesVerify(transaction);
  const refuse = (err: TransactionErrorJson): Simulation => ({
    err: isForged() ? 'SignatureFailure' : err,
    execution: NO_EXECUTION,
  });
  if (ownCheck && isForged()) return refuse('SignatureFailure');
  if (!replaceBlockhash) {
    const admission = admit(ledger, transaction, slot);
    if ('refused' in admission) return refuse(admission.refused);
  }
  const accounts = accountsOf(message, (key) => accountAtSlot(ledger, key, slot)?.data());
  if (!accounts) return refuse('AddressLookupTableNotFound');
  const wire = ownCheck ? withBlockhash(transaction, clock.blockhashAt(slot)) : transaction.wire;
  return withStateAt(ledger, accounts.keys, slot, () => {
    vm.setSigverify(verifySignatures && !ownCheck);
    try {
      const result = vm.simulateVersionedTransaction(wire);
      const err = result instanceof FailedTransactionMetadata ? errorJsonOf(result) : null;
      return { err, execution: executionOf(result.meta()) };
    } finally {
      vm.setSigverify(true);
    }
  });
}
