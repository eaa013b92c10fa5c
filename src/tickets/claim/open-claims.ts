import { type JudgedClaim, placeOf } from '@fan-api/cosign-policy/judge-claim-transactions';
import { refusalOf } from '@fan-api/cosign-policy/rules';
import type { Chain } from '../../chain/chains.ts';
import type { GrantAccess } from '../../oauth/grant/grant-access.ts';
import { ChainError } from '../../platform/chain-error.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { checkOnchain } from './check-onchain.ts';
import { type ClaimRow, type KnownPermit, readKnown } from './read-known.ts';
import { writeClaims } from './write-claims.ts';

/** The claim rows of the request, in order. Missing ones are written before submission. */
export async function openClaims(
  context: Pick<Context, 'pool' | 'now'>,
  access: GrantAccess,
  chain: Chain,
  judged: JudgedClaim[],
): Promise<ClaimRow[]> {
  const { claims: known, permits: found } = await readKnown(context, access, judged);
  const isKnown = ({ signature }: JudgedClaim) => known.some((claim) => claim.signature === signature);
  if (judged.every(isKnown)) return inOrder(judged, known);
  checkNoneFailed(known, judged);
  const permits = requirePermits(judged, found);
  const slots = await checkOnchain(chain, judged, isKnown);
  const claims = [...known, ...(await writeClaims(context, access, judged, permits, slots))];
  if (claims.length >= judged.length) return inOrder(judged, claims);
  // a twin of this request has written some
  return inOrder(judged, (await readKnown(context, access, judged)).claims);
}

/** @throws ChainError for the first transaction whose claim failed */
export function checkNoneFailed(claims: ClaimRow[], judged: JudgedClaim[]): void {
  for (const [index, { signature }] of judged.entries()) {
    const claim = claims.find((candidate) => candidate.signature === signature);
    if (claim?.state !== 'failed') continue;
    throw new ChainError('chain_refused', { where: placeOf(index), detail: claim.failure ?? '' });
  }
}

function requirePermits(judged: JudgedClaim[], found: KnownPermit[]): KnownPermit[] {
  return judged.map(({ permit }, index) => {
    const known = found.find((candidate) => candidate.tix_permit_id === permit);
    if (!known) throw new DomainError('not_found', `${placeOf(index)}: ${refusalOf('ticket_not_found')}`);
    return known;
  });
}

/** Two equal requests at once share their rows. A missing row was rejected by another claim of the permit. */
function inOrder(judged: JudgedClaim[], claims: ClaimRow[]): ClaimRow[] {
  return judged.map(({ signature }, index) => {
    const claim = claims.find((candidate) => candidate.signature === signature);
    if (!claim) throw new DomainError('not_found', `${placeOf(index)}: ${refusalOf('claim_under_way')}`);
    return claim;
  });
}
