import { type JudgedClaim, placeOf } from '@fan-api/cosign-policy/judge-claim-transactions';
import { refusalOf } from '@fan-api/cosign-policy/rules';
import type { Chain } from '../../chain/chains.ts';
import type { GrantAccess } from '../../oauth/grant/grant-access.ts';
import { grantRevoked } from '../../oauth/grant/live-grant.ts';
import { actionNotGranted } from '../../oauth/grant/permission.ts';
import { REQUIRED_ACTIONS } from '../../partners/scopes.ts';
import { ChainError } from '../../platform/chain-error.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { newId, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { checkOnchain } from './check-onchain.ts';
import type { OpenClaim } from './open-claim.ts';
import { insertClaims, readKnownRows } from './statements.ts';

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

/** A claim with what its answer needs. */
export interface ClaimRow extends OpenClaim {
  ticket_id: Uuid;
  tix_event_id: string;
  signer_wallet: string;
}

/** A permit that may be claimed. */
export type KnownPermit = Pick<ClaimRow, 'tix_permit_id' | 'ticket_id' | 'tix_event_id'> & { id: Uuid };

/** Reads what the database knows of a request. */
export async function readKnown(context: Pick<Context, 'pool' | 'now'>, access: GrantAccess, judged: JudgedClaim[]) {
  const given = {
    signatures: judged.map(({ signature }) => signature),
    wallet: access.wallet,
    addresses: judged.map(({ permit }) => permit),
    mode: access.mode,
    partner: access.partner_id,
    now: after(context.now(), access.events_ahead),
  };
  const known = await readKnownRows.together(context.pool, given);
  return known ?? { claims: [], permits: [] };
}

/**
 * Writes the claims of a request, before submission.
 * @param slots of the state that each was judged by
 * @returns those that this call has written
 * @throws DomainError `grant_revoked`, `action_not_granted`
 */
export async function writeClaims(
  { pool, now }: Pick<Context, 'pool' | 'now'>,
  access: GrantAccess,
  judged: JudgedClaim[],
  permits: KnownPermit[],
  slots: number[],
): Promise<ClaimRow[]> {
  const rows = judged.map((claim, index) => toOpenClaim(claim, permits[index], slots[index] ?? 0));
  try {
    const addresses = judged.map(({ permit }) => permit);
    const current = await insertClaims(pool, addresses, { grant: access.grant_id, now: now(), claims: rows });
    if (!current?.live) throw grantRevoked();
    if (!current.granted) throw actionNotGranted(REQUIRED_ACTIONS.executeClaim);
    return rows.filter(({ id }) => current.written.includes(id));
  } catch (error) {
    // by another claim, or by a concurrent twin of this request: the caller distinguishes them
    if (!(error instanceof Error && 'constraint' in error && error.constraint === 'claim_one_open')) throw error;
    return [];
  }
}

export function toOpenClaim(claim: JudgedClaim, permit: KnownPermit | undefined, slot: number) {
  if (!permit) throw new RangeError(`no permit for ${claim.permit}`);
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
    judged_slot: slot,
    state: 'submitted' as const,
    failure: null,
    may_land: false,
  };
}
