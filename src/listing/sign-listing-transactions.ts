import { createHash } from 'node:crypto';
import { insertAudit, sqlAction } from '../audit/record-audit.ts';
import { ChainError } from '../chain/chain-error.ts';
import { type Chain, chainOf, type WithChains } from '../chain/chains.ts';
import { COMPUTE_UNIT_LIMIT_CAP, COMPUTE_UNIT_PRICE_CAP } from '../chain/transaction/compute-budget.ts';
import { fillSignatures } from '../chain/transaction/fill-signatures.ts';
import type { Context } from '../context.ts';
import { CO_SIGNING_STOPPED } from '../entities/stopped.ts';
import { DomainError } from '../errors.ts';
import type { GrantAccess } from '../grant/grant-access.ts';
import { grantRevoked, LIVE_GRANT } from '../grant/live-grant.ts';
import { actionNotGranted, grantsAction } from '../grant/permission.ts';
import { idOf } from '../identifier/type-id.ts';
import { futureTicketsFrom } from '../ticket/future-tickets.ts';
import { preparedOnPermits, runOnPermits } from '../ticket/lock-permits.ts';
import type { WithSigner } from '../wallet/signer.ts';
import {
  type JudgedListing,
  judgeListingTransactions,
  LISTING_POLICY_VERSION,
  type ListingAction,
} from './judge-listing-transactions.ts';

/** Listings: what we co-sign for partners, and what the chain says is on sale. */
export interface ListingRequest {
  type: ListingAction;
  /** 1 to 4 transactions in hex or base64. */
  transactions: string[];
}

const ACTION = 'fan:listings:write';

type SigningContext = Pick<Context, 'pool' | 'now' | 'requestId'> & WithChains & WithSigner;

/**
 * One round trip, before anything is signed: locks the permits that the grant reaches (in one order for everybody), and
 * where they are all of the request, records each message once, each record with its audit entry. A revocation, an action
 * taken back, a kill switch, a claim or another request that came first wins.
 * @returns the permits that were found, beside whether the grant is alive and whether staff have stopped co-signing
 */
const recordSignatures = preparedOnPermits<{ live: boolean; granted: boolean; stopped: boolean; found: string[] }>(
  (wait) => `
  with viewer as (
    select g.fan_id, c.partner_id, c.mode, g.mode as grant_mode, g.ticket_ids, ${LIVE_GRANT} as live,
      ${grantsAction(`'${ACTION}'`)} as granted, exists (${CO_SIGNING_STOPPED}) as stopped
    from consent_grant g join client c on c.id = g.client_id where g.id = $1
  ), given as (
    select * from jsonb_to_recordset($3::jsonb) as s(message_hash text, permit text, sentence text)
  ), reached as (
    select p.id, p.tix_permit_id
    from ${futureTicketsFrom('$2')}
    where viewer.live and viewer.granted and not viewer.stopped and p.tix_permit_id in (select permit from given)
      and (viewer.grant_mode = 'all_current_future' or t.id = any(viewer.ticket_ids))
    order by p.id for update of p, t ${wait}
  ), signed as (
    insert into listing_signature (message_hash, permit_id, grant_id, action, sentence, signed_at)
    select given.message_hash, reached.id, $1, $4, given.sentence, $2
    from given join reached on reached.tix_permit_id = given.permit
    where (select count(*) from reached) = (select count(*) from given)
    on conflict do nothing returning message_hash, permit_id
  ), audited as (
    ${insertAudit({
      at: '$2',
      actor: '$5',
      action: sqlAction('listing.co_signed'),
      subject: 'given.permit',
      details: `jsonb_build_object('message_hash', given.message_hash,
        'grant', $6::text, 'permit', given.permit, 'sentence', given.sentence, 'policy', $7::text)`,
      requestId: '$8',
      from: 'signed join given using (message_hash)',
    })}
  )
  select viewer.live, viewer.granted, viewer.stopped, array(select tix_permit_id from reached) as found from viewer`,
);

/**
 * Co-signs listing transactions: with the fan's wallet and the authority, all or none.
 * @returns the signed transactions in hex, in the order of the request
 * @param access of the action `fan:listings:write`
 * @throws DomainError `grant_revoked` or `action_not_granted` where that came between; `not_found` where a permit is not within the
 * grant or not in the right state; `unavailable` where the cluster can't be asked or staff have stopped co-signing
 * @throws ChainError naming the rule of the co-signing policy that a transaction breaks
 * @see spec §4.1 POST /authorizations
 */
export async function signListingTransactions(
  context: SigningContext,
  access: GrantAccess,
  request: ListingRequest,
): Promise<string[]> {
  const chain = chainOf(context.chains, access.mode);
  const judged = await judgeListingTransactions(request.transactions, {
    type: request.type,
    programId: chain.programId,
    authority: chain.authority,
    fanWallet: access.wallet,
    ourKeys: new Set([chain.payer]),
    computeUnitLimitCap: COMPUTE_UNIT_LIMIT_CAP,
    computeUnitPriceCap: COMPUTE_UNIT_PRICE_CAP,
  });
  await Promise.all([checkBlockhashes(chain, judged), checkStates(chain, access, request.type, judged)]);
  await record(context, access, request.type, judged);
  return Promise.all(judged.map((listing) => sign(context, chain, access, listing)));
}

async function checkBlockhashes({ gateway }: Chain, judged: JudgedListing[]): Promise<void> {
  const blockhashes = await Promise.all(judged.map(({ recentBlockhash }) => gateway.blockhash(recentBlockhash)));
  const expired = blockhashes.findIndex(({ recent }) => !recent);
  if (expired >= 0) {
    const detail = judged[expired]?.recentBlockhash ?? '';
    throw new ChainError('blockhash_expired', { where: `transactions[${expired}]`, detail });
  }
}

/** The chain is the truth for owner and state: read just before signing. */
async function checkStates(
  { gateway }: Chain,
  access: GrantAccess,
  action: ListingAction,
  judged: JudgedListing[],
): Promise<void> {
  const accounts = await gateway.permits(judged.map(({ permit }) => permit));
  for (const [index, account] of accounts.entries()) {
    if (account?.owner !== access.wallet) throw ticketNotFound(index);
    if (action === 'list' && account.state !== 'held') {
      throw new DomainError('not_found', `transactions[${index}]: the ticket is listed already.`);
    }
    if (action === 'cancel' && account.state !== 'listed') {
      throw new DomainError('not_found', `transactions[${index}]: the ticket has no listing.`);
    }
  }
}

async function sign(
  { signer }: SigningContext,
  chain: Chain,
  access: GrantAccess,
  { transaction, messageBytes, slots }: JudgedListing,
): Promise<string> {
  const [wallet, authority] = await Promise.all([
    signer.sign(access.wallet, messageBytes),
    signer.sign(chain.authority, messageBytes),
  ]);
  return fillSignatures(transaction, [
    { index: slots.fanWallet, signature: wallet },
    { index: slots.authority, signature: authority },
  ]);
}

/** @throws DomainError `grant_revoked`, `action_not_granted`, or `not_found` where the grant does not reach a permit: then nothing is recorded */
async function record(
  { pool, now, requestId }: SigningContext,
  access: GrantAccess,
  action: ListingAction,
  judged: JudgedListing[],
): Promise<void> {
  const given = judged.map(({ messageBytes, sentence, permit }) => ({
    message_hash: createHash('sha256').update(messageBytes).digest('base64url'),
    permit,
    sentence,
  }));
  const actor = `fan:${idOf('usr', access.fan_id)}`;
  const grant = idOf('grant', access.grant_id);
  const permits = judged.map(({ permit }) => permit);
  const [recorded] = await runOnPermits(pool, recordSignatures, permits, [
    access.grant_id,
    now(),
    JSON.stringify(given),
    action,
    actor,
    grant,
    LISTING_POLICY_VERSION,
    requestId,
  ]);
  if (!recorded?.live) throw grantRevoked();
  if (!recorded.granted) throw actionNotGranted(ACTION);
  if (recorded.stopped) {
    throw new DomainError('unavailable', 'Listing signing is stopped for the moment; nothing was signed. Try later.');
  }
  const missing = judged.findIndex(({ permit }) => !recorded.found.includes(permit));
  if (missing >= 0) throw ticketNotFound(missing);
}

/** Not there, not the fan's, not granted: not told apart. */
function ticketNotFound(index: number): DomainError {
  return new DomainError('not_found', `transactions[${index}]: the ticket was not found.`);
}
