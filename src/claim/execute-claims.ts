import { authoritiesOf, type Chain, chainOf, type WithChains } from '../chain/chains.ts';
import { COMPUTE_CAPS } from '../chain/transaction/compute-budget.ts';
import { ChainError } from '../chain-error.ts';
import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import { DomainError } from '../errors.ts';
import type { GrantAccess } from '../grant/grant-access.ts';
import { grantRevoked, LIVE_GRANT } from '../grant/live-grant.ts';
import { actionNotGranted, grantsAction } from '../grant/permission.ts';
import { type Id, idOf, newId, type Uuid, uuidOf } from '../identifier/type-id.ts';
import { REQUIRED_ACTIONS } from '../oauth/scopes.ts';
import { futureEvent, visiblePermit } from '../ticket/future-tickets.ts';
import { preparedOnPermits, runOnPermits } from '../ticket/lock-permits.ts';
import { checkOnchain } from './check-onchain.ts';
import { type JudgedClaim, judgeClaimTransactions, placeOf } from './judge-claim-transactions.ts';
import { isOpen, OPEN_CLAIM, type OpenClaim } from './open-claim.ts';
import { settleClaims } from './settle-claims.ts';

/** A confirmed claim: a ticket moved to the fan by a transfer that its holder or marketplace signed. */
export interface ExecutedClaim {
  tixEventId: string;
  tixPermitId: string;
  ticketId: Id<'tkt'>;
  signerWallet: string;
  destinationWallet: string;
  /** The transaction's first signature in base58. */
  transferId: string;
}

const ACTION = REQUIRED_ACTIONS.executeClaim;

type ClaimContext = Pick<Context, 'pool' | 'now' | 'requestId' | 'log'> & WithChains;

interface ClaimRow extends OpenClaim {
  ticket_id: Uuid;
  tix_event_id: string;
  signer_wallet: string;
}

type KnownPermit = Pick<ClaimRow, 'tix_permit_id' | 'ticket_id' | 'tix_event_id'> & { id: Uuid };

/** How long a request waits for the cluster. A job continues after that. */
const PATIENCE_MS = 25_000;
const RETRY_AFTER_SECONDS = 5;

/** The fan's claims by these transactions, from a repeated request or an earlier grant. */
const readClaims = prepared<ClaimRow>(`
  select ${OPEN_CLAIM}, cl.signer_wallet, p.ticket_id, e.tix_event_id
  from claim cl join permit p on p.id = cl.permit_id join ticket t on t.id = p.ticket_id
    join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
  where cl.signature = any($1) and cl.destination_wallet = $2`);

/** Permits that may be claimed: of the mode, visible to the partner, for a future event; their owner does not matter. */
const readPermits = prepared<KnownPermit>(`
  select p.id, p.tix_permit_id, p.ticket_id, e.tix_event_id
  from permit p join ticket t on t.id = p.ticket_id join ticket_type tt on tt.id = t.ticket_type_id
    join event e on e.id = tt.event_id and ${futureEvent('e', '$2', '$4')}
  where p.tix_permit_id = any($1) and ${visiblePermit('p', '$3')}`);

/**
 * All or none: another open claim of a permit rejects the whole set, by the unique index. Checks the grant again, which may have
 * ended while the cluster was asked or the permits were locked.
 */
const insertClaims = preparedOnPermits<{ live: boolean; granted: boolean; written: string[] }>(
  (wait) => `
  with access as (
    select ${LIVE_GRANT} as live, ${grantsAction(`'${ACTION}'`)} as granted
    from consent_grant g join client c on c.id = g.client_id where g.id = $2
  ), given as (
    select * from jsonb_to_recordset($1::jsonb) as s(id uuid, signature text, permit_id uuid, signer_wallet text,
      destination_wallet text, transaction text, recent_blockhash text, judged_slot bigint)
  ), held as (
    select id from permit where id in (select permit_id from given) for update ${wait}
  ), inserted as (
    insert into claim (id, signature, grant_id, permit_id, signer_wallet, destination_wallet, transaction,
      recent_blockhash, judged_slot, state, created_at, updated_at)
    select given.id, signature, $2, held.id, signer_wallet, destination_wallet, transaction, recent_blockhash, judged_slot,
      'pending', $3, $3
    from held join given on given.permit_id = held.id join access on access.live and access.granted
    on conflict (signature) do nothing returning signature
  )
  select live, granted, array(select signature from inserted) as written from access`,
);

/**
 * Claims the tickets of 1 to 10 signed transfers for a grant's fan. All are judged before any is submitted. Repeating the request
 * gives the same answer.
 * @param access of the action `fan:claims:write`
 * @param transactions in hex
 * @returns the claims in the order of the request
 * @throws DomainError `grant_revoked` or `action_not_granted` where the grant changed meanwhile; `not_found` for an unknown permit or
 * a listing that is gone; `unavailable` where the cluster is unreachable or does not confirm in time (the claims are continued)
 * @throws ChainError for a broken rule, or the cluster's refusal
 * @see spec §4.1 POST /claims/execute
 */
export async function executeClaims(
  context: ClaimContext,
  access: GrantAccess,
  transactions: string[],
): Promise<ExecutedClaim[]> {
  const chain = chainOf(context.chains, access.mode);
  const judged = await judgeClaimTransactions(transactions, {
    programId: chain.programId,
    fanWallet: access.wallet,
    ourKeys: new Set([chain.payer, ...authoritiesOf(chain)]),
    ...COMPUTE_CAPS,
  });
  const claims = await openClaims(context, access, chain, judged);
  await settleClaims(context, access.mode, claims, PATIENCE_MS);
  checkNoneFailed(claims, judged);
  if (claims.some(isOpen)) {
    const message = 'The cluster has not confirmed every claim yet; send the same request again.';
    throw new DomainError('unavailable', message, { retryAfter: RETRY_AFTER_SECONDS });
  }
  return claims.map(toExecutedClaim);
}

/** The claim rows of the request, in order. Missing ones are written before submission. */
async function openClaims(
  context: ClaimContext,
  access: GrantAccess,
  chain: Chain,
  judged: JudgedClaim[],
): Promise<ClaimRow[]> {
  const signatures = judged.map(({ signature }) => signature);
  const known = await readClaims(context.pool, [signatures, access.wallet]);
  const isKnown = ({ signature }: JudgedClaim) => known.some((claim) => claim.signature === signature);
  if (judged.every(isKnown)) return inOrder(judged, known);
  checkNoneFailed(known, judged);
  const permits = await findPermits(context, access, judged);
  const slots = await checkOnchain(chain, judged, isKnown);
  const written = await write(context, access, judged, permits, slots);
  const isComplete = judged.every(
    (claim) => isKnown(claim) || written.some(({ signature }) => signature === claim.signature),
  );
  return inOrder(
    judged,
    isComplete ? [...known, ...written] : await readClaims(context.pool, [signatures, access.wallet]),
  );
}

/** @throws ChainError for the first transaction whose claim failed */
function checkNoneFailed(claims: ClaimRow[], judged: JudgedClaim[]): void {
  for (const [index, { signature }] of judged.entries()) {
    const claim = claims.find((candidate) => candidate.signature === signature);
    if (claim?.state !== 'failed') continue;
    throw new ChainError('chain_refused', { where: placeOf(index), detail: claim.failure ?? '' });
  }
}

async function findPermits(
  { pool, now }: ClaimContext,
  access: GrantAccess,
  judged: JudgedClaim[],
): Promise<KnownPermit[]> {
  const found = await readPermits(pool, [judged.map(({ permit }) => permit), access.mode, access.partner_id, now()]);
  return judged.map(({ permit }, index) => {
    const known = found.find((candidate) => candidate.tix_permit_id === permit);
    if (!known) throw new DomainError('not_found', `${placeOf(index)}: the ticket was not found.`);
    return known;
  });
}

/** @returns the claims that this call has written */
async function write(
  { pool, now }: ClaimContext,
  access: GrantAccess,
  judged: JudgedClaim[],
  permits: KnownPermit[],
  slots: number[],
): Promise<ClaimRow[]> {
  const rows = judged.map((claim, index) => toPendingClaim(claim, permits[index], slots[index] ?? 0));
  try {
    const addresses = judged.map(({ permit }) => permit);
    const values = [JSON.stringify(rows), access.grant_id, now()];
    const [current] = await runOnPermits(pool, insertClaims, addresses, values);
    if (!current?.live) throw grantRevoked();
    if (!current.granted) throw actionNotGranted(ACTION);
    return rows.filter(({ signature }) => current.written.includes(signature));
  } catch (error) {
    // by another claim, or by a concurrent twin of this request: the caller distinguishes them
    if (!(error instanceof Error && 'constraint' in error && error.constraint === 'claim_one_open')) throw error;
    return [];
  }
}

/** Two equal requests at once share their rows. A missing row was rejected by another claim of the permit. */
function inOrder(judged: JudgedClaim[], claims: ClaimRow[]): ClaimRow[] {
  return judged.map(({ signature }, index) => {
    const claim = claims.find((candidate) => candidate.signature === signature);
    if (!claim) throw new DomainError('not_found', `${placeOf(index)}: another claim of these tickets is under way.`);
    return claim;
  });
}

function toPendingClaim(claim: JudgedClaim, permit: KnownPermit | undefined, slot: number) {
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
    state: 'pending' as const,
    failure: null,
    may_land: false,
  };
}

function toExecutedClaim(claim: ClaimRow): ExecutedClaim {
  return {
    tixEventId: claim.tix_event_id,
    tixPermitId: claim.tix_permit_id,
    ticketId: idOf('tkt', claim.ticket_id),
    signerWallet: claim.signer_wallet,
    destinationWallet: claim.destination_wallet,
    transferId: claim.signature,
  };
}
