import { CLAIM_RULES } from '@fan-api/cosign-policy/claim-rules';
import { type Examined, examineTransactions, TERMS_READABLE } from '@fan-api/cosign-policy/examine-transactions';
import { type Explanation, explain } from '@fan-api/cosign-policy/explain';
import type { JudgedClaim } from '@fan-api/cosign-policy/judge-claim-transactions';
import { EVERY_NEED, type RuleName, rulesOf } from '@fan-api/cosign-policy/rules';
import { fail, hasPassed, judgeState, pass } from '@fan-api/cosign-policy/verdicts';
import { type Chain, chainOf, policyFacts, type WithChains } from '../../chain/chains.ts';
import { requireReadable } from '../../chain/gateway/read-accounts.ts';
import { judgeBlockhash } from '../../chain/judge-blockhash.ts';
import type { GrantAccess } from '../../oauth/grant/grant-access.ts';
import type { SqlContext } from '../../platform/context.ts';
import { readKnown } from './open-claims.ts';
import { readClaimed } from './statements.ts';
import type { ClaimRow } from './stored-claim.ts';

type ExplainContext = SqlContext & WithChains;

/** A transaction whose ticket instruction can be read. */
type Readable = Examined & { readonly claim: JudgedClaim };

/** Rules that are not judged again for a claim that exists already. */
const STATE_RULES: readonly RuleName[] = [
  'blockhash_expired',
  'ticket_not_found',
  'listing_gone',
  'wrong_terms',
  'claim_under_way',
  'chain_refused',
];

/**
 * Judges each claim transaction on its own, by every rule. Nothing is submitted or written.
 * @param access of a token, read for the action `fan:claims:write`
 * @returns an explanation for each transaction, in order
 * @throws DomainError `unavailable` where the cluster is unreachable; `cluster_missing` where the mode has none
 */
export async function explainClaimTransactions(
  context: ExplainContext,
  access: GrantAccess,
  transactions: readonly string[],
): Promise<Explanation[]> {
  const chain = chainOf(context.chains, access.mode);
  const examined = await examineTransactions(transactions, 'claim', policyFacts(chain, access.wallet));
  const readable = examined.filter(isReadable);
  if (readable.length > 0) await judgeStates(context, chain, access, readable);
  await Promise.all(examined.map((each) => judgeBlockhash(chain, each)));
  await Promise.all(readable.map((each) => judgeByCluster(chain, each)));
  return examined.map((each) => explain(each, 'claim', chain.programId, EVERY_NEED));
}

function isReadable(examined: Examined): examined is Readable {
  return examined.claim !== undefined;
}

async function judgeStates(
  context: ExplainContext,
  { gateway }: Chain,
  access: GrantAccess,
  readable: readonly Readable[],
): Promise<void> {
  const judged = readable.map(({ claim }) => claim);
  const permits = judged.map(({ permit }) => permit);
  const signatures = judged.map(({ signature }) => signature);
  const [known, claimed, statuses] = await Promise.all([
    readKnown(context, access, judged),
    readClaimed(context.pool, [permits, signatures]),
    gateway.statuses(signatures),
  ]);
  // the permits must not be older than the statuses
  const newest = Math.max(...statuses.map(({ slot }) => slot));
  const accounts = (await gateway.permits(permits, newest)).map(requireReadable);
  for (const [index, { marks, claim }] of readable.entries()) {
    const before = known.claims.find(({ signature }) => signature === claim.signature);
    if (before !== undefined) {
      judgeKnown({ marks }, before);
      continue;
    }
    const status = statuses[index];
    if (status?.state === 'failed') fail(marks, 'chain_refused', status.reason);
    const landed = status?.state === 'confirmed' || status?.state === 'processing';
    if (landed) pass(marks, 'blockhash_expired');
    const permit = known.permits.find(({ tix_permit_id: address }) => address === claim.permit);
    const found = {
      claim,
      permit: accounts[index],
      isKnown: permit !== undefined,
      mayBeResold: permit?.may_be_resold ?? true,
      isClaimed: claimed.some(({ permit }) => permit === claim.permit),
      landed: status?.state === 'confirmed',
    };
    // what the cluster has refused already is judged no further
    const rules = status?.state === 'failed' ? CLAIM_RULES.slice(0, 1) : CLAIM_RULES;
    judgeState(marks, rules, found, TERMS_READABLE);
    if (landed && hasPassed(marks, 'wrong_terms')) pass(marks, 'chain_refused');
  }
}

/** A repeated transaction gets the answer of its claim. */
function judgeKnown({ marks }: Pick<Examined, 'marks'>, { state, failure }: ClaimRow): void {
  if (state === 'failed') fail(marks, 'chain_refused', failure ?? '');
  for (const rule of STATE_RULES) pass(marks, rule);
}

/** Judges by the last rule: where a transaction keeps all others, a node runs it, without forwarding it. */
async function judgeByCluster({ gateway }: Chain, { marks, claim }: Readable): Promise<void> {
  const others = rulesOf('claim').filter(({ rule }) => rule !== 'chain_refused');
  if (marks.has('chain_refused') || !others.every(({ rule }) => hasPassed(marks, rule))) return;
  const reason = await gateway.dryRun(claim.bytes);
  if (reason === undefined) pass(marks, 'chain_refused');
  else fail(marks, 'chain_refused', reason);
}
