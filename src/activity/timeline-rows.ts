/**
 * The rows that a timeline is made from, newest first. Every statement uses an index and has a limit.
 *
 * @module
 */
import type { Context } from '../context.ts';
import { type Prepared, preparedWithDates } from '../database/prepared.ts';
import type { Claim } from '../entities/claim.ts';
import { isUuid, type Uuid } from '../identifier/type-id.ts';
import { after } from '../oauth/lifetimes.ts';
import { AUDITED_FAILURES, OK, outcomeOfAudit } from './operations.ts';
import { FAILED, type Kinds, kindCondition, kindValues } from './request-filter.ts';
import { REQUEST_COLUMNS, type RequestRow, requestsOfKindsOfClients, withinPeriod } from './request-rows.ts';
import type { Scope } from './timeline-scope.ts';

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

/** Columns of what concerns one permit of one grant. */
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

export interface Rows {
  requests: RequestRow[];
  audits: AuditRow[];
  sessions: SessionRow[];
  grants: GrantRow[];
  signatures: SignatureRow[];
  claims: ClaimRow[];
  listings: ListingRow[];
}

interface Period {
  from: Date;
  /** Exclusive. */
  before: Date;
  /** Rows of each kind and subject. */
  limit: number;
  /** Only such requests, and of the rest what has the same outcome. */
  kinds?: Kinds | undefined;
}

const AUDIT_COLUMNS = `id, at, actor, action, subject, details, request_id`;

/** The newest rows of each value, so that a busy subject does not make the statement read all rows of the others. */
const requestsBy = (column: string, condition = 'true') =>
  preparedWithDates<RequestRow>(`
    select found.* from unnest($1::uuid[]) as wanted (value) cross join lateral (
      select ${REQUEST_COLUMNS} from api_request r
      where ${column} = wanted.value and at >= $2 and at < $3 and ${condition}
      order by at desc limit $4) found`);
const requestsOfKindsBy = (column: string) => requestsBy(column, kindCondition('r', 5));
/** @see FailureFilter */
const auditsBy = (column: string) =>
  preparedWithDates<AuditRow>(`
    select found.* from unnest($1::text[]) as wanted (value) cross join lateral (
      select ${AUDIT_COLUMNS} from audit_entry where ${column} = wanted.value and at >= $2 and at < $3
        and (action = any($5::text[])) = $6
      order by id desc limit $4) found`);

const requestsOf = {
  clients: requestsBy('client_id'),
  grants: requestsBy('grant_id'),
  // requests with a grant are found by the grant
  fans: requestsBy('grant_id is null and fan_id'),
  sessions: requestsBy('session_id'),
};
const auditsOf = { auditSubjects: auditsBy('subject'), auditActors: auditsBy('actor') };
const auditsOfRequests = auditsBy('request_id');
export const requestsById = requestsBy('id');

/** Of clients, which have the most, the kinds are in an index. */
const newestOfKindsOfClients = requestsOfKindsOfClients('newest');
const requestsOfKinds = {
  grants: requestsOfKindsBy('grant_id'),
  fans: requestsOfKindsBy('grant_id is null and fan_id'),
  sessions: requestsOfKindsBy('session_id'),
};
const requestsOfKindsById = requestsOfKindsBy('id');

const readSessions = preparedWithDates<SessionRow>(`
  select s.id, s.client_id, c.name as client_name, s.fan_id, s.step, s.codes_sent, s.wrong_tries, s.created_at, s.expires_at
  from authorization_session s join client c on c.id = s.client_id where s.id = any($1)`);
const readGrants = preparedWithDates<GrantRow>(`
  select g.id, g.client_id, c.name as client_name, g.fan_id, g.scope, g.actions, g.mode, g.created_at, g.revoked_at,
    g.revoked_reason
  from consent_grant g join client c on c.id = g.client_id where g.id = any($1)`);

const OF_PERMIT = `join permit p on p.id = x.permit_id join consent_grant g on g.id = x.grant_id`;
const PERMIT_COLUMNS = `x.grant_id, g.client_id, g.fan_id, x.permit_id, p.ticket_id, p.tix_permit_id`;
const readSignatures = preparedWithDates<SignatureRow>(`
  select x.message_hash, x.action, x.sentence, x.signed_at, ${PERMIT_COLUMNS}
  from listing_signature x ${OF_PERMIT}
  where (x.grant_id = any($1) or x.permit_id = any($2)) and x.signed_at >= $3 and x.signed_at < $4
  order by x.signed_at desc limit $5`);
const readClaims = preparedWithDates<ClaimRow>(`
  select x.id, x.signature, x.state, x.failure, x.signer_wallet, x.destination_wallet, x.created_at, x.updated_at,
    ${PERMIT_COLUMNS}
  from claim x ${OF_PERMIT}
  where (x.grant_id = any($1) or x.permit_id = any($2) or x.id = any($3)) and x.updated_at >= $4 and x.created_at < $5
    and (not $7 or x.state = 'failed')
  order by x.id desc limit $6`);
const readListings = preparedWithDates<ListingRow>(`
  select l.id, l.permit_id, p.ticket_id, p.tix_permit_id, l.marketplace, l.price, l.opened_at, l.closed_at, l.outcome
  from listing l join permit p on p.id = l.permit_id
  where l.permit_id = any($1) and l.opened_at < $2 and coalesce(l.closed_at, l.opened_at) >= $3
  order by l.opened_at desc limit $4`);

/** Seconds. Audit entries are read so far beyond the period, to find the requests within it that wrote them. */
const LONGEST_REQUEST = 60;

/** Reads a timeline's rows in three rounds: what the scope names, what belongs to that, and the requests that did it. */
export async function readRows({ pool }: Pick<Context, 'pool'>, scope: Scope, period: Period): Promise<Rows> {
  const { from, before, limit, kinds } = period;
  if (kinds?.operations || kinds?.lowestStatus != null) {
    return { ...NO_ROWS, requests: await readRequests(pool, scope, period) };
  }
  const time = [from, before, limit];
  const failures = failureFilter(kinds);
  const ofAudits = [from, after(before, LONGEST_REQUEST), 2 * limit, failures.actions, failures.only];
  const [named, audited, sessions, grants, signatures, claims] = await Promise.all([
    readRequests(pool, scope, period),
    readEach(pool, auditsOf, scope, ofAudits),
    unlessEmpty(scope.sessions, (ids) => readSessions(pool, [ids])),
    unlessEmpty(scope.grants, (ids) => readGrants(pool, [ids])),
    readSignatures(pool, [scope.grants, scope.permits, ...time]),
    readClaims(pool, [scope.grants, scope.permits, scope.claims, ...time, failures.only]),
  ]);
  const touched = [...signatures, ...claims];
  const permits = unique([...scope.permits, ...touched.map((row) => row.permit_id)]);
  const chainNames = unique([...touched.map((row) => row.tix_permit_id), ...claims.map((row) => row.signature)]);
  const requestIds = unique([...scope.requests, ...named.map(({ id }) => id)]);
  const [listings, ofRequests, ofChain] = await Promise.all([
    unlessEmpty(permits, (ids) => readListings(pool, [ids, before, from, limit])),
    unlessEmpty(requestIds, (ids) => auditsOfRequests(pool, [ids, ...ofAudits])),
    unlessEmpty(chainNames, (names) => auditsOf.auditSubjects(pool, [names, ...ofAudits])),
  ]);
  const audits = uniqueRows([...audited, ...ofRequests, ...ofChain.filter(isOfSignatures(signatures))]);
  const known = new Set<string>(named.map(({ id }) => id));
  const missing = unique<string>(audits.flatMap(({ request_id: id }) => (id === null ? [] : [id])));
  const others = await unlessEmpty(
    missing.filter((id): id is Uuid => isUuid(id) && !known.has(id)),
    (ids) => readRequests(pool, { ...NO_SCOPE, requests: ids }, period),
  );
  return { requests: uniqueRows([...named, ...others]), audits, sessions, grants, signatures, claims, listings };
}

const NO_ROWS: Rows = { requests: [], audits: [], sessions: [], grants: [], signatures: [], claims: [], listings: [] };
const NO_SCOPE: RequestScope = { clients: [], grants: [], fans: [], sessions: [], requests: [] };
type RequestScope = Pick<Scope, 'clients' | 'grants' | 'fans' | 'sessions' | 'requests'>;

/** The requests that a scope names. */
async function readRequests(
  pool: Context['pool'],
  scope: RequestScope,
  { from, before, limit, kinds }: Period,
): Promise<RequestRow[]> {
  const time = [from, before, limit];
  if (kinds === undefined) {
    const [found, byId] = await Promise.all([
      readEach(pool, requestsOf, scope, time),
      unlessEmpty(scope.requests, (ids) => requestsById(pool, [ids, ...time])),
    ]);
    return uniqueRows([...found, ...byId]);
  }
  const values = kindValues(kinds);
  const { at, id } = withinPeriod('newest', { from, to: before });
  const [ofClients, found, byId] = await Promise.all([
    unlessEmpty(scope.clients, (ids) => newestOfKindsOfClients(pool, [...time, at, id, ids, ...values])),
    readEach(pool, requestsOfKinds, scope, [...time, ...values]),
    unlessEmpty(scope.requests, (ids) => requestsOfKindsById(pool, [ids, ...time, ...values])),
  ]);
  return uniqueRows([...ofClients, ...found, ...byId]);
}

/** Audited failures to leave out, or the only ones to read. Everything else that is audited went well. */
interface FailureFilter {
  actions: readonly string[];
  only: boolean;
}

function failureFilter(kinds: Kinds | undefined): FailureFilter {
  switch (kinds?.outcome) {
    case undefined:
    case null:
      return { actions: [], only: false };
    case OK:
      return { actions: AUDITED_FAILURES, only: false };
    case FAILED:
      return { actions: AUDITED_FAILURES, only: true };
    default:
      return { actions: AUDITED_FAILURES.filter((action) => outcomeOfAudit(action) === kinds?.outcome), only: true };
  }
}

/** A permit's audit entries contain every grant's signatures; a timeline shows only those in its scope. */
function isOfSignatures(signatures: SignatureRow[]): (audit: AuditRow) => boolean {
  const hashes = new Set<unknown>(signatures.map((signature) => signature.message_hash));
  return ({ action, details }) => action !== 'listing.co_signed' || hashes.has(details.message_hash);
}

async function readEach<Name extends string, Row extends object>(
  pool: Context['pool'],
  statements: Record<Name, Prepared<Row>>,
  scope: Record<NoInfer<Name>, string[]>,
  time: unknown[],
): Promise<Row[]> {
  const names = Object.keys(statements) as Name[];
  const found = await Promise.all(
    names.map((name) => unlessEmpty(scope[name], (values) => statements[name](pool, [values, ...time]))),
  );
  return found.flat();
}

async function unlessEmpty<Value, Row>(values: Value[], read: (values: Value[]) => Promise<Row[]>): Promise<Row[]> {
  return values.length === 0 ? [] : read(values);
}

function unique<Value>(values: Value[]): Value[] {
  return [...new Set(values)];
}

function uniqueRows<Row extends { id: string }>(rows: Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
