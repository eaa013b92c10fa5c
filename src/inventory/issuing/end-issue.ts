import { isUnreadable } from '../../chain/gateway/read-accounts.ts';
import { readStanding } from '../../chain/payer.ts';
import { inTransaction } from '../../platform/database/prepared.ts';
import { storableText } from '../../platform/database/storable-text.ts';
import { after } from '../../platform/time.ts';
import { type IssueRun, reportSetAside } from './issue-run.ts';
import { markEnded, markFinal, markLanded, type OpenIssue, readCarried } from './issue-transactions.ts';
import {
  dropWaiting,
  markIssued,
  REASON_LENGTH,
  releaseCarried,
  type SetAside,
  splitCarried,
  undoIssued,
} from './waiting-permits.ts';
import { countClosed } from './watch-issuing.ts';

/** While the payer is empty or the authority is another one, permits wait for people. */
const FAULT_PAUSE_SECONDS = 5;

/**
 * Ends a transaction that the cluster refused or ran with an error: unless no transaction of ours can land at the moment, one of its
 * permits is at fault, so halves of it are tried.
 * @param refusal.paid the fee in lamports that was paid all the same
 * @param refusal.cost lamports that the payer had to have for it
 */
export async function endRefused(
  run: IssueRun,
  signature: string,
  refusal: { state: 'failed' | 'refused'; reason: string; paid: bigint; cost: bigint },
): Promise<void> {
  const { context, chain } = run;
  const { authority } = chain;
  const standing = await readStanding(chain);
  const blameless = standing.fault !== undefined || standing.spendable < refusal.cost || chain.authority !== authority;
  const reason = storableText(refusal.reason, REASON_LENGTH);
  const aside = await inTransaction(context.pool, async (client): Promise<SetAside[]> => {
    const now = context.now();
    const ended = await markEnded(client, [signature, refusal.state, reason, String(refusal.paid)]);
    if (ended.length === 0) return [];
    await undoMissing(client, run, signature, []);
    if (!blameless) return splitCarried(client, [signature, now, reason]);
    await releaseCarried(client, [signature, after(now, FAULT_PAUSE_SECONDS)]);
    return [];
  });
  reportSetAside(run, aside);
}

/**
 * Ends a transaction that can no longer land: its blockhash has expired, and a node that has seen that does not have the transaction.
 * The accounts at `finalized` decide, because a newly set up node does not have old signatures. Permits that are missing are issued
 * again; those that are still there are closed again.
 * @param slot of the finalized block by which the blockhash had expired
 */
export async function endOver(run: IssueRun, issue: OpenIssue, slot: number): Promise<void> {
  const { context, chain } = run;
  const { signature, closes } = issue;
  const carried = await readCarried(context.pool, [signature]);
  const readings = await chain.gateway.finalPermits(
    carried.map(({ address }) => address),
    slot,
  );
  const isDone = (reading: (typeof readings)[number]) =>
    closes ? reading === undefined : reading !== undefined && !isUnreadable(reading);
  const done = carried.filter((_, index) => isDone(readings[index])).map(({ id }) => id);
  if (carried.length > 0 && done.length === carried.length) {
    await markLanded(context.pool, [signature, context.now(), null, null]);
    await finishIssue(run, signature);
    return;
  }
  // a permit without an account counts as closed once it is taken again
  const there = closes ? [] : done;
  await inTransaction(context.pool, async (client) => {
    const now = context.now();
    const ended = await markEnded(client, [signature, 'dropped', 'its blockhash was over before it landed', '0']);
    if (ended.length === 0) return;
    await markIssued(client, [there, now]);
    await undoMissing(client, run, signature, there);
    await releaseCarried(client, [signature, now]);
    await dropWaiting(client, [there]);
  });
}

/** Marks a transaction as final, and counts the permits that it closed. */
export async function finishIssue({ context, mode }: IssueRun, signature: string): Promise<void> {
  const [closed] = await markFinal(context.pool, [signature, context.now()]);
  if (closed) countClosed(mode, closed.permits, BigInt(closed.lamports));
}

/** Marks permits as not issued whose transaction a fork has dropped. */
async function undoMissing(
  client: Parameters<typeof undoIssued>[0],
  { context }: IssueRun,
  signature: string,
  there: readonly string[],
): Promise<void> {
  const missing = (await readCarried(client, [signature])).filter(({ id, issued }) => issued && !there.includes(id));
  if (missing.length === 0) return;
  const addresses = missing.map(({ address }) => address);
  await undoIssued(client, [missing.map(({ id }) => id), context.now(), signature, context.requestId]);
  context.log.warn({ signature, permits: addresses }, 'the cluster dropped a transaction that had issued permits');
}
