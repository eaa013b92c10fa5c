import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainGateway } from './gateway/gateway.ts';
import { type Outcome, type OutcomeGateway, readOutcome, type SentTransaction } from './transaction-outcome.ts';

/** A signed transaction of our own. */
export interface SignedTransaction extends SentTransaction {
  readonly bytes: Uint8Array;
}

/** `refused`: the cluster will not run it. */
export type Landing = Outcome | { readonly is: 'refused'; readonly reason: string };

const POLL_MS = 250;
/** A leader may drop a transaction: the same bytes are sent again, and land once. */
const RESEND_MS = 2_500;

/**
 * Sends a transaction of our own, again and again, until the cluster has decided about it.
 * @param patienceMs after which it is left, though it may land
 * @throws DomainError `unavailable` where the cluster is unreachable: it may land
 */
export async function landTransaction(
  gateway: OutcomeGateway & Pick<ChainGateway, 'submit'>,
  transaction: SignedTransaction,
  patienceMs: number,
): Promise<Landing> {
  const began = performance.now();
  let isForwarded = false;
  for (let sends = 0; ; await sleep(POLL_MS)) {
    let refusal: string | undefined;
    if (performance.now() - began >= sends * RESEND_MS) {
      const submission = await gateway.submit(transaction.bytes);
      if (submission.outcome === 'refused') refusal = submission.reason;
      else isForwarded = true;
      sends++;
    }
    const outcome = await readOutcome(gateway, transaction);
    const isOpen = outcome.is === 'open' || outcome.is === 'unclear';
    if (!isOpen) return outcome;
    // preflight also refuses what has just run; and a refusal says nothing of the bytes that were sent on before
    const isSeen = outcome.is === 'open' && outcome.isSeen;
    if (refusal !== undefined && !isForwarded && !isSeen) return { is: 'refused', reason: refusal };
    if (performance.now() - began >= patienceMs) return outcome;
  }
}
