import { judgeClaimTransactions } from '@fan-api/cosign-policy/judge-claim-transactions';
import { chainOf, policyFacts, type WithChains } from '../../chain/chains.ts';
import type { GrantAccess } from '../../oauth/grant/grant-access.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { checkNoneFailed, openClaims } from './open-claims.ts';
import { settleClaims } from './settle-claims.ts';
import type { ClaimRow } from './stored-claim.ts';
import { isOpen } from './stored-claim.ts';

type ClaimContext = Pick<Context, 'pool' | 'now' | 'requestId' | 'log'> & WithChains;

/** How long a request waits for the cluster. A job continues after that. */
const PATIENCE_MS = 25_000;

/**
 * Claims the tickets of 1 to 10 signed transfers for a grant's fan. All are judged before any is submitted. Repeating the request
 * gives the same answer.
 * @param access of a token, read for the action `fan:claims:write`
 * @param transactions in hex
 * @returns the confirmed claims in the order of the request
 * @throws DomainError `grant_revoked` or `action_not_granted` where the grant changed meanwhile; `not_found` for an unknown permit or
 * a listing that is gone; `unavailable` where the cluster is unreachable or does not confirm in time (the job continues the claims)
 * @throws ChainError for a broken rule, or the cluster's refusal
 * @see spec §4.1 POST /claims/execute
 */
export async function executeClaims(
  context: ClaimContext,
  access: GrantAccess,
  transactions: string[],
): Promise<ClaimRow[]> {
  const chain = chainOf(context.chains, access.mode);
  const judged = await judgeClaimTransactions(transactions, policyFacts(chain, access.wallet));
  const claims = await openClaims(context, access, chain, judged);
  // writes the results into `claims`
  await settleClaims(context, access.mode, claims, PATIENCE_MS);
  checkNoneFailed(claims, judged);
  if (claims.some(isOpen)) {
    const message = 'The cluster has not confirmed every claim yet; send the same request again.';
    throw new DomainError('unavailable', message, { isExpected: true });
  }
  return claims;
}
