/**
 * The rows that a timeline is made from, newest first.
 *
 * @module
 */
import type { Context } from '../../platform/context.ts';
import type { Prepared } from '../../platform/database/prepared.ts';
import { isUuid, type Uuid } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { AUDITED_FAILURES, OK, outcomeOfAudit } from './operations.ts';
import { FAILED, type Kinds, kindValues } from './request-filter.ts';
import { type RequestRow, withinPeriod } from './request-rows.ts';
import type { Scope } from './timeline-scope.ts';
import {
  type AuditRow,
  auditsOf,
  auditsOfActor,
  auditsOfRequests,
  type ClaimRow,
  claimsOf,
  type GrantRow,
  type ListingRow,
  newestOfClients,
  newestOfKindsOfClients,
  readGrants,
  readListings,
  readSessions,
  requestsById,
  requestsOf,
  requestsOfKinds,
  requestsOfKindsById,
  type SessionRow,
  type SignatureRow,
  signaturesOf,
} from './timeline-statements.ts';

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
  /** Only requests of these kinds, and other entries with the same outcome. */
  kinds?: Kinds | undefined;
}

/** Seconds. Audit entries are read this far beyond the period, to find the requests within it that wrote them. */
const LONGEST_REQUEST = 60;

/** Reads a timeline's rows in three rounds: rows that the scope names, rows that belong to those, and the requests that wrote them. */
export async function readRows({ pool }: Pick<Context, 'pool'>, scope: Scope, period: Period): Promise<Rows> {
  const { from, before, limit, kinds } = period;
  if (kinds?.operations || kinds?.lowestStatus != null) {
    return { ...NO_ROWS, requests: await readRequests(pool, scope, period) };
  }
  const time = [from, before, limit];
  const failures = failureFilter(kinds);
  const ofAudits = [from, after(before, LONGEST_REQUEST), 2 * limit, failures.actions, failures.only];
  const [named, audited, byActors, sessions, grants, signatures, claims] = await Promise.all([
    readRequests(pool, scope, period),
    readEach(pool, auditsOf, scope, ofAudits),
    Promise.all(scope.auditActors.map((actor) => auditsOfActor(pool, [actor, ...ofAudits]))),
    unlessEmpty(scope.sessions, (ids) => readSessions(pool, [ids])),
    unlessEmpty(scope.grants, (ids) => readGrants(pool, [ids])),
    readEach(pool, signaturesOf, scope, time).then((found) => uniqueBy(found, (row) => row.message_hash)),
    readEach(pool, claimsOf, scope, [...time, failures.only]).then(uniqueRows),
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
  const audits = uniqueRows([
    ...audited,
    ...byActors.flat(),
    ...ofRequests,
    ...ofChain.filter(isOfSignatures(signatures)),
  ]);
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
  const values = kinds === undefined ? [] : kindValues(kinds);
  const { at, id } = withinPeriod('newest', { from, to: before });
  const [newest, requests, byIds] =
    kinds === undefined
      ? [newestOfClients, requestsOf, requestsById]
      : [newestOfKindsOfClients, requestsOfKinds, requestsOfKindsById];
  const [ofClients, found, byId] = await Promise.all([
    unlessEmpty(scope.clients, (ids) => newest(pool, [...time, at, id, ids, ...values])),
    readEach(pool, requests, scope, [...time, ...values]),
    unlessEmpty(scope.requests, (ids) => byIds(pool, [ids, ...time, ...values])),
  ]);
  return uniqueRows([...ofClients, ...found, ...byId]);
}

/** Audited failures to leave out, or the only ones to read. All other audited actions succeeded. */
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
  return uniqueBy(rows, ({ id }) => id);
}

function uniqueBy<Row>(rows: Row[], keyOf: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}
