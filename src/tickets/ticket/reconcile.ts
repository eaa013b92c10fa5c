import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { Counter, Gauge } from 'prom-client';
import { type Chain, chainOf, type WithChains } from '../../chain/chains.ts';
import { isUnreadable, type PermitAccount } from '../../chain/gateway/read-accounts.ts';
import type { HistoryCursor, ProgramHistory, ProgramTransaction } from '../../chain/gateway/read-history.ts';
import type { Context } from '../../platform/context.ts';
import { MODES, type Mode } from '../../platform/mode.ts';
import {
  deleteFinal,
  deleteUnchanged,
  moveCursor,
  readConfirmed,
  readCursor,
  readDue,
  readOwn,
  readUnfinal,
} from './statements.ts';
import { syncInBatches } from './sync-in-batches.ts';

type ReconcileContext = Pick<Context, 'pool' | 'now' | 'requestId' | 'log'> & WithChains;

/** More transactions than the program has in slots that are not final. */
const MOST_SEEN = 10_000;
/** Concurrent `getTransaction` calls. */
const AT_ONCE = 8;

const notGiven = new Counter({
  name: 'reconcile_transactions_not_given_total',
  help: 'Landed transactions that the node could not give, so that every permit was read instead, by mode',
  labelNames: ['mode'],
});
for (const mode of MODES) notGiven.inc({ mode }, 0);

const succeeded = new Gauge({
  name: 'reconcile_last_success_timestamp_seconds',
  help: 'When the tickets of a mode were last brought in line with its chain, by mode (Unix time)',
  labelNames: ['mode'],
});

/**
 * Syncs the permits touched by the program's transactions since the last call, every permit on the first call, and retries deferred
 * ones. The chain decides on owners and listings: a change made outside this service appears here within seconds.
 * @returns how many changes it made
 * @throws DomainError `unavailable` where the cluster cannot be reached: the next call starts where this one did
 */
export async function reconcile(context: ReconcileContext, mode: Mode): Promise<number> {
  const chain = chainOf(context.chains, mode);
  const { pool } = context;
  const [cluster] = await readCursor(pool, [mode]);
  if (!cluster) return 0;
  const { last_signature: signature, last_slot: slot } = cluster;
  const since = signature === null ? null : { signature, slot: Number(slot ?? 0) };
  const changes =
    (await followHistory(context, mode, chain, since)) +
    (await retryUnread(context, mode, chain)) +
    (await recheckFinal(context, mode, chain));
  succeeded.setToCurrentTime({ mode });
  return changes;
}

async function followHistory(
  context: ReconcileContext,
  mode: Mode,
  chain: Chain,
  since: HistoryCursor | null,
): Promise<number> {
  const { pool } = context;
  const history = await chain.gateway.programSignatures(since);
  const seen = seenBy(context.pool, mode);
  const fresh = history.transactions.filter((transaction) => !seen.has(keyOf(transaction)));
  const newest = fresh.at(-1);
  if (newest === undefined) {
    await advance(context, mode, chain, history);
    return 0;
  }
  const touched = await touchedAddresses(context, mode, chain, { ...history, transactions: fresh });
  const own = await readOwn(pool, [mode, touched]);
  let changes = 0;
  // permits that failed before may fail again, and with them their batch: they get batches of their own
  for (const unread of [false, true]) {
    const addresses = own.filter((permit) => permit.unread === unread).map((permit) => permit.tix_permit_id);
    changes += await syncInBatches(context, mode, chain.gateway, { addresses, notBefore: newest.slot });
  }
  // last, so that an interrupted run is repeated
  for (const transaction of fresh) seen.set(keyOf(transaction), true);
  await advance(context, mode, chain, history);
  return changes;
}

/**
 * Moves the cursor to the newest transaction that is final. A fork may replace the transactions after it with others in the
 * same slots, which a cursor beyond them would miss.
 */
async function advance(
  { pool }: ReconcileContext,
  mode: Mode,
  { gateway }: Chain,
  { transactions, complete }: ProgramHistory,
): Promise<void> {
  if (transactions.length === 0) return;
  const { slot } = await gateway.finality();
  // where none is final: an incomplete history led to a read of every permit, so go on from its oldest transaction
  const last =
    transactions.findLast((transaction) => transaction.slot <= slot) ?? (complete ? undefined : transactions[0]);
  if (last !== undefined) await moveCursor(pool, [mode, last.signature, last.slot]);
}

/** The transactions after the cursor that this process has followed, each with its slot: after a fork it may land in another one. */
const followed = new WeakMap<Pool, Map<Mode, LRUCache<string, true>>>();

function seenBy(pool: Pool, mode: Mode): LRUCache<string, true> {
  const byMode = followed.get(pool) ?? new Map<Mode, LRUCache<string, true>>();
  followed.set(pool, byMode);
  const seen = byMode.get(mode) ?? new LRUCache<string, true>({ max: MOST_SEEN });
  byMode.set(mode, seen);
  return seen;
}

function keyOf({ signature, slot }: ProgramTransaction): string {
  return `${signature} ${slot}`;
}

async function retryUnread(context: ReconcileContext, mode: Mode, { gateway }: Chain): Promise<number> {
  const due = await readDue(context.pool, [mode, context.now()]);
  const addresses = due.map((permit) => permit.tix_permit_id);
  const notBefore = Math.max(0, ...due.map((permit) => Number(permit.slot)));
  return syncInBatches(context, mode, gateway, { addresses, notBefore });
}

/** @returns null where not every transaction could be read, so that every permit must be synced */
async function touchedAddresses(
  context: ReconcileContext,
  mode: Mode,
  { gateway }: Chain,
  history: ProgramHistory,
): Promise<string[] | null> {
  if (!history.complete) return null;
  const transactions = await unknownOf(context, history.transactions);
  const touched = new Set<string>();
  for (let at = 0; at < transactions.length; at += AT_ONCE) {
    const asked = transactions.slice(at, at + AT_ONCE);
    const pages = await Promise.all(asked.map(({ signature }) => gateway.addressesIn(signature)));
    for (const [index, page] of pages.entries()) {
      if (page === undefined) {
        notGiven.inc({ mode });
        context.log.warn({ mode, signature: asked[index]?.signature }, 'the node can’t return a transaction');
        return null;
      }
      for (const address of page) touched.add(address);
    }
  }
  return [...touched];
}

/** The transactions with effects that may not be synced yet. */
async function unknownOf(
  { pool }: ReconcileContext,
  transactions: ProgramTransaction[],
): Promise<ProgramTransaction[]> {
  const effective = transactions.filter(({ failed }) => !failed);
  const confirmed = await readConfirmed(pool, [effective.map(({ signature }) => signature)]);
  const known = new Set(confirmed.map(({ signature }) => signature));
  return effective.filter(({ signature }) => !known.has(signature));
}

/**
 * Reads permits again whose owner or listing changed at `confirmed`, once that slot is final: a fork may have undone the change, and no
 * new transaction would show that. Where the state differs now, the change back is stored and audited.
 * @returns how many changes it made
 * @throws DomainError `unavailable` where the cluster cannot be reached
 */
export async function recheckFinal(
  context: Pick<Context, 'pool' | 'now' | 'requestId' | 'log'>,
  mode: Mode,
  { gateway }: Chain,
): Promise<number> {
  const unfinal = await readUnfinal(context.pool, [mode]);
  if (unfinal.length === 0) return 0;
  const { slot } = await gateway.finality();
  const addresses = unfinal.filter((permit) => permit.slot <= slot).map((permit) => permit.tix_permit_id);
  if (addresses.length === 0) return 0;
  // a state at this slot or later builds on the final block
  const unchanged = await passUnchanged(context, gateway, addresses, slot);
  const others = addresses.filter((address) => !unchanged.has(address));
  if (others.length === 0) return 0;
  const changes = await syncInBatches(context, mode, gateway, { addresses: others, notBefore: slot });
  await deleteFinal(context.pool, [others, slot]);
  return changes;
}

/** Drops permits whose change was not undone: most need only this read. @returns their addresses */
async function passUnchanged(
  { pool }: Pick<Context, 'pool'>,
  gateway: Chain['gateway'],
  addresses: string[],
  slot: number,
): Promise<Set<string>> {
  const readings = await gateway.permits(addresses, slot);
  const seen = addresses.flatMap((address, index) => {
    const permit = readings[index];
    return permit === undefined || isUnreadable(permit) ? [] : [toSeen(address, permit)];
  });
  const unchanged = await deleteUnchanged(pool, [JSON.stringify(seen), slot, seen.map(({ address }) => address)]);
  return new Set(unchanged.map(({ address }) => address));
}

function toSeen(address: string, { owner, state, marketplace, price }: PermitAccount) {
  return { address, owner, state, marketplace, price: price.toString() };
}
