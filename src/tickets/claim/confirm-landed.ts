import { isBadAnswer } from '../../chain/gateway/ask.ts';
import type { PermitTransfer } from '../../chain/gateway/permit-transfers.ts';
import { confirmClaims, failClaim, updateConfirmed } from './end-claims.ts';
import { attemptEach, type SettleRun } from './set-aside.ts';
import type { LandedClaim } from './stored-claim.ts';
import { syncLanded, type Unconfirmed } from './sync-landed.ts';

/**
 * Confirms claims whose status says that they landed. The permit's account decides: it is synced at the slot of the transfer or
 * later, and the claim is confirmed where the buyer owns it. Otherwise the transaction's log says whether the buyer got it and
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

/** For a transfer that is said to have landed while the buyer does not own the permit. */
async function judgeByTransaction({ context, chain }: SettleRun, landed: LandedClaim): Promise<void> {
  const { claim } = landed;
  const transfers = await readTransfers(chain.gateway, claim.signature);
  if (transfers?.some(({ permit, to }) => permit === claim.tix_permit_id && to === claim.destination_wallet)) {
    const proven = [{ ...landed, permitRead: true, requestId: context.requestId }];
    await updateConfirmed(context.pool, [landed], await confirmClaims(context.pool, context.now(), proven, true));
    return;
  }
  if (transfers) return failClaim(context, claim, 'it ran, but the ticket did not move to the buyer', true);
  const blockhash = await chain.gateway.blockhash(claim.recent_blockhash);
  if (blockhash.recent || blockhash.slot < claim.judged_slot) {
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
