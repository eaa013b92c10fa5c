import { type Examined, examineTransactions, TERMS_READABLE } from '@fan-api/cosign-policy/examine-transactions';
import { type Explanation, explain } from '@fan-api/cosign-policy/explain';
import type { JudgedListing } from '@fan-api/cosign-policy/judge-listing-transactions';
import { marketplacesOf } from '@fan-api/cosign-policy/judge-listing-transactions';
import { LISTING_RULES } from '@fan-api/cosign-policy/listing-rules';
import { EVERY_NEED } from '@fan-api/cosign-policy/rules';
import { isAbsent } from '@fan-api/cosign-policy/signatures';
import { fail, hasPassed, judgeState, pass } from '@fan-api/cosign-policy/verdicts';
import { authoritiesOf, type Chain, chainOf, policyFacts, type WithChains } from '../../chain/chains.ts';
import type { SigningState } from '../../chain/gateway/read-signing-state.ts';
import { judgeBlockhash } from '../../chain/judge-blockhash.ts';
import { requireAuthority } from '../../chain/require-authority.ts';
import type { GrantAccess } from '../../oauth/grant/grant-access.ts';
import type { Context } from '../../platform/context.ts';
import { awaitPermits } from './await-permits.ts';
import { stateOf } from './find-refusal.ts';
import { areRecorded, recordSignatures } from './record-signatures.ts';
import type { ListingRequest } from './sign-listing-transactions.ts';

type ExplainContext = Pick<Context, 'pool' | 'now' | 'requestId'> & WithChains;

/** A transaction whose ticket instruction can be read. */
type Readable = Examined & { readonly listing: JudgedListing };

/**
 * Judges each listing transaction on its own, by every rule. Nothing is signed or written.
 * @param access of a token, read for the action `fan:listings:write`
 * @returns an explanation for each transaction, in order
 * @throws DomainError as `signListingTransactions`, except for a rule that a transaction breaks
 */
export async function explainListingTransactions(
  context: ExplainContext,
  access: GrantAccess,
  { type, transactions }: ListingRequest,
): Promise<Explanation[]> {
  const chain = chainOf(context.chains, access.mode);
  // judge by the authority on the chain, also just after a rotation
  await requireAuthority(chain, await chain.gateway.config());
  const examined = await examineTransactions(transactions, type, policyFacts(chain, access.wallet));
  const readable = examined.filter(isReadable);
  if (readable.length > 0) await judgeStates(context, chain, access, type, readable);
  await judgeFilledSlots(context, readable);
  await Promise.all(examined.map((each) => judgeBlockhash(chain, each)));
  return examined.map((each) => explain(each, type, chain.programId, EVERY_NEED));
}

function isReadable(examined: Examined): examined is Readable {
  return examined.listing !== undefined;
}

async function judgeStates(
  context: ExplainContext,
  chain: Chain,
  access: GrantAccess,
  action: ListingRequest['type'],
  readable: readonly Readable[],
): Promise<void> {
  const judged = readable.map(({ listing }) => listing);
  // asks the database with the statement that records signatures, but lets it record none
  const declared = [access.wallet, ...authoritiesOf(chain)];
  const known = await recordSignatures(context, access, { action, judged, declared, allowed: false });
  const permits = judged.map(({ permit }) => permit);
  // the URL may lead to a node that lags behind the database
  const read = () => chain.gateway.signingState(permits, marketplacesOf(judged), known.knownSlot);
  const began = context.now();
  const before = await read();
  const state: SigningState = (await awaitPermits(context, permits, before, known.reached, began))
    ? await read()
    : before;
  for (const [index, { marks, listing }] of readable.entries()) {
    const { marketplace } = listing;
    if (known.stopped) fail(marks, 'signing_stopped');
    else if (marketplace !== null && known.stoppedMarketplaces.includes(marketplace)) {
      fail(marks, 'signing_stopped', marketplace);
    } else pass(marks, 'signing_stopped');
    const found = { action, wallet: access.wallet, listing, state: stateOf(listing, index, state, known) };
    judgeState(marks, LISTING_RULES, found, [...TERMS_READABLE, 'signing_stopped']);
  }
}

/**
 * Judges signatures that are present in the slots of this service. Nothing is signed here to compare them with: a message that the
 * service has signed before may have them; in any other message the slots must be empty.
 */
async function judgeFilledSlots(context: ExplainContext, readable: readonly Readable[]): Promise<void> {
  const filled = readable.flatMap(({ marks, listing: { slots, transaction, messageBytes } }) => {
    const isFilled = (at: number) => transaction.signatures[at] !== undefined && !isAbsent(transaction.signatures[at]);
    const slot = [slots.fanWallet, slots.authority].find(isFilled);
    return slot === undefined ? [] : [{ marks, slot, messageBytes }];
  });
  if (filled.length === 0) return;
  const recorded = await areRecorded(
    context,
    filled.map(({ messageBytes }) => messageBytes),
  );
  for (const [index, { marks, slot }] of filled.entries()) {
    if (!recorded[index] && hasPassed(marks, 'signature_conflict'))
      fail(marks, 'signature_conflict', `signature ${slot}`);
  }
}
