import { type Chain, chainOf, type WithChains } from '../chain/chains.ts';
import type { ProgramTransaction } from '../chain/gateway/gateway.ts';
import type { Context } from '../context.ts';
import { inTransaction, prepared } from '../database/prepared.ts';
import type { Mode } from '../entities/mode.ts';
import { takeInPermits } from './take-in-permits.ts';

/**
 * Reconciling: the chain is the truth for who owns a permit and whether it is listed. This follows the program's
 * transactions and takes in what they touched, so that what happens outside this service shows here within seconds.
 */
type ReconcileContext = Pick<Context, 'pool' | 'now' | 'requestId'> & WithChains;

/** Transactions whose accounts are asked for at the same time. */
const AT_ONCE = 8;
/** Permits that are locked and read together; one call of the node. */
const BATCH = 100;

const readCursor = prepared<{ last_signature: string | null }>(
  'select last_signature from chain_cluster where mode = $1',
);
const moveCursor = prepared('update chain_cluster set last_signature = $2 where mode = $1');
const readOwn = prepared<{ tix_permit_id: string }>(
  `select p.tix_permit_id from permit p join ticket t on t.id = p.ticket_id join ticket_type tt on tt.id = t.ticket_type_id
     join event e on e.id = tt.event_id and e.mode = $1
   where $2::text[] is null or p.tix_permit_id = any($2)`,
);
/** A claim took its permit in when it was confirmed; nothing more is to be learnt from its transaction. */
const readConfirmed = prepared<{ signature: string }>(
  `select signature from claim where signature = any($1) and state = 'confirmed'`,
);

/**
 * Takes in what has happened on a mode's chain since the last call; on the first call, the state of every permit.
 * @returns how many changes it made
 */
export async function reconcile(context: ReconcileContext, mode: Mode): Promise<number> {
  const chain = chainOf(context.chains, mode);
  const { pool, now, requestId } = context;
  const [cursor] = await readCursor(pool, [mode]);
  if (!cursor) return 0;
  const since = cursor.last_signature;
  const transactions = await chain.gateway.programSignatures(since);
  const newest = transactions.at(-1);
  if (newest === undefined) return 0;
  const touched = since === null ? null : await touchedAddresses(chain, await unknownOf(context, transactions));
  const addresses = (await readOwn(pool, [mode, touched])).map((permit) => permit.tix_permit_id);
  let changes = 0;
  for (let at = 0; at < addresses.length; at += BATCH) {
    const batch = { addresses: addresses.slice(at, at + BATCH), notBefore: newest.slot, now: now(), requestId };
    changes += await inTransaction(pool, (client) => takeInPermits(client, chain.gateway, batch));
  }
  // last of all: what broke off before is taken in again
  await moveCursor(pool, [mode, newest.signature]);
  return changes;
}

/** The transactions that had an effect which may not be known here yet. */
async function unknownOf(
  { pool }: ReconcileContext,
  transactions: ProgramTransaction[],
): Promise<ProgramTransaction[]> {
  const effective = transactions.filter(({ failed }) => !failed);
  const confirmed = await readConfirmed(pool, [effective.map(({ signature }) => signature)]);
  const known = new Set(confirmed.map(({ signature }) => signature));
  return effective.filter(({ signature }) => !known.has(signature));
}

/** @returns null where the node does not have one of the transactions, so that every permit must be looked at */
async function touchedAddresses({ gateway }: Chain, transactions: ProgramTransaction[]): Promise<string[] | null> {
  const touched = new Set<string>();
  for (let at = 0; at < transactions.length; at += AT_ONCE) {
    const pages = await Promise.all(
      transactions.slice(at, at + AT_ONCE).map(({ signature }) => gateway.addressesIn(signature)),
    );
    for (const page of pages) {
      if (page === undefined) return null;
      for (const address of page) touched.add(address);
    }
  }
  return [...touched];
}
