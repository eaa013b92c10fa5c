import { mayTransfer } from '@fan-api/cosign-policy/claim-rules';
import { type JudgedClaim, placeOf } from '@fan-api/cosign-policy/judge-claim-transactions';
import { refusalOf } from '@fan-api/cosign-policy/rules';
import type { Chain } from '../../chain/chains.ts';
import { type PermitAccount, requireReadable } from '../../chain/gateway/read-accounts.ts';
import type { TransactionStatus } from '../../chain/gateway/read-statuses.ts';
import { ChainError } from '../../platform/chain-error.ts';
import { DomainError } from '../../platform/errors.ts';

const RETRY_AFTER_SECONDS = 5;

/** What the cluster says about one claim. */
interface Reading {
  claim: JudgedClaim;
  where: string;
  status: TransactionStatus;
  /** The permit before the status was read; where that was a node that lags, at the newest slot that any node showed. */
  before: PermitAccount | undefined;
  /** The permit at the slot of the landed transactions, or later. */
  after: PermitAccount | undefined;
  blockhash: { recent: boolean; slot: number };
}

/**
 * Checks that each transaction has landed and the fan still holds the ticket, or that it can still land: the signer may move the
 * permit, and the blockhash is recent. An open claim blocks every other claim of its permit, and anybody can submit a transfer, so
 * only the permit's account at `confirmed` decides who may open one, never a status that is only `processed`.
 * @param isKnown whether a claim exists already, which is not judged again
 * @returns the slot of the state that each was judged by, in order
 * @throws DomainError `not_found` where the ticket or its listing is gone; `unavailable` while the chain is undecided or nodes differ
 * @throws ChainError `chain_refused`, `blockhash_expired`
 */
export async function checkOnchain(
  { gateway }: Chain,
  judged: JudgedClaim[],
  isKnown: (claim: JudgedClaim) => boolean,
): Promise<number[]> {
  const addresses = judged.map(({ permit }) => permit);
  // in this order: a permit that a faster request has moved at the first read has a landed status at the last one, and a
  // node that is not behind reads the blockhashes at the slot of the permits or later
  const first = (await gateway.permits(addresses)).map(requireReadable);
  const blockhashes = await Promise.all(judged.map(({ recentBlockhash }) => gateway.blockhash(recentBlockhash)));
  const statuses = await gateway.statuses(judged.map(({ signature }) => signature));
  const landedBy = Math.max(...statuses.map((status) => (status.state === 'confirmed' ? status.slot : 0)));
  const after = landedBy > 0 ? (await gateway.permits(addresses, landedBy)).map(requireReadable) : first;
  const newest = Math.max(...[...blockhashes, ...statuses].map(({ slot }) => slot));
  const seemsGone = judged.some(
    (claim, index) => !isKnown(claim) && statuses[index]?.state === 'unknown' && !mayTransfer(first[index], claim),
  );
  // one URL may serve nodes that lag, which do not have a new listing yet: a refusal takes the newest state
  const before = seemsGone ? (await gateway.permits(addresses, newest)).map(requireReadable) : first;
  return judged.map((claim, index) => {
    const status = statuses[index];
    const blockhash = blockhashes[index];
    if (isKnown(claim)) return 0;
    const where = placeOf(index);
    if (!status || !blockhash) throw undecided(where);
    return checkOne({ claim, where, status, before: before[index], after: after[index], blockhash });
  });
}

function checkOne(reading: Reading): number {
  const { claim, where, status, after } = reading;
  if (status.state === 'failed') throw new ChainError('chain_refused', { where, detail: status.reason });
  if (status.state !== 'confirmed') return checkMayLand(reading);
  if (after?.owner !== claim.destination) throw gone(where);
  return status.slot;
}

function checkMayLand({ claim, where, status, before, blockhash }: Reading): number {
  if (before === undefined || !mayTransfer(before, claim)) {
    const moved = before?.owner === claim.destination && (status.state === 'processing' || status.slot < before.slot);
    throw moved ? undecided(where) : gone(where);
  }
  if (status.state === 'processing' && status.failing) throw undecided(where);
  if (!blockhash.recent) {
    // a node that is behind does not have a new blockhash
    if (blockhash.slot < before.slot) throw undecided(where);
    throw new ChainError('blockhash_expired', { where, detail: claim.recentBlockhash });
  }
  return Math.max(blockhash.slot, before.slot);
}

function gone(where: string): DomainError {
  return new DomainError('not_found', `${where}: ${refusalOf('listing_gone')}`);
}

function undecided(where: string): DomainError {
  const message = `${where}: the cluster has not decided about this transaction yet; send the same request again.`;
  return new DomainError('unavailable', message, { retryAfter: RETRY_AFTER_SECONDS, isExpected: true });
}
