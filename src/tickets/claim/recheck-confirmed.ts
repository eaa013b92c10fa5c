import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { chainOf } from '../../chain/chains.ts';
import { type AccountReading, isUnreadable, type PermitAccount } from '../../chain/gateway/read-accounts.ts';
import type { TransactionStatus } from '../../chain/gateway/read-statuses.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import type { SettleRun } from './set-aside.ts';
import { markFinal, moveSlot, readUnfinal, reopen, type Unfinal } from './statements.ts';

const UNIQUE_VIOLATION = '23505';
/** The partner has been told that the claim is done, so one incomplete answer of a node does not undo that. */
const LOOKS_UNTIL_DROPPED = 3;
const MOST_DOUBTED = 10_000;

/** How many looks in a row, by this process, found that a claim's transaction was dropped. */
const doubts = new WeakMap<Pool, LRUCache<Uuid, number>>();

/**
 * Looks again at confirmed claims once the slot where they landed is final. A claim whose transaction a fork dropped is open again:
 * it is submitted again while its blockhash is valid, and fails otherwise. Several looks in a row must find that it was dropped.
 * @throws DomainError `unavailable` where the cluster can't be asked
 */
export async function recheckConfirmed(context: SettleRun['context'], mode: Mode): Promise<void> {
  const { pool } = context;
  const unfinal = await readUnfinal(pool, [mode]);
  if (unfinal.length === 0) return;
  const { gateway } = chainOf(context.chains, mode);
  const finality = await gateway.finality();
  const due = unfinal.filter(({ slot }) => slot <= finality.slot);
  if (due.length === 0) return;
  const statuses = await gateway.statuses(due.map(({ signature }) => signature));
  const permits = await gateway.finalPermits(
    due.map(({ tix_permit_id }) => tix_permit_id),
    finality.slot,
  );
  const doubted = doubtedBy(pool);
  const final: Uuid[] = [];
  for (const [index, claim] of due.entries()) {
    const status = statuses[index];
    const permit = permits[index];
    const looks = isDropped(claim, status, permit, finality.slot) ? (doubted.get(claim.id) ?? 0) + 1 : 0;
    if (looks > 0 && looks < LOOKS_UNTIL_DROPPED) doubted.set(claim.id, looks);
    else doubted.delete(claim.id);
    if (status?.state === 'confirmed' && !status.final) await moveSlot(pool, [claim.id, status.slot]);
    // the owner is proof enough: a newly set up node does not have old signatures
    else if (status?.state === 'confirmed' || isBuyers(claim, permit)) final.push(claim.id);
    else if (looks === LOOKS_UNTIL_DROPPED) await reopenClaim(context, claim);
    // the node can't tell yet: look at other claims first
    else if (looks === 0 && status?.state === 'unknown') await moveSlot(pool, [claim.id, finality.slot]);
  }
  if (final.length > 0) await markFinal(pool, [final]);
}

type Reading = AccountReading<PermitAccount>;

/** Whether the node has no successful transaction of the claim, but has the permit, with another owner than the buyer. */
function isDropped(claim: Unfinal, status: TransactionStatus | undefined, permit: Reading, finalSlot: number): boolean {
  if (permit === undefined || isUnreadable(permit) || isBuyers(claim, permit)) return false;
  return status?.state === 'failed' || (status?.state === 'unknown' && status.slot >= finalSlot);
}

function isBuyers({ destination_wallet: buyer }: Unfinal, permit: Reading): boolean {
  return permit !== undefined && !isUnreadable(permit) && permit.owner === buyer;
}

function doubtedBy(pool: Pool): LRUCache<Uuid, number> {
  const doubted = doubts.get(pool) ?? new LRUCache<Uuid, number>({ max: MOST_DOUBTED });
  doubts.set(pool, doubted);
  return doubted;
}

async function reopenClaim(context: SettleRun['context'], { id, signature }: Unfinal): Promise<void> {
  const { pool, now, requestId, log } = context;
  log.warn({ signature }, 'the cluster dropped the transaction of a confirmed claim');
  try {
    await reopen(pool, [id, now(), requestId, 'submitted']);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION)) throw error;
    await reopen(pool, [id, now(), requestId, 'failed']);
  }
}
