import type { ListingAction } from '@fan-api/cosign-policy/actions';
import {
  type JudgedListing,
  judgeListingTransactions,
  marketplacesOf,
  placeOf,
} from '@fan-api/cosign-policy/judge-listing-transactions';
import { fillSignatures } from '@fan-api/cosign-policy/signatures';
import { authoritiesOf, type Chain, chainOf, policyFacts, type WithChains } from '../../chain/chains.ts';
import type { SigningState } from '../../chain/gateway/read-signing-state.ts';
import { requireAuthority } from '../../chain/require-authority.ts';
import type { WithSigner } from '../../chain/wallet/signer.ts';
import type { GrantAccess } from '../../oauth/grant/grant-access.ts';
import { ChainError } from '../../platform/chain-error.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { awaitPermits } from './await-permits.ts';
import { findRefusal, type Refusal, withoutObjection } from './find-refusal.ts';
import { recordSignatures } from './record-signatures.ts';
import type { Recorded } from './statements.ts';

export interface ListingRequest {
  type: ListingAction;
  /** 1 to 4 transactions in hex or base64. */
  transactions: string[];
}

type SigningContext = Pick<Context, 'pool' | 'now' | 'requestId'> & WithChains & WithSigner;

/**
 * Co-signs listing transactions with the fan's wallet and the authority that each names, all or none.
 * @param access of a token, read for the action `fan:listings:write`
 * @returns the signed transactions in hex, in the order of the request
 * @throws DomainError `grant_revoked` or `action_not_granted` where the grant changed meanwhile; `not_found` where a permit is not
 * within the grant or not in the right state; `unavailable` where the cluster is unreachable, its program has another authority, or
 * staff have stopped co-signing; `cluster_missing` where the mode has no cluster
 * @throws ChainError for a broken rule of the co-signing policy
 * @see spec §4.1 POST /authorizations
 */
export async function signListingTransactions(
  context: SigningContext,
  access: GrantAccess,
  request: ListingRequest,
): Promise<string[]> {
  const chain = chainOf(context.chains, access.mode);
  const judged = await judge(chain, access, request);
  await checkAgainstChainAndGrant(context, chain, access, request.type, judged);
  return Promise.all(judged.map((listing) => sign(context, access, listing)));
}

async function judge(chain: Chain, access: GrantAccess, request: ListingRequest): Promise<JudgedListing[]> {
  const authorities = authoritiesOf(chain);
  try {
    const facts = { type: request.type, ...policyFacts(chain, access.wallet) };
    return await judgeListingTransactions(request.transactions, facts);
  } catch (error) {
    if (!(error instanceof ChainError && error.code === 'wrong_account')) throw error;
    // partners read the authority from the chain: just after a rotation they name the new one, which this process may not know yet
    await requireAuthority(chain, await chain.gateway.config());
    if (authoritiesOf(chain).join() !== authorities.join()) return judge(chain, access, request);
    throw error;
  }
}

/** The chain decides on owner, state and authority: all are read just before signing, in one RPC call. */
async function checkAgainstChainAndGrant(
  context: SigningContext,
  chain: Chain,
  access: GrantAccess,
  action: ListingAction,
  judged: readonly JudgedListing[],
): Promise<void> {
  const { gateway } = chain;
  const began = context.now();
  const permits = judged.map(({ permit }) => permit);
  const marketplaces = marketplacesOf(judged);
  const [blockhashes, state] = await Promise.all([
    Promise.all(judged.map(({ recentBlockhash }) => gateway.blockhash(recentBlockhash))),
    gateway.signingState(permits, marketplaces),
  ]);
  await checkAuthority(chain, judged, state);
  const { shown, expired } = await findExpired(chain, judged, blockhashes, state.slot);
  const { refusal, reached, knownSlot } = await checkAndRecord(context, access, { action, judged, state, expired });
  if (refusal === undefined) return;
  if (refusal.isOfState && (await awaitPermits(context, permits, state, reached, began)))
    return checkAgainstChainAndGrant(context, chain, access, action, judged);
  // the URL may lead to a node that lags: only the newest state shows that a ticket or listing does not exist (D-185)
  const newest = Math.max(shown, knownSlot);
  const mayBeStale = refusal.isOfState && permits.every((permit) => reached.includes(permit));
  if (!mayBeStale || newest <= state.slot) throw refusal.error;
  const newer = await gateway.signingState(permits, marketplaces, newest);
  await checkAuthority(chain, judged, newer);
  const again = await checkAndRecord(context, access, { action, judged, state: newer, expired });
  if (again.refusal !== undefined) throw again.refusal.error;
}

async function checkAuthority(chain: Chain, judged: readonly JudgedListing[], { config }: SigningState): Promise<void> {
  await requireAuthority(chain, config);
  // the authority may have been rotated in between
  const known = authoritiesOf(chain);
  if (judged.every(({ authority }) => known.includes(authority))) return;
  throw new ChainError('wrong_account', { detail: `the authority was rotated to ${chain.authority}` });
}

/** What a request is judged by besides its transactions. */
interface Judging {
  action: ListingAction;
  judged: readonly JudgedListing[];
  state: SigningState;
  /** The refusal of a blockhash that is too old, which comes last. */
  expired: ChainError | undefined;
}

/** Judges by a state of the chain and by the database, which records what may be signed. @throws DomainError of the grant */
async function checkAndRecord(
  context: SigningContext,
  access: GrantAccess,
  { action, judged, state, expired }: Judging,
): Promise<Recorded & { refusal: Refusal | undefined }> {
  const permits = judged.map(({ permit }) => permit);
  // what the chain alone refuses, as if the database had no objection, must not be recorded
  const foreseen = findRefusal(action, access.wallet, judged, state, withoutObjection(permits));
  const declared = [access.wallet, ...judged.map(({ authority }) => authority)];
  const allowed = foreseen === undefined && expired === undefined;
  const recorded = await recordSignatures(context, access, { action, judged, declared, allowed });
  const [onMarketplace] = recorded.stoppedMarketplaces;
  if (recorded.stopped || onMarketplace !== undefined) {
    const what = recorded.stopped ? 'Listing signing' : `Signing of listings on the marketplace ${onMarketplace}`;
    throw new DomainError('unavailable', `${what} is stopped for the moment; nothing was signed. Try later.`, {
      isExpected: true,
    });
  }
  const refusal = findRefusal(action, access.wallet, judged, state, recorded);
  return { ...recorded, refusal: refusal ?? (expired && { error: expired, isOfState: false }) };
}

/**
 * A node that lags does not have a new blockhash, so a missing one is read again at the slot of the permits.
 * @returns the newest slot that an answer has shown; the refusal of the first blockhash that is too old
 */
async function findExpired(
  { gateway }: Chain,
  judged: readonly JudgedListing[],
  blockhashes: { recent: boolean; slot: number }[],
  slot: number,
): Promise<{ shown: number; expired: ChainError | undefined }> {
  const slots = blockhashes.map((blockhash) => blockhash.slot);
  let expired: ChainError | undefined;
  for (const [index, { recentBlockhash }] of judged.entries()) {
    if (blockhashes[index]?.recent) continue;
    const again = await gateway.blockhash(recentBlockhash, slot);
    if (!again.recent)
      expired ??= new ChainError('blockhash_expired', { where: placeOf(index), detail: recentBlockhash });
    slots.push(again.slot);
  }
  return { shown: Math.max(...slots), expired };
}

async function sign(
  { signer }: SigningContext,
  access: GrantAccess,
  { transaction, authority, messageBytes, slots }: JudgedListing,
): Promise<string> {
  const [wallet, own] = await Promise.all([
    signer.sign(access.wallet, messageBytes),
    signer.sign(authority, messageBytes),
  ]);
  return fillSignatures(transaction, [
    { index: slots.fanWallet, signature: wallet },
    { index: slots.authority, signature: own },
  ]);
}
