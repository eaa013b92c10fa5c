import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { ChainError } from '../chain/chain-error.ts';
import { type Chain, chainOf } from '../chain/chains.ts';
import { COMPUTE_UNIT_LIMIT_CAP, COMPUTE_UNIT_PRICE_CAP } from '../chain/transaction/compute-budget.ts';
import { fillSignatures } from '../chain/transaction/fill-signatures.ts';
import type { GrantAccess } from '../consent/grant-access.ts';
import type { Context } from '../context.ts';
import { inTransaction, prepared } from '../database/prepared.ts';
import { DomainError } from '../errors.ts';
import { idOf } from '../identifier/type-id.ts';
import { futureTicketsFrom } from '../ticket/future-tickets.ts';
import { grantRevoked, LIVE_GRANT } from '../token/live-grant.ts';
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

type SigningContext = Pick<Context, 'pool' | 'chains' | 'signer' | 'now' | 'requestId'>;

/**
 * Locks the permits that the grant reaches, in one order for everybody, and asks once more whether the grant is alive: a
 * revocation that came first wins.
 */
const lockPermits = prepared<{ id: string; tix_permit_id: string; live: boolean }>(`
  with viewer as (
    select g.fan_id, c.partner_id, c.mode, g.mode as grant_mode, g.ticket_ids, ${LIVE_GRANT} as live
    from consent_grant g join client c on c.id = g.client_id where g.id = $1
  )
  select p.id, p.tix_permit_id, viewer.live
  from ${futureTicketsFrom('$2')}
  where p.tix_permit_id = any($3) and (viewer.grant_mode = 'all_current_future' or t.id = any(viewer.ticket_ids))
  order by p.id for update of p`);

/** One statement: each message is recorded once, and each record leaves one audit entry. */
const recordSignatures = prepared(`
  with given as (
    select * from jsonb_to_recordset($1::jsonb)
      as s(message_hash text, permit_id uuid, sentence text, subject text, details jsonb)
  ), signed as (
    insert into listing_signature (message_hash, permit_id, grant_id, action, sentence, signed_at)
    select message_hash, permit_id, $2, $3, sentence, $4 from given
    on conflict do nothing returning message_hash
  )
  insert into audit_entry (at, actor, action, subject, details, request_id)
  select $4, $5, 'listing.co_signed', given.subject, given.details, $6
  from given join signed using (message_hash)`);

/**
 * Co-signs listing transactions: with the fan's wallet and the authority, all or none.
 * @returns the signed transactions in hex, in the order of the request
 * @param access of the action `fan:listings:write`
 * @throws DomainError `grant_revoked` where that came between; `not_found` where a permit is not within the grant or not in the right state; `unavailable` where the cluster can't be asked
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
  // before a connection is taken: a cluster that does not answer must not keep the database from others
  await Promise.all([checkBlockhashes(chain, judged), context.signer.prepare([access.wallet, chain.authority])]);
  return inTransaction(context.pool, async (client) => {
    const permitIds = await lock(client, context, access, judged);
    await checkStates(chain, access, request.type, judged);
    const signed = await Promise.all(judged.map((listing) => sign(context, chain, access, listing)));
    await record(client, context, access, request.type, judged, permitIds);
    return signed;
  });
}

/** @returns the `uuid` of each permit, in the order of the request */
async function lock(
  client: PoolClient,
  { now }: SigningContext,
  access: GrantAccess,
  judged: JudgedListing[],
): Promise<string[]> {
  const rows = await lockPermits(client, [access.grant_id, now(), judged.map(({ permit }) => permit)]);
  if (rows.some((row) => !row.live)) throw grantRevoked();
  return judged.map(({ permit }, index) => {
    const row = rows.find((candidate) => candidate.tix_permit_id === permit);
    if (!row) throw ticketNotFound(index);
    return row.id;
  });
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

async function record(
  client: PoolClient,
  { now, requestId }: SigningContext,
  access: GrantAccess,
  action: ListingAction,
  judged: JudgedListing[],
  permitIds: string[],
): Promise<void> {
  const given = judged.map(({ messageBytes, sentence, permit }, index) => {
    const messageHash = createHash('sha256').update(messageBytes).digest('base64url');
    const details = {
      message_hash: messageHash,
      grant: idOf('grant', access.grant_id),
      permit,
      sentence,
      policy: LISTING_POLICY_VERSION,
    };
    const subject = idOf('perm', permitIds[index] ?? '');
    return { message_hash: messageHash, permit_id: permitIds[index], sentence, subject, details };
  });
  const actor = `fan:${idOf('usr', access.fan_id)}`;
  await recordSignatures(client, [JSON.stringify(given), access.grant_id, action, now(), actor, requestId]);
}

/** Not there, not the fan's, not granted: not told apart. */
function ticketNotFound(index: number): DomainError {
  return new DomainError('not_found', `transactions[${index}]: the ticket was not found.`);
}
