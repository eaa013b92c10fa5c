import { type JudgedClaim, placeOf } from '@fan-api/cosign-policy/judge-claim-transactions';
import { refusalOf } from '@fan-api/cosign-policy/rules';
import type { Chain } from '../../chain/chains.ts';
import type { GrantAccess } from '../../oauth/grant/grant-access.ts';
import { grantRevoked } from '../../oauth/grant/live-grant.ts';
import { actionNotGranted } from '../../oauth/grant/permission.ts';
import { REQUIRED_ACTIONS } from '../../partners/scopes.ts';
import { ChainError } from '../../platform/chain-error.ts';
import type { SqlContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { newId, uuidOf } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { checkOnchain } from './check-onchain.ts';
import { insertClaims, readClaimed, readKnownRows } from './statements.ts';
import type { ClaimRow, KnownPermit, NewClaim } from './stored-claim.ts';

/** Gets the claims of a request, in order. Those that are not stored yet are checked on the chain and written; none is submitted. */
export async function openClaims(
  context: SqlContext,
  access: GrantAccess,
  chain: Chain,
  judged: JudgedClaim[],
): Promise<ClaimRow[]> {
  const { claims: known, permits } = await readKnown(context, access, judged);
  const fresh = judged
    .map((claim, index) => ({ claim, where: placeOf(index) }))
    .filter(({ claim }) => !known.some(({ signature }) => signature === claim.signature));
  if (fresh.length === 0) return inOrder(judged, known);
  checkNoneFailed(known, judged);
  const checked = await checkOnchain(chain, requirePermits(fresh, permits));
  const claims = [...known, ...(await writeClaims(context, access, checked))];
  if (claims.length >= judged.length) return inOrder(judged, claims);
  // an equal request has written the others, or another claim of their permit prevents them
  const { claims: written } = await readKnown(context, access, judged);
  if (written.length < judged.length) throw await claimUnderWay(context, judged);
  return inOrder(judged, written);
}

/** The refusal of the first transaction whose permit has an open claim of another transaction. */
async function claimUnderWay({ pool }: SqlContext, judged: JudgedClaim[]): Promise<DomainError> {
  const given = [judged.map(({ permit }) => permit), judged.map(({ signature }) => signature)];
  const claimed = await readClaimed(pool, given);
  const first = judged.findIndex(({ permit }) => claimed.some((other) => other.permit === permit));
  // the other claim may have ended meanwhile
  return new DomainError('not_found', `${placeOf(Math.max(first, 0))}: ${refusalOf('claim_under_way')}`);
}

/** @throws ChainError for the first transaction whose claim failed */
export function checkNoneFailed(claims: ClaimRow[], judged: JudgedClaim[]): void {
  for (const [index, { signature }] of judged.entries()) {
    const claim = claims.find((candidate) => candidate.signature === signature);
    if (claim?.state !== 'failed') continue;
    throw new ChainError('chain_refused', { where: placeOf(index), detail: claim.failure ?? '' });
  }
}

function requirePermits<Fresh extends { claim: JudgedClaim; where: string }>(fresh: Fresh[], found: KnownPermit[]) {
  return fresh.map((one) => {
    const permit = found.find(({ tix_permit_id: address }) => address === one.claim.permit);
    if (!permit) throw new DomainError('not_found', `${one.where}: ${refusalOf('ticket_not_found')}`);
    return { ...one, permit };
  });
}

/** Two equal requests at the same time share their rows. */
function inOrder(judged: JudgedClaim[], claims: ClaimRow[]): ClaimRow[] {
  return judged.flatMap(({ signature }) => claims.find((candidate) => candidate.signature === signature) ?? []);
}

/** Reads the stored claims and the permits of a request. */
export async function readKnown(context: SqlContext, access: GrantAccess, judged: JudgedClaim[]) {
  const given = {
    signatures: judged.map(({ signature }) => signature),
    wallet: access.wallet,
    addresses: judged.map(({ permit }) => permit),
    mode: access.mode,
    partner: access.partner_id,
    at: after(context.now(), access.events_ahead),
  };
  const known = await readKnownRows.together(context.pool, given);
  return known ?? { claims: [], permits: [] };
}

/** A claim that passed every check. */
interface CheckedClaim {
  claim: JudgedClaim;
  permit: KnownPermit;
  /** The slot of the onchain state that the claim was judged by. */
  judgedSlot: number;
}

/**
 * Writes claims, before submission.
 * @returns those that this call has written
 * @throws DomainError `grant_revoked`, `action_not_granted`
 */
async function writeClaims(
  { pool, now }: SqlContext,
  access: GrantAccess,
  checked: CheckedClaim[],
): Promise<ClaimRow[]> {
  const claims = checked.map(toStoredClaim);
  try {
    const addresses = claims.map(({ tix_permit_id }) => tix_permit_id);
    const current = await insertClaims(pool, addresses, { grant: access.grant_id, at: now(), claims });
    if (!current?.live) throw grantRevoked();
    if (!current.granted) throw actionNotGranted(REQUIRED_ACTIONS.executeClaim);
    return claims.filter(({ id }) => current.written.includes(id));
  } catch (error) {
    // the permit has an open claim, another one or that of an equal request: the caller finds out which
    if (!(error instanceof Error && 'constraint' in error && error.constraint === 'claim_one_open')) throw error;
    return [];
  }
}

function toStoredClaim({ claim, permit, judgedSlot }: CheckedClaim): NewClaim {
  return {
    id: uuidOf('clm', newId('clm')),
    signature: claim.signature,
    permit_id: permit.id,
    tix_permit_id: permit.tix_permit_id,
    ticket_id: permit.ticket_id,
    tix_event_id: permit.tix_event_id,
    signer_wallet: claim.transferAuthority,
    destination_wallet: claim.destination,
    transaction: Buffer.from(claim.bytes).toString('hex'),
    recent_blockhash: claim.recentBlockhash,
    judged_slot: judgedSlot,
    state: 'submitted',
    failure: null,
    may_land: false,
  };
}
