import type { Context } from '../context.ts';
import { isUuid } from '../identifier/type-id.ts';
import type { Subject } from './subject.ts';
import {
  type References,
  type TimelineEntry,
  type Told,
  tellAudit,
  tellClaim,
  tellGrant,
  tellListing,
  tellRequest,
  tellSession,
  tellSignature,
} from './tell-entry.ts';
import { type Rows, readRows, requestsById } from './timeline-rows.ts';
import { type Scope, scopeOf } from './timeline-scope.ts';

/** A part of a story, in the order in which it happened. */
export interface Timeline {
  entries: TimelineEntry[];
  /** Where the part before this one ends: the next call's `before`. Undefined at the beginning of the story. */
  earlier: Date | undefined;
}

export interface TimelinePart {
  /** Only what happened before this moment; undefined for the newest part. */
  before?: Date | undefined;
  /** Entries, 1 to 500; a few more where several happened in the same moment. */
  limit: number;
}

const FIRST = new Date(0);
const LAST = new Date('9999-01-01T00:00:00Z');

/**
 * One story from all that was written down: sign-in, codes, consent, tokens, API calls, co-signatures, the chain, and what
 * staff did. It holds no secret and no phone in clear.
 * @param subjects of whom or what; usually one
 */
export async function readTimeline(
  context: Pick<Context, 'pool'>,
  subjects: readonly Subject[],
  { before = LAST, limit }: TimelinePart,
): Promise<Timeline> {
  const scope = joined(await Promise.all(subjects.map((subject) => scopeOf(context, subject))));
  const from = scope.from ?? FIRST;
  const end = scope.to !== undefined && scope.to < before ? scope.to : before;
  const rows = await readRows(context, scope, { from, before: end, limit: limit + 1 });
  const told = merge(tell(rows)).filter(({ at }) => at >= from && at < end);
  told.sort((one, other) => one.at.getTime() - other.at.getTime() || rank(one) - rank(other));
  const cut = cutAt(told, limit);
  return { entries: told.slice(cut).map(withoutKey), earlier: cut > 0 ? told[cut]?.at : undefined };
}

/** One request as its story tells it; undefined where it is not known (any more). */
export async function readRequest({ pool }: Pick<Context, 'pool'>, id: string): Promise<TimelineEntry | undefined> {
  const wanted = id.trim().toLowerCase();
  if (!isUuid(wanted)) return undefined;
  const [told] = (await requestsById(pool, [[wanted], FIRST, LAST, 1])).flatMap(tellRequest);
  return told && withoutKey(told);
}

function withoutKey({ key: _, ...entry }: Told): TimelineEntry {
  return entry;
}

/** Where the last `limit` entries begin; what happened in the same moment stays together. */
function cutAt(told: Told[], limit: number): number {
  let cut = Math.max(0, told.length - limit);
  while (cut > 0 && told[cut - 1]?.at.getTime() === told[cut]?.at.getTime()) cut--;
  return cut;
}

function joined(parts: Partial<Scope>[]): Scope {
  const all = <Name extends Exclude<keyof Scope, 'from' | 'to'>>(name: Name) =>
    [...new Set<string>(parts.flatMap((part) => part[name] ?? []))] as Scope[Name];
  const [only, ...more] = parts;
  return {
    clients: all('clients'),
    grants: all('grants'),
    fans: all('fans'),
    sessions: all('sessions'),
    requests: all('requests'),
    permits: all('permits'),
    claims: all('claims'),
    auditSubjects: all('auditSubjects'),
    auditActors: all('auditActors'),
    from: more.length === 0 ? only?.from : undefined,
    to: more.length === 0 ? only?.to : undefined,
  };
}

/** Where two sources tell the same, the earlier one here tells it. */
function tell(rows: Rows): Told[] {
  return [
    rows.grants.flatMap(tellGrant),
    rows.signatures.flatMap(tellSignature),
    rows.claims.flatMap(tellClaim),
    rows.listings.flatMap(tellListing),
    rows.requests.flatMap(tellRequest),
    rows.sessions.flatMap(tellSession),
    rows.audits.flatMap(tellAudit),
  ].flat();
}

/** One entry of each key, which takes from the others what it has not; then from the request in which it was done. */
function merge(told: Told[]): Told[] {
  const merged = new Map<string, Told>();
  for (const entry of told) {
    const known = merged.get(entry.key);
    merged.set(entry.key, known ? { ...known, ...filled(known, entry) } : entry);
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

function filled(known: Told, more: Told): Pick<Told, 'references' | 'details'> {
  return { references: fill(known.references, more.references), details: { ...more.details, ...known.details } };
}

function fill(known: References, more: References): References {
  const names = Object.keys(known) as (keyof References)[];
  return Object.fromEntries(names.map((name) => [name, known[name] ?? more[name]])) as unknown as References;
}

/** In one moment a request comes before what it did. */
function rank({ kind }: Told): number {
  return kind === 'request' ? 0 : 1;
}
