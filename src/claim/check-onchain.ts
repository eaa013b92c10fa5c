import type { Chain } from '../chain/chains.ts';
import type { TransactionStatus } from '../chain/gateway/gateway.ts';
import type { PermitAccount } from '../chain/gateway/permit-account.ts';
import { requireReadable } from '../chain/gateway/read-accounts.ts';
import { ChainError } from '../chain-error.ts';
import { DomainError } from '../errors.ts';
import { type JudgedClaim, placeOf } from './judge-claim-transactions.ts';

/**
 * What the chain must say before a claim is written. An open claim keeps every other claim of its permit out, and anybody can build and submit
 * a transfer of any permit. So the permit's account at `confirmed` decides who may begin one; a status that is only `processed` decides
 * nothing.
 */
const RETRY_AFTER_SECONDS = 5;

interface Seen {
  claim: JudgedClaim;
  where: string;
  status: TransactionStatus;
  /** The permit, read before the status. */
  before: PermitAccount | undefined;
  /** The permit at the slot of what has landed, or later. */
  after: PermitAccount | undefined;
  blockhash: { recent: boolean; slot: number };
}

/**
 * Each transaction has landed already and the fan still holds its ticket, or it can still land: its permit is where the
 * signer may move it, its blockhash lives.
 * @param isKnown those with a claim already, which are not judged again
 * @returns the slot of the state by which each was judged, in their order
 * @throws DomainError `not_found` where the ticket or its listing is gone; `unavailable` where the chain has not decided yet, or nodes differ
 * @throws ChainError `chain_refused`, `blockhash_expired`
 */
export async function checkOnchain(
  { gateway }: Chain,
  judged: JudgedClaim[],
  isKnown: (claim: JudgedClaim) => boolean,
): Promise<number[]> {
  const blockhashes = await Promise.all(judged.map(({ recentBlockhash }) => gateway.blockhash(recentBlockhash)));
  const addresses = judged.map(({ permit }) => permit);
  // in this order: what has moved by the first look, because another request was faster, has landed by the second
  const before = (await gateway.permits(addresses)).map(requireReadable);
  const statuses = await gateway.statuses(judged.map(({ signature }) => signature));
  const landedBy = Math.max(...statuses.map((status) => (status.state === 'confirmed' ? status.slot : 0)));
  const after = landedBy > 0 ? (await gateway.permits(addresses, landedBy)).map(requireReadable) : before;
  return judged.map((claim, index) => {
    const status = statuses[index];
    const blockhash = blockhashes[index];
    if (isKnown(claim)) return 0;
    const where = placeOf(index);
    if (!status || !blockhash) throw undecided(where);
    return checkOne({ claim, where, status, before: before[index], after: after[index], blockhash });
  });
}

function checkOne(seen: Seen): number {
  const { claim, where, status, after } = seen;
  if (status.state === 'failed') throw new ChainError('chain_refused', { where, detail: status.reason });
  if (status.state !== 'confirmed') return checkMayLand(seen);
  if (after?.owner !== claim.destination) throw gone(where);
  return status.slot;
}

function checkMayLand({ claim, where, status, before, blockhash }: Seen): number {
  if (before === undefined || !mayTransfer(before, claim.transferAuthority)) {
    const moved = before?.owner === claim.destination && (status.state === 'processing' || status.slot < before.slot);
    throw moved ? undecided(where) : gone(where);
  }
  if (status.state === 'processing' && status.failing) throw undecided(where);
  if (!blockhash.recent) {
    // a node that is behind has not heard of a new blockhash
    if (blockhash.slot < before.slot) throw undecided(where);
    throw new ChainError('blockhash_expired', { where, detail: claim.recentBlockhash });
  }
  return Math.max(blockhash.slot, before.slot);
}

/** The owner moves a held permit, the marketplace a listed one; only a listed one has a marketplace. */
function mayTransfer({ marketplace, owner }: PermitAccount, transferAuthority: string): boolean {
  return transferAuthority === (marketplace ?? owner);
}

function gone(where: string): DomainError {
  return new DomainError('not_found', `${where}: the ticket or its listing is gone.`);
}

function undecided(where: string): DomainError {
  const message = `${where}: the cluster has not decided about this transaction yet; send the same request again.`;
  return new DomainError('unavailable', message, { retryAfter: RETRY_AFTER_SECONDS });
}
