/**
 * The statements of a timeline's rows, and the shapes of these. Every statement uses an index and has a limit.
 *
 * @module
 */

import type { Claim } from '../../entities/claim.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import { kindCondition } from './request-filter.ts';
import { REQUEST_COLUMNS, type RequestRow, requestsBeyond } from './request-rows.ts';

export interface AuditRow {
  id: Uuid;
  at: Date;
  actor: string;
  action: string;
  subject: string;
  details: Record<string, unknown>;
  request_id: string | null;
}

export interface SessionRow {
  id: Uuid;
  client_id: Uuid;
  client_name: string;
  fan_id: Uuid | null;
  step: string;
  codes_sent: number;
  wrong_tries: number;
  created_at: Date;
  expires_at: Date;
}

export interface GrantRow {
  id: Uuid;
  client_id: Uuid;
  client_name: string;
  fan_id: Uuid;
  scope: string;
  actions: string[];
  mode: string;
  created_at: Date;
  revoked_at: Date | null;
  revoked_reason: string | null;
}

/** Columns of rows about one permit of one grant. */
interface PermitOfGrant {
  grant_id: Uuid;
  client_id: Uuid;
  fan_id: Uuid;
  permit_id: Uuid;
  ticket_id: Uuid;
  tix_permit_id: string;
}

export interface SignatureRow extends PermitOfGrant {
  message_hash: string;
  action: string;
  sentence: string;
  signed_at: Date;
}

export interface ClaimRow extends PermitOfGrant {
  id: Uuid;
  signature: string;
  state: Claim['state'];
  failure: string | null;
  signer_wallet: string;
  destination_wallet: string;
  created_at: Date;
  updated_at: Date;
}

export interface ListingRow {
  id: Uuid;
  permit_id: Uuid;
  ticket_id: Uuid;
  tix_permit_id: string;
  marketplace: string;
  price: string;
  opened_at: Date;
  closed_at: Date | null;
  outcome: string | null;
}

const AUDIT_COLUMNS = `id, at, actor, action, subject, details, request_id`;

/** The newest rows of each value, so that a busy subject does not make the statement read all rows of the others. */
const requestsBy = (column: string, condition = 'true') =>
  preparedWithDates<RequestRow>(`
    select found.* from unnest($1::uuid[]) as wanted (value) cross join lateral (
      select ${REQUEST_COLUMNS} from request_log r
      where ${column} = wanted.value and at >= $2 and at < $3 and ${condition}
      order by at desc limit $4) found`);
const requestsOfKindsBy = (column: string) => requestsBy(column, kindCondition('r', 5));
/** The sum hides `at` from its index, with which a plan for any period would read the whole log. @see FailureFilter */
const auditsBy = (column: string) =>
  preparedWithDates<AuditRow>(`
    select found.* from unnest($1::text[]) as wanted (value) cross join lateral (
      select ${AUDIT_COLUMNS} from audit_entry
      where ${column} = wanted.value and at + interval '0' >= $2 and at + interval '0' < $3
        and (action = any($5::text[])) = $6
      order by id desc limit $4) found`);

export const requestsOf = {
  grants: requestsBy('grant_id'),
  // requests with a grant are found by the grant
  fans: requestsBy('grant_id is null and fan_id'),
  sessions: requestsBy('session_id'),
};
export const auditsOf = { auditSubjects: auditsBy('subject') };
/** Of one actor, whom the planner has to see: some actors wrote half of the log, most next to nothing. */
export const auditsOfActor = preparedWithDates<AuditRow>(`
  select ${AUDIT_COLUMNS} from audit_entry where actor = $1 and at >= $2 and at < $3 and (action = any($5::text[])) = $6
  order by id desc limit $4`);
export const auditsOfRequests = auditsBy('request_id');
export const requestsById = requestsBy('id');

/** Clients have the most requests. */
export const newestOfClients = requestsBeyond('newest', { ofClients: true, ofKinds: false });
export const newestOfKindsOfClients = requestsBeyond('newest', { ofClients: true, ofKinds: true });
export const requestsOfKinds = {
  grants: requestsOfKindsBy('grant_id'),
  fans: requestsOfKindsBy('grant_id is null and fan_id'),
  sessions: requestsOfKindsBy('session_id'),
};
export const requestsOfKindsById = requestsOfKindsBy('id');

export const readSessions = preparedWithDates<SessionRow>(`
  select s.id, s.client_id, c.name as client_name, s.fan_id, s.step, coalesce(h.codes_sent, 0) as codes_sent,
    coalesce(h.wrong_tries, 0) as wrong_tries, s.created_at, s.expires_at
  from authorization_session s join client c on c.id = s.client_id
    left join phone_challenge h on h.purpose = 'login' and h.owner = s.id::text
  where s.id = any($1)`);
export const readGrants = preparedWithDates<GrantRow>(`
  select g.id, g.client_id, c.name as client_name, g.fan_id, g.scope, g.actions, g.mode, g.created_at, g.revoked_at,
    g.revoked_reason
  from consent_grant g join client c on c.id = g.client_id where g.id = any($1)`);

const OF_PERMIT = `join permit p on p.id = x.permit_id join consent_grant g on g.id = x.grant_id`;
const PERMIT_COLUMNS = `x.grant_id, g.client_id, g.fan_id, x.permit_id, p.ticket_id, p.tix_permit_id`;
/** One value after the other, each by its index: for alternatives in one condition the planner would read the whole table in order. */
const signaturesBy = (column: string) =>
  preparedWithDates<SignatureRow>(`
    select x.message_hash, x.action, x.sentence, x.signed_at, ${PERMIT_COLUMNS}
    from unnest($1::uuid[]) as wanted (value) cross join lateral (
      select * from listing_signature where ${column} = wanted.value and signed_at >= $2 and signed_at < $3
      order by signed_at desc limit $4) x ${OF_PERMIT}`);
const claimsBy = (column: string) =>
  preparedWithDates<ClaimRow>(`
    select x.id, x.signature, x.state, x.failure, x.signer_wallet, x.destination_wallet, x.created_at, x.updated_at,
      ${PERMIT_COLUMNS}
    from unnest($1::uuid[]) as wanted (value) cross join lateral (
      select * from claim where ${column} = wanted.value and updated_at >= $2 and created_at < $3 and (not $5 or state = 'failed')
      order by id desc limit $4) x ${OF_PERMIT}`);
export const signaturesOf = { grants: signaturesBy('grant_id'), permits: signaturesBy('permit_id') };
export const claimsOf = { grants: claimsBy('grant_id'), permits: claimsBy('permit_id'), claims: claimsBy('id') };
export const readListings = preparedWithDates<ListingRow>(`
  select l.id, l.permit_id, p.ticket_id, p.tix_permit_id, l.marketplace, l.price, l.opened_at, l.closed_at, l.outcome
  from listing l join permit p on p.id = l.permit_id
  where l.permit_id = any($1) and l.opened_at < $2 and coalesce(l.closed_at, l.opened_at) >= $3
  order by l.opened_at desc limit $4`);
