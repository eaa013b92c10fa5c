import { LIVE_GRANT } from '../../oauth/grant/live-grant.ts';
import { grantsAction } from '../../oauth/grant/permission.ts';
import { REQUIRED_ACTIONS } from '../../partners/scopes.ts';
import { filterOnly } from '../../platform/database/filter-only.ts';
import { growingPause } from '../../platform/database/growing-pause.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { givenRows, shareStatement } from '../../platform/database/share-statement.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import { INSERT_AUDIT, sqlAction } from '../../record/audit/record-audit.ts';
import { futureEvent, mayBeResold, visiblePermit } from '../ticket/future-tickets.ts';
import { shareOnPermits } from '../ticket/lock-permits.ts';
import type { ClaimRow, KnownPermit, NewClaim, StoredClaim } from './stored-claim.ts';

/** The columns of a `StoredClaim`, from the aliases `cl` of the claim and `p` of its permit. */
export const STORED_CLAIM = `cl.id, cl.signature, cl.transaction, cl.recent_blockhash, cl.judged_slot::float8 as judged_slot,
  p.tix_permit_id, cl.destination_wallet, cl.state, cl.failure, cl.state = 'failed' and cl.next_attempt_at is not null as may_land`;

/** SQL: the pause after a failed attempt to settle a claim. @param attempts SQL of the number of attempts before */
function claimPause(attempts: string): string {
  return growingPause(attempts, 300);
}

/** SQL: whether a claim is open, in the words of the partial indexes, so that they are used. @param claim alias of a `claim` row */
function openClaim(claim: string): string {
  return `${claim}.state in ('pending', 'submitted')`;
}

/** Open, or failed by our judgement only, which the chain overrules. */
const MAY_BE_CONFIRMED = filterOnly(`${openClaim('claim')}
  or claim.state = 'failed' and claim.next_attempt_at is not null`);

/** The result for a claim that was open, or failed but might still land. A claim that ended elsewhere has none. */
export interface ConfirmResult {
  id: Uuid;
  /** Whether the permit's account was read at the slot of the transfer or later. */
  permit_read: boolean;
  confirmed: boolean;
}

/**
 * Confirms claims whose permit was read at or after the slot of the transfer and belongs to the buyer. `$4` repeats the ids, so that
 * the planner expects few rows: for a JSON of unknown length it scans all open claims.
 */
export const markConfirmed = prepared<ConfirmResult>(
  `with landed as (
     select * from jsonb_to_recordset($1::jsonb) as s(id uuid, slot bigint, permit_read boolean, request_id text)
   ), seen as (
     select claim.id, landed.slot, landed.request_id, claim.state as before,
       landed.permit_read and coalesce(p.chain_slot >= landed.slot, false) as permit_read,
       $3::boolean or exists (
         select from ticket t join wallet w on w.fan_id = t.owner_id
         where t.id = p.ticket_id and w.address = claim.destination_wallet) as moved
     from landed join claim on claim.id = landed.id join permit p on p.id = claim.permit_id
     where claim.id = any($4) and ${MAY_BE_CONFIRMED}
   ), done as (
     update claim set state = 'confirmed', failure = null, set_aside = null, next_attempt_at = null, updated_at = $2,
       unfinal_slot = seen.slot
     from seen where claim.id = seen.id and seen.permit_read and seen.moved and ${MAY_BE_CONFIRMED}
     returning claim.id, claim.grant_id, claim.permit_id, claim.signature, seen.before, seen.request_id
   ), audited as (
     ${INSERT_AUDIT}
     select $2, 'system', ${sqlAction('claim.confirmed')}, done.signature,
       jsonb_build_object('claim', done.id, 'grant', done.grant_id, 'permit', done.permit_id)
         || case when done.before = 'failed' then '{"after_failure": true}'::jsonb else '{}'::jsonb end, done.request_id
     from done
   )
   select seen.id, seen.permit_read, seen.id in (select id from done) as confirmed from seen`,
);

export const markFailed = prepared<{ id: Uuid }>(
  `with done as (
     update claim set state = 'failed', failure = $2, set_aside = null, attempts = 0,
       next_attempt_at = case when $5::boolean then $3::timestamptz + ${claimPause('0')} end, updated_at = $3
     where id = $1 and ${filterOnly(openClaim('claim'))} returning id, grant_id, permit_id, signature
   ), audited as (
     ${INSERT_AUDIT}
     select $3, 'system', ${sqlAction('claim.failed')}, done.signature,
       jsonb_build_object('claim', done.id, 'grant', done.grant_id, 'permit', done.permit_id, 'reason', $2::text), $4 from done
   )
   select id from done`,
);

export const clearNextAttempt = prepared('update claim set next_attempt_at = null where id = any($1)');

export const readEnd = prepared<Pick<StoredClaim, 'id' | 'state' | 'failure'>>(
  'select id, state, failure from claim where id = any($1)',
);

/** The input of `readKnownRows` for one request. Signatures and addresses are in base58. */
interface GivenRequest {
  signatures: string[];
  wallet: string;
  addresses: string[];
  mode: Mode;
  partner: Uuid;
  at: Date;
}

interface KnownRow {
  n: number;
  claims: ClaimRow[];
  permits: KnownPermit[];
}

/**
 * Reads the fan's claims by these transactions (of a repeated request, or under an earlier grant) and the permits that may be claimed:
 * of the mode, visible to the partner, for a future event, with any owner. `offset 0` keeps the planner from starting with the
 * events and reading all their tickets, as it does without statistics: 2,875 pages instead of 121 for ten permits (D-337).
 */
export const readKnownRows = shareStatement<GivenRequest, KnownRow>(
  () => `
  select g.n, coalesce((
    select json_agg(found) from (
      select ${STORED_CLAIM}, cl.signer_wallet, p.ticket_id, e.tix_event_id
      from claim cl join permit p on p.id = cl.permit_id join ticket t on t.id = p.ticket_id
        join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
      where cl.signature = any(g.signatures) and cl.destination_wallet = g.wallet) found
  ), '[]') as claims, coalesce((
    select json_agg(found) from (
      select p.id, p.tix_permit_id, p.ticket_id, e.tix_event_id, ${mayBeResold('tt', 'e', 'g.at')} as may_be_resold
      from (
        select p.id, p.tix_permit_id, p.ticket_id from permit p
        where p.tix_permit_id = any(g.addresses) and ${visiblePermit('p', 'g.partner')} offset 0) p
        join ticket t on t.id = p.ticket_id join ticket_type tt on tt.id = t.ticket_type_id
        join event e on e.id = tt.event_id and ${futureEvent('e', 'g.mode', 'g.at')}) found
  ), '[]') as permits
  from ${givenRows('signatures text[], wallet text, addresses text[], mode text, partner uuid, at timestamptz')} g`,
);

/** The input of `insertClaims` for one request. */
interface GivenClaims {
  grant: Uuid;
  at: Date;
  claims: NewClaim[];
}

interface WrittenRow {
  n: number;
  live: boolean;
  granted: boolean;
  /** Ids of the claims that were written. */
  written: Uuid[];
}

/**
 * Writes all or none: another open claim of a permit rejects the whole set, by the unique index. Checks the grant again, which may have
 * ended while the cluster was asked or the permits were locked. The permits are locked first: an insert would wait in the unique
 * index for the transaction that writes another claim of the permit, and all requests of the statement would wait with it.
 * @param lock see `shareOnPermits`
 */
const insertText = (lock: 'skip locked' | 'nowait' | '') => `
  with given as (
    select e.* from ${givenRows('"grant" uuid, at timestamptz, claims json')} e
  ), access as (
    select e.n, ${LIVE_GRANT} as live, ${grantsAction(`'${REQUIRED_ACTIONS.executeClaim}'`)} as granted
    from given e join consent_grant g on g.id = e."grant" join client c on c.id = g.client_id
  ), wanted as (
    select e.n, e."grant", e.at, s.* from given e, json_to_recordset(e.claims) as s(id uuid, signature text, permit_id uuid,
      signer_wallet text, destination_wallet text, transaction text, recent_blockhash text, judged_slot bigint)
  ), held as (
    select id from permit where id = any(array(select permit_id from wanted)) for update ${lock}
  ), whole as (
    select e.n from given e join wanted on wanted.n = e.n left join held on held.id = wanted.permit_id
    group by e.n having count(*) = count(held.id)
  ), allowed as (
    select access.n from access join whole on whole.n = access.n where access.live and access.granted
  ), inserted as (
    insert into claim (id, signature, grant_id, permit_id, signer_wallet, destination_wallet, transaction,
      recent_blockhash, judged_slot, state, created_at, updated_at)
    select wanted.id, signature, "grant", permit_id, signer_wallet, destination_wallet, transaction, recent_blockhash, judged_slot,
      'submitted', at, at
    from wanted join allowed on allowed.n = wanted.n
    on conflict (signature) do nothing returning id
  ), written as materialized (
    -- grouped once: of 32 requests together, each would go through the claims of all for every claim
    select wanted.n, array_agg(inserted.id) as ids from wanted join inserted on inserted.id = wanted.id group by wanted.n
  )
  select access.*, coalesce((select ids from written where written.n = access.n), '{}') as written
  from access ${lock === 'skip locked' ? 'join whole on whole.n = access.n' : ''}`;

/** Requests that wait write their claims together: with 32 in flight, a request costs a tenth of a round trip and of a commit. */
export const insertClaims = shareOnPermits<GivenClaims, WrittenRow>(insertText);

/** Reads which permits have an open claim by another transaction than the given ones. */
export const readClaimed = prepared<{ permit: string }>(`
  select p.tix_permit_id as permit from claim cl join permit p on p.id = cl.permit_id
  where p.tix_permit_id = any($1) and ${filterOnly(openClaim('cl'))} and cl.signature <> all($2)`);

/** Statuses that are read in one run. */
const AT_ONCE = 200;

/** A confirmed claim that a fork may still undo. */
export interface Unfinal {
  id: Uuid;
  signature: string;
  /** Where its transaction landed. */
  slot: number;
  tix_permit_id: string;
  destination_wallet: string;
}

export const readUnfinal = prepared<Unfinal>(`
  select cl.id, cl.signature, cl.unfinal_slot::float8 as slot, p.tix_permit_id, cl.destination_wallet
  from claim cl join consent_grant g on g.id = cl.grant_id join client c on c.id = g.client_id and c.mode = $1
    join permit p on p.id = cl.permit_id
  where cl.unfinal_slot is not null order by cl.unfinal_slot limit ${AT_ONCE}`);

export const markFinal = prepared('update claim set unfinal_slot = null where id = any($1)');

export const moveSlot = prepared('update claim set unfinal_slot = $2 where id = $1 and unfinal_slot is not null');

/** `$4` is the new state: `submitted`, or, where another claim of the permit is open, `failed`; both are due for settling. */
export const reopen = prepared(`
  with done as (
    update claim set state = $4, unfinal_slot = null, attempts = 0, next_attempt_at = $2, updated_at = $2,
      failure = case when $4 = 'failed' then 'the cluster dropped the block that it was in' end
    where id = $1 and state = 'confirmed' and unfinal_slot is not null returning id, grant_id, permit_id, signature
  )
  ${INSERT_AUDIT}
  select $2, 'system', ${sqlAction('claim.reopened')}, done.signature,
    jsonb_build_object('claim', done.id, 'grant', done.grant_id, 'permit', done.permit_id), $3 from done`);

export const markSetAside = prepared<{ attempts: number }>(
  `update claim set set_aside = $2, attempts = attempts + 1, next_attempt_at = $3::timestamptz + ${claimPause('attempts')}
   where id = $1 and ${filterOnly(openClaim('claim'))} returning attempts`,
);

/**
 * Takes the claims that are due, longest waiting first, and sets in the same statement when each is due next. So claims that stay
 * open do not block others, and concurrent processes take different ones.
 */
export const takeDue = prepared<StoredClaim & { attempts: number }>(`
  with due as (
    select cl.id from claim cl join consent_grant g on g.id = cl.grant_id join client c on c.id = g.client_id and c.mode = $1
    where (${openClaim('cl')} or cl.next_attempt_at is not null)
      and cl.updated_at <= $2 and coalesce(cl.next_attempt_at, cl.updated_at) <= $3
    order by coalesce(cl.next_attempt_at, cl.updated_at) limit $4 for update of cl skip locked
  ), taken as (
    update claim set attempts = attempts + case when state = 'failed' then 1 else 0 end,
      next_attempt_at = case when state = 'failed' then $3::timestamptz + ${claimPause('attempts + 1')} else $5 end
    from due where claim.id = due.id returning claim.*
  )
  select ${STORED_CLAIM}, cl.attempts from taken cl join permit p on p.id = cl.permit_id`);
