import { createHash } from 'node:crypto';
import { insertAudit, sqlAction } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { CO_SIGNING_STOPPED } from '../entities/stopped.ts';
import type { GrantAccess } from '../grant/grant-access.ts';
import { LIVE_GRANT } from '../grant/live-grant.ts';
import { grantsAction } from '../grant/permission.ts';
import { idOf } from '../identifier/type-id.ts';
import { REQUIRED_ACTIONS } from '../oauth/scopes.ts';
import { futureTicketsAmong } from '../ticket/future-tickets.ts';
import { preparedOnPermits, runOnPermits } from '../ticket/lock-permits.ts';
import type { KnownAddresses } from './find-refusal.ts';
import {
  type JudgedListing,
  LISTING_POLICY_VERSION,
  type ListingAction,
  marketplacesOf,
} from './judge-listing-transactions.ts';

export const SIGNING_ACTION = REQUIRED_ACTIONS.createAuthorization;

/** What the database says when the signatures are recorded. */
export interface Recorded extends KnownAddresses {
  /** Whether the grant is live. */
  live: boolean;
  /** Whether it still has the action. */
  granted: boolean;
  /** Whether staff have stopped co-signing. */
  stopped: boolean;
  reached: string[];
  /** The newest slot at which one of these was synced; 0 before the first. */
  knownSlot: number;
  ours: string[];
  cannotSign: string[];
}

export interface RecordingRequest {
  action: ListingAction;
  judged: readonly JudgedListing[];
  /** Our addresses in their declared places. */
  declared: readonly string[];
  /** Whether the earlier checks passed. Otherwise nothing is recorded. */
  allowed: boolean;
}

/**
 * One round trip, before anything is signed: locks the permits within the grant (ordered by id), looks for keys of ours and for
 * marketplaces that cannot sign, and where there are none, records each message once with its audit entry. A revocation, a
 * withdrawn action, a kill switch, a claim or another request that committed first wins.
 */
const record = preparedOnPermits<Recorded>(
  (wait) => `
  with viewer as (
    select g.fan_id, c.partner_id, c.mode, g.mode as grant_mode, g.ticket_ids, ${LIVE_GRANT} as live,
      ${grantsAction(`'${SIGNING_ACTION}'`)} as granted, exists (${CO_SIGNING_STOPPED}) as stopped
    from consent_grant g join client c on c.id = g.client_id where g.id = $1
  ), given as (
    select * from jsonb_to_recordset($3::jsonb) as s(message_hash text, permit text, sentence text)
  ), reached as (
    select p.id, p.tix_permit_id, p.chain_slot
    from ${futureTicketsAmong('$12::text[]', '$2')}
    where viewer.live and viewer.granted and not viewer.stopped
      and (viewer.grant_mode = 'all_current_future' or t.id = any(viewer.ticket_ids))
    order by p.id for update of p, t ${wait}
  ), ours as (
    ${ourKeysAmong('$9::text[]')}
  ), cannot_sign as (
    select tix_event_id as address from event where tix_event_id = any($10::text[])
    union all select tix_permit_id from permit where tix_permit_id = any($10::text[])
  ), signed as (
    insert into listing_signature (message_hash, permit_id, grant_id, action, sentence, signed_at)
    select given.message_hash, reached.id, $1, $4, given.sentence, $2
    from given join reached on reached.tix_permit_id = given.permit
    where $11::boolean and (select count(*) from reached) = (select count(*) from given)
      and not exists (select from ours) and not exists (select from cannot_sign)
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
  select viewer.live, viewer.granted, viewer.stopped, array(select tix_permit_id from reached) as reached,
    coalesce((select max(chain_slot) from reached), 0)::float8 as "knownSlot",
    array(select address from ours) as ours, array(select address from cannot_sign) as "cannotSign"
  from viewer`,
);

/**
 * Records what is about to be signed, all or nothing: nothing where the request is not allowed, the grant is not live or lacks a
 * permit, co-signing is stopped, or an address is refused.
 * @returns undefined where the grant does not exist
 */
export async function recordSignatures(
  { pool, now, requestId }: Pick<Context, 'pool' | 'now' | 'requestId'>,
  access: GrantAccess,
  { action, judged, declared, allowed }: RecordingRequest,
): Promise<Recorded | undefined> {
  const given = judged.map(({ messageBytes, sentence, permit }) => ({
    message_hash: createHash('sha256').update(messageBytes).digest('base64url'),
    permit,
    sentence,
  }));
  const undeclared = new Set(judged.flatMap(({ addresses }) => addresses.filter((each) => !declared.includes(each))));
  const permits = judged.map(({ permit }) => permit);
  const [recorded] = await runOnPermits(pool, record, permits, [
    access.grant_id,
    now(),
    JSON.stringify(given),
    action,
    `fan:${idOf('usr', access.fan_id)}`,
    idOf('grant', access.grant_id),
    LISTING_POLICY_VERSION,
    requestId,
    [...undeclared],
    marketplacesOf(judged),
    allowed,
    permits,
  ]);
  return recorded;
}

/** SQL of those among `addresses` whose key this service holds, for a fan or for itself, in any mode. */
function ourKeysAmong(addresses: string): string {
  return `select address from wallet where address = any(${addresses})
    union all select address from chain_key where address = any(${addresses})`;
}
