import { readStanding } from '../../chain/payer.ts';
import { inTransaction } from '../../platform/database/prepared.ts';
import { storableText } from '../../platform/database/storable-text.ts';
import { after } from '../../platform/time.ts';
import { markEnded, markFinal, markLanded, type OpenIssue, readCarried } from './issue-transactions.ts';
import { type IssueRun, reportSetAside } from './issue-turn.ts';
import { dropWaiting, markIssued, releaseCarried, type SetAside, splitCarried, undoIssued } from './waiting-permits.ts';

const REASON_LENGTH = 300;
/** While the payer is empty or the authority is another one, permits wait for people. */
const FAULT_PAUSE_SECONDS = 5;

/**
 * Ends a transaction that the cluster refused or ran with an error: unless no transaction of ours can land at the moment, one of its
 * permits is at fault, so halves of it are tried.
 * @param refusal.paid the fee in lamports that was paid all the same
 * @param refusal.cost lamports that it was expected to cost
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
 * The accounts at `finalized` decide, because a newly set up node does not have old signatures. Missing permits are issued again.
 * @param slot of the finalized block by which the blockhash had expired
 */
export async function endOver(run: IssueRun, issue: OpenIssue, slot: number): Promise<void> {
  const { context, chain } = run;
  const { signature } = issue;
  const carried = await readCarried(context.pool, [signature]);
  const readings = await chain.gateway.finalPermits(
    carried.map(({ address }) => address),
    slot,
  );
  const there = carried
    .filter((_, index) => readings[index] !== undefined && !('unreadable' in readings[index]))
    .map(({ id }) => id);
  if (carried.length > 0 && there.length === carried.length) {
    await markLanded(context.pool, [signature, context.now(), null, null]);
    await markFinal(context.pool, [[signature]]);
    return;
  }
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
