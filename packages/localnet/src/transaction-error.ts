/** LiteSVM's errors in the JSON form and the wording of a cluster's RPC. */
import type { FailedTransactionMetadata } from 'litesvm';

/** As in `meta.err` of a cluster: `"BlockhashNotFound"`, `{ InstructionError: [0, { Custom: 6000 }] }`, … */
export type TransactionErrorJson = string | Record<string, unknown>;

/** An error as Rust prints it: a name, `Name(3)`, `Name(0, Cause)`, `Name(0, Custom(6000))` or `Name { account_index: 1 }`. */
const PRINTED = /\{ err: (\w+)(?:\((\d+)(?:, (\w+)(?:\((\d+))?)?| \{ account_index: (\d+))?/;

/** The error of a failed execution or simulation: `err()` gives simple ones as bare numbers, the text has their names. */
export function errorJsonOf(failed: FailedTransactionMetadata): TransactionErrorJson {
  const [, name, index, cause, code, account] = PRINTED.exec(String(failed)) ?? [];
  if (name === undefined) throw new Error(`the VM's error cannot be read: ${String(failed)}`);
  if (account !== undefined) return { [name]: { account_index: Number(account) } };
  if (index === undefined) return name;
  if (cause === undefined) return { [name]: Number(index) };
  return { [name]: [Number(index), cause === 'Custom' ? { Custom: Number(code) } : cause] };
}

/** Sentences that clients are known to look for. Other errors get their name in words. */
const SENTENCES: Record<string, string> = {
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  SignatureFailure: 'Transaction did not pass signature verification',
};

/** One sentence about an error, as `sendTransaction` puts it in its message. */
export function describeError(error: TransactionErrorJson): string {
  if (typeof error === 'string') return SENTENCES[error] ?? inWords(error);
  const [name = '', detail] = Object.entries(error)[0] ?? [];
  if (name !== 'InstructionError' || !Array.isArray(detail)) return `${inWords(name)}: ${JSON.stringify(detail)}`;
  const [index, cause] = detail as [number, string | { Custom: number }];
  const reason = typeof cause === 'string' ? inWords(cause) : `custom program error: 0x${cause.Custom.toString(16)}`;
  return `Error processing Instruction ${index}: ${reason}`;
}

function inWords(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
