import { Counter } from 'prom-client';
import { type Chain, chainOf, type WithChains } from '../chain/chains.ts';
import type { HistoryCursor, ProgramHistory, ProgramTransaction } from '../chain/gateway/read-history.ts';
import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import { MODES, type Mode } from '../entities/mode.ts';
import { syncInBatches } from './sync-in-batches.ts';

type ReconcileContext = Pick<Context, 'pool' | 'now' | 'requestId' | 'log'> & WithChains;

/** Concurrent `getTransaction` calls. */
const AT_ONCE = 8;

const notGiven = new Counter({
  name: 'reconcile_transactions_not_given_total',
  help: 'Landed transactions that the node could not give, so that every permit was read instead, by mode',
  labelNames: ['mode'],
});
for (const mode of MODES) notGiven.inc({ mode }, 0);

const readCursor = prepared<{ last_signature: string | null; last_slot: string | null }>(
  'select last_signature, last_slot from chain_cluster where mode = $1',
);
/** The process that has read furthest wins. */
const moveCursor = prepared(
  `update chain_cluster set last_signature = $2, last_slot = $3
   where mode = $1 and (last_slot is null or last_slot <= $3)`,
);
interface OwnPermit {
  tix_permit_id: string;
  /** Whether an earlier try failed. */
  unread: boolean;
}
const readOwn = prepared<OwnPermit>(
  `select p.tix_permit_id, u.permit_id is not null as unread
   from permit p join ticket t on t.id = p.ticket_id join ticket_type tt on tt.id = t.ticket_type_id
     join event e on e.id = tt.event_id and e.mode = $1 left join unread_permit u on u.permit_id = p.id
   where $2::text[] is null or p.tix_permit_id = any($2)`,
);
const readDue = prepared<{ tix_permit_id: string; slot: string }>(
  `select p.tix_permit_id, u.slot
   from unread_permit u join permit p on p.id = u.permit_id join ticket t on t.id = p.ticket_id
     join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id and e.mode = $1
   where u.retry_at <= $2 order by u.retry_at limit 100`,
);
/** Confirmed claims have synced their permits already. */
const readConfirmed = prepared<{ signature: string }>(
  `select signature from claim where signature = any($1) and state = 'confirmed'`,
);

/**
 * Syncs the permits touched by the program's transactions since the last call, every permit on the first call, and retries deferred
 * ones. The chain is the truth for owners and listings: what happens outside this service shows here within seconds.
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
  const changes = await followHistory(context, mode, chain, since);
  return changes + (await retryUnread(context, mode, chain));
}

async function followHistory(
  context: ReconcileContext,
  mode: Mode,
  chain: Chain,
  since: HistoryCursor | null,
): Promise<number> {
  const { pool } = context;
  const history = await chain.gateway.programSignatures(since);
  const newest = history.transactions.at(-1);
  if (newest === undefined) return 0;
  const touched = await touchedAddresses(context, mode, chain, history);
  const own = await readOwn(pool, [mode, touched]);
  let changes = 0;
  // permits that failed before go into separate batches, which they may break again
  for (const unread of [false, true]) {
    const addresses = own.filter((permit) => permit.unread === unread).map((permit) => permit.tix_permit_id);
    changes += await syncInBatches(context, mode, chain.gateway, { addresses, notBefore: newest.slot });
  }
  // last, so that an interrupted run is repeated
  await moveCursor(pool, [mode, newest.signature, newest.slot]);
  return changes;
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
