import type { ListingAction } from '@fan-api/cosign-policy/actions';
import { CO_SIGNING_STOPPED, marketplacesStopped } from '../../entities/stopped.ts';
import { LIVE_GRANT } from '../../oauth/grant/live-grant.ts';
import { grantsAction } from '../../oauth/grant/permission.ts';
import { eventTime } from '../../partners/client/event-time.ts';
import { REQUIRED_ACTIONS } from '../../partners/scopes.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { givenRows } from '../../platform/database/share-statement.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import { INSERT_AUDIT, sqlAction } from '../../record/audit/record-audit.ts';
import { mayBeResold, signableTicketsAmong } from '../ticket/future-tickets.ts';
import { shareOnPermits } from '../ticket/lock-permits.ts';
import type { KnownAddresses } from './find-refusal.ts';

/** The input of `record` for one request. */
interface GivenRecording {
  grant: Uuid;
  at: Date;
  action: ListingAction;
  /** Actor, grant, policy and request of the audit entries. */
  actor: string;
  grant_name: string;
  policy: string;
  request: string | null;
  allowed: boolean;
  signatures: { message_hash: string; permit: string; sentence: string }[];
  /** The accounts of the transactions, without the fan's wallet and the authorities. */
  addresses: string[];
  marketplaces: string[];
}

/** What the database answers when signatures are to be recorded. */
export interface Recorded extends KnownAddresses {
  /** Whether staff have stopped co-signing. */
  stopped: boolean;
  /** The marketplaces of the request on which they have stopped new listings. */
  stoppedMarketplaces: readonly string[];
  /** The newest slot at which one of the reached permits was synced; 0 before the first. */
  knownSlot: number;
}

interface RecordedRow extends Recorded {
  n: number;
  /** Whether the grant is live. */
  live: boolean;
  /** Whether it still has the action. */
  granted: boolean;
}

/**
 * SQL: keeps the requests that the shared statement can answer: they are refused anyway (grant, action, stop) or have all their permits.
 * Any other lacks a permit, which is locked elsewhere or out of reach: a statement of its own finds out which.
 */
const DECIDED = `join given e on e.n = judged.n
    where not (live and granted and not stopped) or cardinality(judged.reached) = json_array_length(e.signatures)`;

/**
 * One round trip, before anything is signed: locks the permits within the grant, looks for keys of ours and for marketplaces that
 * cannot sign, and where there are none, records each message with its audit entry. A revocation, a withdrawn action, a kill
 * switch or a change of owner that committed first wins. The same message is recorded once.
 *
 * Their tickets are locked too: PostgreSQL reads the newest version only of a locked row, and the statement's snapshot may have a
 * former owner.
 * @param lock see `shareOnPermits`
 */
const recordText = (lock: 'skip locked' | 'nowait' | '') => `
  with given as (
    select e.* from ${givenRows(`"grant" uuid, at timestamptz, action text, actor text, grant_name text, policy text,
      request text, allowed boolean, signatures json, addresses text[], marketplaces text[]`)} e
  ), viewer as (
    select e.n, ${eventTime('e.at', 'c')} as event_time, e.action = 'cancel' as cancels, g.fan_id, c.partner_id, c.mode, c.marketplaces, g.mode as grant_mode, g.ticket_ids, ${LIVE_GRANT} as live,
      ${grantsAction(`'${REQUIRED_ACTIONS.createAuthorization}'`)} as granted, exists (${CO_SIGNING_STOPPED}) as stopped
    from given e join consent_grant g on g.id = e."grant" join client c on c.id = g.client_id
  ), listed as (
    select e.n, s.* from given e, json_to_recordset(e.signatures) as s(message_hash text, permit text, sentence text)
  ), reached as (
    select viewer.n, p.id, p.tix_permit_id, p.chain_slot,
      not viewer.cancels and not ${mayBeResold('tt', 'e', 'viewer.event_time')} as held_back, case when tt.resale then e.resale_until end as resale_until
    from ${signableTicketsAmong('array(select permit from listed)', 'viewer.event_time')}
      join listed on listed.n = viewer.n and listed.permit = p.tix_permit_id
    where viewer.live and viewer.granted and not viewer.stopped
      and (viewer.grant_mode = 'all_current_future' or t.id = any(viewer.ticket_ids))
    order by p.id for update of p, t ${lock}
  ), ours as (
    ${ourKeysAmong('array(select unnest(addresses) from given)')}
  ), cannot_sign as (
    ${accountsAmong('array(select unnest(marketplaces) from given)')}
  ), stopped as (
    ${marketplacesStopped('array(select unnest(marketplaces) from given)')}
  ), judged as (
    select viewer.n, live, granted, viewer.stopped, array(select tix_permit_id from reached r where r.n = viewer.n) as reached,
      coalesce((select max(chain_slot) from reached r where r.n = viewer.n), 0)::float8 as "knownSlot",
      array(select address from ours where address = any(e.addresses)) as ours,
      array(select address from cannot_sign where address = any(e.marketplaces)) as "cannotSign",
      array(select marketplace from stopped where marketplace = any(e.marketplaces)) as "stoppedMarketplaces",
      viewer.marketplaces as registered, viewer.marketplaces = '{}' or e.marketplaces <@ viewer.marketplaces as "isRegistered",
      coalesce((select json_object_agg(r.tix_permit_id, r.resale_until) from reached r where r.n = viewer.n and r.held_back), '{}') as "notForResale"
    from viewer join given e on e.n = viewer.n
  ), recordable as (
    select listed.*, reached.id as permit_id, e."grant", e.action, e.at, e.actor, e.grant_name, e.policy, e.request
    from judged join given e on e.n = judged.n join listed on listed.n = judged.n
      join reached on reached.n = listed.n and reached.tix_permit_id = listed.permit
    where e.allowed and cardinality(judged.reached) = json_array_length(e.signatures)
      and judged.ours = '{}' and judged."cannotSign" = '{}' and judged."stoppedMarketplaces" = '{}'
      and judged."isRegistered" and judged."notForResale"::text = '{}'
  ), recorded as (
    insert into listing_signature (message_hash, permit_id, grant_id, action, sentence, signed_at)
    select message_hash, permit_id, "grant", action, sentence, at from recordable order by n
    on conflict do nothing returning message_hash
  ), first as (
    select distinct on (message_hash) * from recordable order by message_hash, n
  ), audited as (
    ${INSERT_AUDIT}
    select first.at, first.actor, ${sqlAction('listing.co_signed')}, first.permit,
      jsonb_build_object('message_hash', message_hash, 'grant', first.grant_name, 'permit', first.permit,
        'sentence', first.sentence, 'policy', first.policy), first.request
    from recorded join first using (message_hash)
  )
  select judged.* from judged ${lock === 'skip locked' ? DECIDED : ''}`;

/** Requests that wait are recorded together: with 32 in flight, a request costs a tenth of a round trip and of a commit. */
export const record = shareOnPermits<GivenRecording, RecordedRow>(recordText);

/** SQL of the `addresses` whose key this service holds, for a fan or for itself, in any mode. */
function ourKeysAmong(addresses: string): string {
  return `select address from wallet where address = any(${addresses})
    union all select address from chain_key where address = any(${addresses})`;
}

/** SQL of the `addresses` that are accounts of the ticket program. */
function accountsAmong(addresses: string): string {
  return `select tix_event_id as address from event where tix_event_id = any(${addresses})
    union all select tix_permit_id from permit where tix_permit_id = any(${addresses})`;
}

export const recordedAmong = prepared<{ message_hash: string }>(
  'select message_hash from listing_signature where message_hash = any($1)',
);
