import { findTransferFault } from '@fan-api/cosign-policy/claim-rules';
import type { JudgedClaim } from '@fan-api/cosign-policy/judge-claim-transactions';
import type { Chain } from '../../chain/chains.ts';
import { type PermitAccount, requireReadable } from '../../chain/gateway/read-accounts.ts';
import type { TransactionStatus } from '../../chain/gateway/read-statuses.ts';
import { ChainError } from '../../platform/chain-error.ts';
import { DomainError } from '../../platform/errors.ts';
import { errorOf } from '../listing/find-refusal.ts';
import type { KnownPermit } from './stored-claim.ts';

/** A claim with its place in the request. */
interface PlacedClaim {
  claim: JudgedClaim;
  where: string;
  permit: Pick<KnownPermit, 'may_be_resold'>;
}

/** The state of one claim on the cluster. */
interface Reading extends PlacedClaim {
  status: TransactionStatus;
  /** The permit, read before the status; where that reading would refuse a claim, read again at the newest slot of all answers. */
  judgedBy: PermitAccount | undefined;
  /** The permit at the slot of the landed transactions, or later. */
  sinceLanded: PermitAccount | undefined;
  blockhash: { recent: boolean; slot: number };
}

/**
 * Checks each claim: either its transaction has landed and the buyer holds the permit, or it can still land, because its signer may
 * move the permit for the listing and price that it names, and its blockhash is recent. An open claim blocks every other claim of its
 * permit, and anybody can submit a transfer: so only the permit's account at `confirmed` shows who may open a claim, never a status that
 * is only `processed`.
 * @returns each claim with the slot of the state that it was judged by
 * @throws DomainError `not_found` where the ticket or its listing is gone; `unavailable` while the chain is undecided or nodes differ
 * @throws ChainError `chain_refused`, `wrong_terms`, `blockhash_expired`
 */
export async function checkOnchain<Claim extends PlacedClaim>(
  { gateway }: Chain,
  claims: readonly Claim[],
): Promise<(Claim & { judgedSlot: number })[]> {
  const addresses = claims.map(({ claim }) => claim.permit);
  // permits first, statuses last: if an equal request has already moved a permit, the statuses show that its transaction landed. And
  // an answer about a blockhash has a lower slot than the permits only if its node lags
  const atFirst = (await gateway.permits(addresses)).map(requireReadable);
  const blockhashes = await Promise.all(claims.map(({ claim }) => gateway.blockhash(claim.recentBlockhash)));
  const statuses = await gateway.statuses(claims.map(({ claim }) => claim.signature));
  const landedBy = Math.max(...statuses.map((status) => (status.state === 'confirmed' ? status.slot : 0)));
  const sinceLanded = landedBy > 0 ? (await gateway.permits(addresses, landedBy)).map(requireReadable) : atFirst;
  const newest = Math.max(...[...blockhashes, ...statuses].map(({ slot }) => slot));
  const isFaulty = claims.some(({ claim, permit }, index) => {
    const state = statuses[index]?.state;
    const mayLand = state === 'unknown' || state === 'processing';
    return mayLand && findTransferFault(atFirst[index], claim, permit.may_be_resold) !== undefined;
  });
  // the URL may lead to a node that lags and does not have a new listing yet: refuse a claim only by the newest state
  const judgedBy = isFaulty ? (await gateway.permits(addresses, newest)).map(requireReadable) : atFirst;
  return claims.map((placed, index) => {
    const { claim, where, permit } = placed;
    const status = statuses[index];
    const blockhash = blockhashes[index];
    if (!status || !blockhash) throw undecided(where);
    const readings = { judgedBy: judgedBy[index], sinceLanded: sinceLanded[index] };
    return { ...placed, judgedSlot: checkOne({ claim, where, permit, status, ...readings, blockhash }) };
  });
}

function checkOne(reading: Reading): number {
  const { claim, where, status, sinceLanded } = reading;
  if (status.state === 'failed') throw new ChainError('chain_refused', { where, detail: status.reason });
  if (status.state !== 'confirmed') return checkMayLand(reading);
  if (sinceLanded?.owner !== claim.destination) throw errorOf({ rule: 'listing_gone' }, where);
  return status.slot;
}

function checkMayLand({ claim, where, permit, status, judgedBy, blockhash }: Reading): number {
  const fault = findTransferFault(judgedBy, claim, permit.may_be_resold);
  const slot = judgedBy?.slot ?? 0;
  if (fault !== undefined) {
    // the buyer owns the permit, perhaps by this transfer: it is not confirmed yet, or its status was read at an older slot than the permit
    const mayHaveMovedIt =
      judgedBy?.owner === claim.destination && (status.state === 'processing' || status.slot < slot);
    throw mayHaveMovedIt ? undecided(where) : errorOf(fault, where);
  }
  if (status.state === 'processing' && status.failing) throw undecided(where);
  if (!blockhash.recent) {
    // a node that lags may not have a new blockhash yet
    if (blockhash.slot < slot) throw undecided(where);
    throw new ChainError('blockhash_expired', { where, detail: claim.recentBlockhash });
  }
  return Math.max(blockhash.slot, slot);
}

function undecided(where: string): DomainError {
  const message = `${where}: the cluster has not decided about this transaction yet; send the same request again.`;
  return new DomainError('unavailable', message, { isExpected: true });
}
