import type { TransactionMetadata } from 'litesvm/dist/internal.js';
import { bytesOf, type Key, keyAt } from './key.ts';
import type { LandedTransaction } from './store.ts';

/** What the VM reports of a run, as it is stored. */
export type Execution = Pick<LandedTransaction, 'logs' | 'inner' | 'computeUnits' | 'returnData'>;

/** The execution of a transaction that did not run. */
export const NO_EXECUTION: Execution = { logs: [], inner: [], computeUnits: 0, returnData: null };

/** Reads what the VM reports of a run. */
export function executionOf(metadata: TransactionMetadata): Execution {
  const returned = metadata.returnData();
  const inner = metadata.innerInstructions().map((invoked, index) => ({
    index,
    instructions: invoked.map((entry) => ({
      program: entry.instruction().programIdIndex(),
      accounts: [...entry.instruction().accounts()],
      data: Buffer.from(entry.instruction().data()).toString('base64'),
      stackHeight: entry.stackHeight(),
    })),
  }));
  return {
    logs: metadata.logs(),
    inner: inner.filter(({ instructions }) => instructions.length > 0),
    computeUnits: Number(metadata.computeUnitsConsumed()),
    returnData:
      returned.data().length === 0
        ? null
        : { programId: toBase64(keyAt(returned.programId())), data: Buffer.from(returned.data()).toString('base64') },
  };
}

/** A key as stored in files. */
export function toBase64(key: Key): string {
  return bytesOf(key).toString('base64');
}
