import type { Context } from '../../platform/context.ts';
import { isUuid } from '../../platform/identifier/type-id.ts';
import {
  describeAudit,
  describeClaim,
  describeGrant,
  describeListing,
  describeRequest,
  describeSession,
  describeSignature,
  type KeyedEntry,
  type References,
  type TimelineEntry,
} from './describe-entry.ts';
import { OK } from './operations.ts';
import { FAILED, kindsOf, type RequestFilter } from './request-filter.ts';
import type { Subject } from './subject.ts';
import { type Rows, readRows } from './timeline-rows.ts';
import { type Scope, scopeOf } from './timeline-scope.ts';
import { requestsById } from './timeline-statements.ts';

/** A page of a timeline, the oldest entry first. */
export interface Timeline {
  entries: TimelineEntry[];
  /** `before` of the page of earlier entries; undefined where there are none. */
  earlier: Date | undefined;
}

const FIRST = new Date(0);
const LAST = new Date('9999-01-01T00:00:00Z');

/**
 * One timeline from everything that was recorded: sign-in, codes, consent, tokens, API calls, co-signatures, the chain, and what staff
 * did. It contains no secret and no unmasked phone.
 * @param page `before`: exclusive end, undefined for the newest entries; `limit`: 1 to 500 entries, exceeded only by entries of the same
 * moment
 * @param filter an operation or a status selects requests only, as other entries have neither
 * @throws DomainError `invalid_request` for a bad filter
 */
export async function readTimeline(
  context: Pick<Context, 'pool'>,
  subjects: readonly Subject[],
  { before = LAST, limit }: { before?: Date | undefined; limit: number },
  filter: RequestFilter = {},
): Promise<Timeline> {
  const kinds = kindsOf(filter);
  const scope = union(await Promise.all(subjects.map((subject) => scopeOf(context, subject))));
  const from = newest(scope.from ?? FIRST, filter.from ?? FIRST);
  const end = oldest(before, scope.to ?? LAST, filter.to ?? LAST);
  const rows = await readRows(context, scope, { from, before: end, limit: limit + 1, kinds });
  const entries = merge(describe(rows)).filter(
    ({ at, outcome }) => at >= from && at < end && isWanted(outcome, kinds?.outcome ?? undefined),
  );
  entries.sort((one, other) => one.at.getTime() - other.at.getTime() || rank(one) - rank(other));
  const start = startOfPage(entries, limit);
  return { entries: entries.slice(start).map(withoutKey), earlier: start > 0 ? entries[start]?.at : undefined };
}

/** One request as a timeline entry; undefined where it is unknown or was deleted. */
export async function readRequest({ pool }: Pick<Context, 'pool'>, id: string): Promise<TimelineEntry | undefined> {
  const wanted = id.trim().toLowerCase();
  if (!isUuid(wanted)) return undefined;
  const [request] = await requestsById(pool, [[wanted], FIRST, LAST, 1]);
  return request && withoutKey(describeRequest(request));
}

function newest(...moments: Date[]): Date {
  return new Date(Math.max(...moments.map(Number)));
}

function oldest(...moments: Date[]): Date {
  return new Date(Math.min(...moments.map(Number)));
}

/** Whether an entry has the wanted outcome. Entries of one row may differ: a claim begins well and fails later. */
function isWanted(outcome: string, wanted: string | undefined): boolean {
  if (wanted === undefined || wanted === outcome) return true;
  return wanted === FAILED && outcome !== OK;
}

function withoutKey({ key: _, ...entry }: KeyedEntry): TimelineEntry {
  return entry;
}

/** The index of the last `limit` entries; entries of the same moment stay together. */
function startOfPage(entries: KeyedEntry[], limit: number): number {
  let start = Math.max(0, entries.length - limit);
  while (start > 0 && entries[start - 1]?.at.getTime() === entries[start]?.at.getTime()) start--;
  return start;
}

const NAMES = [
  ...(['clients', 'grants', 'fans', 'sessions', 'requests', 'permits', 'claims'] as const),
  ...(['auditSubjects', 'auditActors'] as const),
];

/** Several subjects have no common period. */
function union(scopes: Partial<Scope>[]): Scope {
  const all = NAMES.map((name) => [name, [...new Set<string>(scopes.flatMap((scope) => scope[name] ?? []))]]);
  const period =
    scopes.length === 1 ? { from: scopes[0]?.from, to: scopes[0]?.to } : { from: undefined, to: undefined };
  return { ...Object.fromEntries(all), ...period };
}

/** Of entries with the same key, the first in this order is shown. */
function describe(rows: Rows): KeyedEntry[] {
  return [
    ...rows.grants.flatMap(describeGrant),
    ...rows.signatures.map(describeSignature),
    ...rows.claims.flatMap(describeClaim),
    ...rows.listings.flatMap(describeListing),
    ...rows.requests.map(describeRequest),
    ...rows.sessions.map(describeSession),
    ...rows.audits.map(describeAudit),
  ];
}

/** One entry of each key. Fields that it lacks are taken from the others of its key, then from the request that wrote it. */
function merge(entries: KeyedEntry[]): KeyedEntry[] {
  const merged = new Map<string, KeyedEntry>();
  for (const entry of entries) {
    const first = merged.get(entry.key);
    if (!first) merged.set(entry.key, entry);
    else {
      const references = fill(first.references, entry.references);
      merged.set(entry.key, { ...first, references, details: { ...entry.details, ...first.details } });
    }
  }
  const requests = new Map<string, References>();
  for (const { kind, references } of merged.values()) {
    if (kind === 'request' && references.requestId !== null) requests.set(references.requestId, references);
  }
  return [...merged.values()].map((entry) => {
    const request = requests.get(entry.references.requestId ?? '');
    return request ? { ...entry, references: fill(entry.references, request) } : entry;
  });
}

function fill(first: References, more: References): References {
  const missing = Object.entries(more).filter(([name]) => first[name as keyof References] === null);
  return { ...first, ...Object.fromEntries(missing) };
}

/** At the same moment, a request sorts before the entries that it wrote. */
function rank({ kind }: KeyedEntry): number {
  return kind === 'request' ? 0 : 1;
}
