import { isUnreachable } from './gateway/ask.ts';
import type { ChainGateway } from './gateway/gateway.ts';
import type { TransactionStatus } from './gateway/read-statuses.ts';

/** A transaction that was sent, or may have been: also by another process, or by anybody who has its bytes. */
export interface SentTransaction {
  /** Base58. */
  readonly signature: string;
  /** When it can land no more. Without it, only what the cluster has decided is read. */
  readonly lifetime?: Lifetime;
}

/** What ends the time in which a transaction can land. */
export type Lifetime =
  /** Its blockhash, and a slot at which that was valid. */
  | { readonly blockhash: string; readonly validAt: number }
  /** The last block that can have it, and the newest final block: read by `gateway.finality`, before the question. */
  | { readonly lastValidHeight: number; readonly finality: { readonly slot: number; readonly height: number } };

/** What became of a transaction. */
export type Outcome =
  /** It ran. `final`: no fork takes it back. */
  | { readonly is: 'landed'; readonly slot: number; readonly final: boolean }
  /** It ran with an error, and changed nothing. */
  | { readonly is: 'failed'; readonly reason: string }
  /** It did not land, and never will. `slot`: by which its lifetime was over. */
  | { readonly is: 'never'; readonly slot: number }
  /** It may land. `isSeen`: a node has it, unconfirmed. */
  | { readonly is: 'open'; readonly isSeen: boolean }
  /** No node has it, and whether it may land could not be read. */
  | { readonly is: 'unclear'; readonly fault: unknown };

export type OutcomeGateway = Pick<ChainGateway, 'blockhash' | 'statuses'>;

/**
 * Reads what became of transactions, all statuses in one call.
 *
 * *Never* is the answer on which another transaction is sent, or a ticket given back, so it must be certain:
 *
 * 1. A node at slot S says that the lifetime is over. No block after S can have the transaction.
 * 2. This node had seen the lifetime begin: S is not before the slot at which the blockhash was valid. A node that lags and does not know
 *    the blockhash yet gives the same answer. A height has no such double meaning: that of a node that lags is lower.
 * 3. Only then is the status asked for, of a node at S or later: it has every block that can have the transaction, and does not have it.
 *    In the other order, the transaction could land between the two answers.
 *
 * What remains is a fork: `recheck-confirmed.ts` and `end-issue.ts` read the accounts of final blocks.
 * @returns the outcomes, in order
 * @throws DomainError `unavailable` where the cluster is unreachable or refuses to give the statuses
 */
export async function readOutcomes(gateway: OutcomeGateway, sent: readonly SentTransaction[]): Promise<Outcome[]> {
  const ends = await Promise.allSettled(sent.map(async ({ lifetime }) => lifetime && readEnd(gateway, lifetime)));
  const faults = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  if (faults.length > 0 && faults.length === sent.length && faults.every(isUnreachable)) throw faults[0];
  const statuses = await gateway.statuses(sent.map(({ signature }) => signature));
  return ends.map((end, index) => {
    const status = statuses[index];
    if (status === undefined) throw new RangeError('each transaction has a status');
    return outcomeOf(status, end);
  });
}

/** As `readOutcomes`, of one. */
export async function readOutcome(gateway: OutcomeGateway, sent: SentTransaction): Promise<Outcome> {
  const [outcome] = await readOutcomes(gateway, [sent]);
  if (outcome === undefined) throw new RangeError('each transaction has an outcome');
  return outcome;
}

/** @returns the slot by which a lifetime was over; undefined while it is not, or where that is not certain */
export async function readEnd(
  gateway: Pick<ChainGateway, 'blockhash'>,
  lifetime: Lifetime,
): Promise<number | undefined> {
  if ('finality' in lifetime) {
    const { slot, height } = lifetime.finality;
    return height > lifetime.lastValidHeight ? slot : undefined;
  }
  const { recent, slot } = await gateway.blockhash(lifetime.blockhash);
  return recent || slot < lifetime.validAt ? undefined : slot;
}

function outcomeOf(status: TransactionStatus, end: PromiseSettledResult<number | undefined>): Outcome {
  if (status.state === 'confirmed') return { is: 'landed', slot: status.slot, final: status.final };
  if (status.state === 'failed') return { is: 'failed', reason: status.reason };
  if (status.state === 'processing') return { is: 'open', isSeen: true };
  if (end.status === 'rejected') return { is: 'unclear', fault: end.reason };
  if (end.value !== undefined && status.slot >= end.value) return { is: 'never', slot: end.value };
  return { is: 'open', isSeen: false };
}
