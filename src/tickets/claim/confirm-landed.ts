import type DataLoader from 'dataloader';
import type { Pool, PoolClient } from 'pg';
import { isBadAnswer, isUnreachable } from '../../chain/gateway/ask.ts';
import type { ChainGateway } from '../../chain/gateway/gateway.ts';
import type { PermitTransfer } from '../../chain/gateway/read-transaction.ts';
import { readEnd } from '../../chain/transaction-outcome.ts';
import { inTransaction } from '../../platform/database/prepared.ts';
import { takeTurns } from '../../platform/take-turns.ts';
import { lockFreePermits, lockPermits } from '../ticket/lock-permits.ts';
import { storePermits } from '../ticket/sync-permits.ts';
import { confirmClaims, failClaim, updateConfirmed } from './end-claims.ts';
import { attemptEach, type SettleRun } from './set-aside.ts';
import type { ConfirmResult } from './statements.ts';
import type { LandedClaim } from './stored-claim.ts';

/** A landed claim that was not confirmed: its permit was not read, or belongs to somebody else than the buyer. */
type Unconfirmed = Awaited<ReturnType<typeof updateConfirmed>>[number];

/**
 * Confirms claims whose status says that they landed. The permit's account decides: it is synced at the slot of the transfer or
 * later, and the claim is confirmed where the buyer owns it. Otherwise the transaction's log shows whether the buyer got it and
 * passed it on, or whether nothing moved.
 */
export async function confirmLanded(run: SettleRun, landed: LandedClaim[]): Promise<void> {
  if (landed.length === 0) return;
  const unconfirmed = await syncLanded(run, landed);
  const judge = async (one: Unconfirmed) => {
    if (!one.permitRead) throw new Error('its permit could not be read at the slot of the transfer');
    await judgeByTransaction(run, one);
  };
  await attemptEach(run, 'permit', unconfirmed, judge, 1);
}

/** Judges a claim by its transaction, where its status is landed but the buyer does not own the permit. */
async function judgeByTransaction({ context, chain }: SettleRun, landed: LandedClaim): Promise<void> {
  const { claim } = landed;
  const transfers = await readTransfers(chain.gateway, claim.signature);
  if (transfers?.some(({ permit, to }) => permit === claim.tix_permit_id && to === claim.destination_wallet)) {
    const proven = [{ ...landed, permitRead: true, requestId: context.requestId }];
    await updateConfirmed(context.pool, [landed], await confirmClaims(context.pool, context.now(), proven, true));
    return;
  }
  if (transfers) return failClaim(context, claim, 'it ran, but the ticket did not move to the buyer', true);
  const lifetime = { blockhash: claim.recent_blockhash, validAt: claim.judged_slot };
  if ((await readEnd(chain.gateway, lifetime)) === undefined) {
    throw new Error('the cluster says that it landed, but the permit is not the buyer’s');
  }
  await failClaim(context, claim, 'the ticket did not move before its blockhash expired', false);
}

/** @returns undefined where the node does not have or does not serve the transaction */
async function readTransfers(
  gateway: SettleRun['chain']['gateway'],
  signature: string,
): Promise<PermitTransfer[] | undefined> {
  try {
    return await gateway.permitTransfers(signature);
  } catch (error) {
    if (isBadAnswer(error)) return undefined;
    throw error;
  }
}

/**
 * Reads the permits of landed claims and writes them, their tickets' owners and the claims' ends, each time in one transaction. Tries
 * three ways in turn: together with other requests (`syncFree`); if that leaves these claims out, in a transaction of their own, which
 * waits for their permits (`syncAlone`); if that fails, claim by claim. The claims run one after the other, because each holds a
 * database connection while it asks the cluster.
 */
async function syncLanded(run: SettleRun, landed: LandedClaim[]): Promise<Unconfirmed[]> {
  const { pool } = run.context;
  try {
    return await updateConfirmed(pool, landed, await syncTogether({ run, claims: landed }));
  } catch (error) {
    if (isUnreachable(error)) throw error;
  }
  const syncOne = async (one: LandedClaim) => updateConfirmed(pool, [one], await syncAlone({ run, claims: [one] }));
  const results = await attemptEach(run, 'permit', landed, syncOne, 1);
  return [...results.values()].flat();
}

/** The landed claims of a request, or of the job. */
interface Landed {
  run: Pick<SettleRun, 'context' | 'chain'>;
  claims: readonly LandedClaim[];
}

/** The result is undefined for a request that needs its own transaction. */
type Queue = DataLoader<Landed, ConfirmResult[] | undefined>;

/** Ten requests of ten claims read 100 permits, the most of one RPC call. Each turn holds a database connection meanwhile. */
const TURNS = { mostTogether: 10, mostUnderWay: 4 };

const queues = new WeakMap<Pool, WeakMap<ChainGateway, Queue>>();

/**
 * Syncs in one transaction with other waiting requests (D-240). A request whose permits are locked elsewhere waits in a transaction of
 * its own.
 */
async function syncTogether(landed: Landed): Promise<ConfirmResult[]> {
  return (await queueOf(landed.run).load(landed)) ?? syncAlone(landed);
}

/** Syncs in a transaction of its own, which waits for the permits. */
function syncAlone(landed: Landed): Promise<ConfirmResult[]> {
  return inTransaction(landed.run.context.pool, async (client) => {
    const permits = await lockPermits(client, [addressesOf(landed)]);
    const addresses = permits.map(({ tix_permit_id }) => tix_permit_id);
    return storeAndConfirm(client, [landed], addresses);
  });
}

function queueOf({ context, chain }: Landed['run']): Queue {
  const ofPool = queues.get(context.pool) ?? new WeakMap<ChainGateway, Queue>();
  const queue = ofPool.get(chain.gateway) ?? takeTurns((all) => syncFree(context.pool, all), TURNS);
  queues.set(context.pool, ofPool.set(chain.gateway, queue));
  return queue;
}

/** Syncs the requests whose permits are all free, in one transaction, which never waits for a lock. */
async function syncFree(pool: Pool, all: readonly Landed[]): Promise<(ConfirmResult[] | undefined)[]> {
  try {
    return await inTransaction(pool, async (client) => {
      const permits = await lockFreePermits(client, [all.flatMap(addressesOf)]);
      const free = new Set(permits.map(({ tix_permit_id }) => tix_permit_id));
      const whole = all.filter((landed) => addressesOf(landed).every((address) => free.has(address)));
      if (whole.length === 0) return all.map(() => undefined);
      const results = await storeAndConfirm(client, whole, [...new Set(whole.flatMap(addressesOf))]);
      return all.map((landed) => (whole.includes(landed) ? resultsOf(landed, results) : undefined));
    });
  } catch (error) {
    if (all.length === 1 || isUnreachable(error)) throw error;
    // an error of one request must not stop the others: each is tried again in a transaction of its own
    return all.map(() => undefined);
  }
}

/** @param addresses the locked permits */
async function storeAndConfirm(
  client: PoolClient,
  all: readonly Landed[],
  addresses: readonly string[],
): Promise<ConfirmResult[]> {
  const [first] = all;
  if (first === undefined) return [];
  const { context, chain } = first.run;
  const now = context.now();
  const claims = all.flatMap(({ run, claims }) =>
    claims.map((landed) => ({ ...landed, requestId: run.context.requestId })),
  );
  const requests = new Map(claims.map(({ claim, requestId }) => [claim.tix_permit_id, requestId]));
  const { permits } = await storePermits(client, chain.gateway, {
    addresses,
    notBefore: Math.max(...claims.map(({ slot }) => slot)),
    now,
    requestOf: (address) => requests.get(address) ?? null,
  });
  const read = claims.map((landed) => ({ ...landed, permitRead: permits.has(landed.claim.tix_permit_id) }));
  return confirmClaims(client, now, read);
}

function addressesOf({ claims }: Landed): string[] {
  return claims.map(({ claim }) => claim.tix_permit_id);
}

function resultsOf({ claims }: Landed, results: readonly ConfirmResult[]): ConfirmResult[] {
  const ids = new Set(claims.map(({ claim }) => claim.id));
  return results.filter(({ id }) => ids.has(id));
}
