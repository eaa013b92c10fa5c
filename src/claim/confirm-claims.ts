import { isBadAnswer } from '../chain/gateway/bad-answer.ts';
import type { PermitTransfer } from '../chain/gateway/permit-transfers.ts';
import { inTransaction } from '../database/prepared.ts';
import { takeInPermits } from '../ticket/take-in-permits.ts';
import { confirmClaims, failClaim, type LandedClaim, noteConfirmed } from './end-claims.ts';
import type { OpenClaim } from './open-claim.ts';
import { apart, isUnreachable, type Settling } from './set-aside.ts';

/**
 * The status of a transfer says that it has landed. The permit's account decides: it is read at the slot of the transfer or later and taken
 * in, and the claim is confirmed where the permit is the buyer's. Where it is somebody else's, the transaction itself tells whether the
 * buyer had it and passed it on since, or whether nothing moved.
 */
export async function confirmLanded(settling: Settling, landed: LandedClaim[]): Promise<void> {
  if (landed.length === 0) return;
  const left = await takeInLanded(settling, landed);
  await eachApart(settling, left, async (one) => {
    if (!one.permitRead) throw new Error('its permit could not be read at the slot of the transfer');
    await judgeByTransaction(settling, one);
  });
}

type NotConfirmed = Awaited<ReturnType<typeof noteConfirmed>>;

/** All permits in one transaction; where that fails by one of them, each in its own. @returns the claims that were not confirmed */
async function takeInLanded(settling: Settling, landed: LandedClaim[]): Promise<NotConfirmed> {
  try {
    return await takeIn(settling, landed);
  } catch (error) {
    if (isUnreachable(error)) throw error;
  }
  return (await eachApart(settling, landed, (one) => takeIn(settling, [one]))).flat();
}

/** One after the other, because each may hold a database connection while it asks the cluster. */
async function eachApart<Landed extends LandedClaim, T>(
  settling: Settling,
  landed: Landed[],
  work: (one: Landed) => Promise<T>,
): Promise<T[]> {
  const byClaim = new Map<OpenClaim, Landed>(landed.map((one) => [one.claim, one]));
  const run = async (claim: OpenClaim) => {
    const one = byClaim.get(claim);
    return one === undefined ? [] : [await work(one)];
  };
  const results = await apart(settling, 'permit', [...byClaim.keys()], run, 1);
  return [...results.values()].flat();
}

/** The permits, the ownership of their tickets and the claims in one transaction. */
async function takeIn({ context, chain }: Settling, landed: LandedClaim[]): Promise<NotConfirmed> {
  const { pool, now, requestId } = context;
  const addresses = landed.map(({ claim }) => claim.tix_permit_id);
  const notBefore = Math.max(...landed.map(({ slot }) => slot));
  const found = await inTransaction(pool, async (client) => {
    await takeInPermits(client, chain.gateway, { addresses, notBefore, now: now(), requestId });
    return confirmClaims(client, context, landed);
  });
  return noteConfirmed(pool, landed, found);
}

/** The permit is not the buyer's, although the transfer is said to have landed. */
async function judgeByTransaction({ context, chain }: Settling, landed: LandedClaim): Promise<void> {
  const { claim } = landed;
  const transfers = await readTransfers(chain.gateway, claim.signature);
  if (transfers?.some((transfer) => isOf(claim, transfer))) {
    await noteConfirmed(context.pool, [landed], await confirmClaims(context.pool, context, [landed], true));
    return;
  }
  if (transfers) return failClaim(context, claim, 'it ran, but the ticket did not move to the buyer', true);
  const blockhash = await chain.gateway.blockhash(claim.recent_blockhash);
  if (blockhash.recent || blockhash.slot < claim.judged_slot) {
    throw new Error('the cluster says that it landed, but the permit is not the buyer’s');
  }
  await failClaim(context, claim, 'the ticket did not move before its blockhash expired', false);
}

/** @returns undefined where the node does not have the transaction or can't give it */
async function readTransfers(
  gateway: Settling['chain']['gateway'],
  signature: string,
): Promise<PermitTransfer[] | undefined> {
  try {
    return await gateway.permitTransfers(signature);
  } catch (error) {
    if (isBadAnswer(error)) return undefined;
    throw error;
  }
}

function isOf(claim: OpenClaim, { permit, to }: PermitTransfer): boolean {
  return permit === claim.tix_permit_id && to === claim.destination_wallet;
}
