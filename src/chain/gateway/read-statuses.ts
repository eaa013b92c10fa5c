import { reasonOf } from '@fan-api/cosign-policy/failure-reason';
import { z } from 'zod';
import { askForEach, at, Slot } from './ask.ts';
import type { JsonRpc } from './json-rpc.ts';
import { shareReads } from './share-reads.ts';

/** `slot`: where it landed; for `unknown`, the node's slot. */
export type TransactionStatus =
  | { state: 'unknown'; slot: number }
  /** Processed but not confirmed: the cluster may still drop it. `failing`: its execution failed. */
  | { state: 'processing'; slot: number; failing: boolean }
  /** `final`: no fork takes it back. */
  | { state: 'confirmed'; slot: number; final: boolean }
  | { state: 'failed'; slot: number; reason: string };

/** The limit of `getSignatureStatuses`. */
const STATUSES_PER_CALL = 256;
/** A request has ten claims, a run of the job up to 100. */
const MOST_REQUESTS = 25;

/** Null is success; a missing `err` is malformed. */
const Err = z.custom<unknown>((err) => err !== undefined);
const Status = z.object({ slot: Slot, err: Err, confirmationStatus: z.string().nullish() }).nullable();
const Statuses = at(z.array(Status));

/**
 * Reads the status of each transaction, including old ones, for concurrent requests in one call.
 * @returns a function that throws DomainError `unavailable` where the cluster is unreachable
 */
export function createStatusReader(rpc: JsonRpc): (signatures: readonly string[]) => Promise<TransactionStatus[]> {
  const askTogether = shareReads((lists: readonly (readonly string[])[]) => readTogether(rpc, lists), MOST_REQUESTS);
  return async (signatures) => {
    if (signatures.length === 0) return [];
    if (signatures.length * MOST_REQUESTS <= STATUSES_PER_CALL) return askTogether(signatures);
    return readStatuses(rpc, signatures);
  };
}

async function readTogether(rpc: JsonRpc, lists: readonly (readonly string[])[]): Promise<TransactionStatus[][]> {
  const statuses = await readStatuses(rpc, lists.flat());
  let read = 0;
  return lists.map(({ length }) => {
    read += length;
    return statuses.slice(read - length, read);
  });
}

async function readStatuses(rpc: JsonRpc, signatures: readonly string[]): Promise<TransactionStatus[]> {
  const options = { searchTransactionHistory: true };
  const { values, slot } = await askForEach(rpc, Statuses, 'getSignatureStatuses', [signatures, options]);
  return values.map((status) => toStatus(status, slot));
}

function toStatus(status: z.infer<typeof Status>, nodeSlot: number): TransactionStatus {
  if (status === null) return { state: 'unknown', slot: nodeSlot };
  const { slot, err, confirmationStatus } = status;
  if (confirmationStatus !== 'confirmed' && confirmationStatus !== 'finalized') {
    return { state: 'processing', slot, failing: err !== null };
  }
  return err === null
    ? { state: 'confirmed', slot, final: confirmationStatus === 'finalized' }
    : { state: 'failed', slot, reason: reasonOf(err) };
}
