import { CLAIM_STATES } from '../../entities/claim.ts';
import { LISTING_ACTIONS } from '../../entities/listing.ts';
import type { SqlContext } from '../../platform/context.ts';
import { prepared, preparedWithDates } from '../../platform/database/prepared.ts';
import { type Id, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { type Latency, readLatency } from './latency.ts';
import type { Operation } from './operation-texts.ts';
import { FAN_OPERATIONS, OK, OPERATION_GROUPS } from './operations.ts';

/** Periods of the charts: buckets of five minutes, an hour and a day (UTC). */
const PERIODS = {
  hour: { buckets: 12, bucketMinutes: 5 },
  day: { buckets: 24, bucketMinutes: 60 },
  month: { buckets: 30, bucketMinutes: 1440 },
} as const;
export type Period = keyof typeof PERIODS;
export const PERIOD_NAMES = Object.keys(PERIODS) as [Period, ...Period[]];

/** One line or bar of a chart. */
export interface Series {
  name: string;
  /** One per bucket. */
  values: number[];
  total: number;
}

export interface Dashboard {
  /** The beginning of each bucket; the last one is not over yet. */
  buckets: Date[];
  /** Sign-ins: `started`, `code_sent` (resends too), `verified`, `consented`, `tokens`. */
  funnel: Series[];
  /** `exchanged`, `refreshed`, `refused`. */
  tokens: Series[];
  /** Calls of the Fan API: `2xx`, `4xx`, `5xx`. */
  calls: Series[];
  /** Transactions co-signed: `list`, `cancel`. */
  signatures: Series[];
  /** Refused requests for co-signatures by reason, the most frequent first. */
  refusals: Series[];
  /** Claims by state, at the time of their last change. */
  claims: Series[];
  /** Codes by SMS, production only: `sent`, `verified`. */
  sms: Series[];
  /** Per operation that was called. */
  latency: Latency[];
  /** When measuring began, where that is within the period. */
  latencySince: Date | undefined;
}

interface Counted {
  bucket: Date;
  name: string;
  count: number;
}

interface Traffic {
  bucket: Date;
  operation: string;
  status_class: number;
  outcome: string;
  production: boolean;
  count: number;
}

/** A few hundred rows at most: the kinds of answers times the buckets. */
const OF_TRAFFIC = `
  select t.bucket, t.operation,
    t.status / 100 as status_class, t.outcome, coalesce(c.mode = 'production', false) as production,
    sum(t.count)::int as count
  from traffic t left join client c on c.id = t.client_id
  where t.span_minutes = $1 and t.bucket >= $2 and t.operation = any($3)`;
const GROUPED = 'group by 1, 2, 3, 4, 5';
const readTraffic = preparedWithDates<Traffic>(`${OF_TRAFFIC} ${GROUPED}`);
const readTrafficOf = preparedWithDates<Traffic>(`${OF_TRAFFIC} and t.client_id = $4 ${GROUPED}`);

/** Tables that are counted by name and time: each has an index that begins with both, and ends with the grant. */
const SIGNATURES = { table: 'listing_signature', name: 'action', at: 'signed_at', names: LISTING_ACTIONS };
const CLAIMS = { table: 'claim', name: 'state', at: 'updated_at', names: CLAIM_STATES };
type Source = typeof SIGNATURES | typeof CLAIMS;

/** Counts one range of the index for each bucket and name; grouping the rows would take twice as long. */
function counted({ table, name, at, names }: Source) {
  return preparedWithDates<Counted>(
    `select bucket, name, count from unnest($2::timestamptz[]) bucket cross join unnest(${textArray(names)}) name
       cross join lateral (select count(*)::int as count from ${table} x
         where x.${name} = name and x.${at} >= bucket and x.${at} < bucket + make_interval(mins => $1)) found
     where count > 0`,
  );
}

/** As `counted`, of the client `$3`. With a condition on the names, the index that has the grants is enough. */
function countedOfClient({ table, name, at, names }: Source) {
  return preparedWithDates<Counted>(
    `select date_bin(make_interval(mins => $1), x.${at}, timestamptz 'epoch') as bucket, x.${name} as name,
       count(*)::int as count
     from ${table} x join consent_grant g on g.id = x.grant_id and g.client_id = $3
     where x.${name} = any(${textArray(names)}) and x.${at} >= ($2::timestamptz[])[1] group by 1, 2`,
  );
}

function textArray(names: readonly string[]): string {
  return `array[${names.map((name) => `'${name}'`).join(', ')}]`;
}

const signatures = counted(SIGNATURES);
const signaturesOf = countedOfClient(SIGNATURES);
const claims = counted(CLAIMS);
const claimsOf = countedOfClient(CLAIMS);

/** Refusal reasons with a series of their own. */
const MOST_REASONS = 8;

const TOKENS: Operation[] = ['token.exchange', 'token.refresh', 'token.request'];
const FUNNEL: [string, Operation][] = [
  ['started', 'authorize.start'],
  ['code_sent', 'login.phone.sendCode'],
  ['verified', 'login.phone.verifyCode'],
  ['consented', 'login.consent.grant'],
  ['tokens', 'token.exchange'],
];
const COUNTED: Operation[] = [...new Set([...FUNNEL.map(([, operation]) => operation), ...TOKENS, ...FAN_OPERATIONS])];

/** Reads the charts of one client or of all. Counts of requests are up to a second late. */
export async function readDashboard(
  { pool, now }: SqlContext,
  { clientId, period }: { clientId?: Id<'client'> | undefined; period: Period },
): Promise<Dashboard> {
  const { bucketMinutes } = PERIODS[period];
  const buckets = bucketsUntil(now(), period);
  const [from = now()] = buckets;
  const client = clientId === undefined ? [] : [uuidOf('client', clientId)];
  const one = client.length > 0;
  const [traffic, signed, claimed, { latency, since }] = await Promise.all([
    (one ? readTrafficOf : readTraffic)(pool, [bucketMinutes, from, COUNTED, ...client]),
    (one ? signaturesOf : signatures)(pool, [bucketMinutes, buckets, ...client]),
    (one ? claimsOf : claims)(pool, [bucketMinutes, buckets, ...client]),
    readLatency({ pool }, { bucketMinutes, from, client: client[0] }),
  ]);
  const series = (name: string, rows: readonly { bucket: Date; count: number }[]) => toSeries(name, rows, buckets);
  const answered = (operation: Operation) => traffic.filter((row) => row.operation === operation && row.outcome === OK);
  const named = (names: readonly string[], rows: Counted[]) =>
    names.map((name) =>
      series(
        name,
        rows.filter((row) => row.name === name),
      ),
    );
  const calls = traffic.filter(({ operation }) => (FAN_OPERATIONS as string[]).includes(operation));
  const inProduction = (operation: Operation) => answered(operation).filter(({ production }) => production);
  return {
    buckets,
    funnel: FUNNEL.map(([name, operation]) => series(name, answered(operation))),
    tokens: [
      series('exchanged', answered('token.exchange')),
      series('refreshed', answered('token.refresh')),
      series(
        'refused',
        traffic.filter((row) => (TOKENS as string[]).includes(row.operation) && row.outcome !== OK),
      ),
    ],
    calls: [2, 4, 5].map((status) =>
      series(
        `${status}xx`,
        calls.filter((row) => row.status_class === status),
      ),
    ),
    signatures: named(LISTING_ACTIONS, signed),
    refusals: byReason(traffic).map(([reason, rows]) => series(reason, rows)),
    claims: named(CLAIM_STATES, claimed),
    sms: [
      series('sent', inProduction('login.phone.sendCode')),
      series('verified', inProduction('login.phone.verifyCode')),
    ],
    latency,
    latencySince: traffic.some(({ bucket }) => since !== undefined && bucket < since) ? since : undefined,
  };
}

function bucketsUntil(now: Date, period: Period): Date[] {
  const { buckets, bucketMinutes } = PERIODS[period];
  const length = bucketMinutes * 60_000;
  const last = Math.floor(now.getTime() / length) * length;
  return Array.from({ length: buckets }, (_, index) => new Date(last - (buckets - 1 - index) * length));
}

function toSeries(name: string, rows: readonly { bucket: Date; count: number }[], buckets: Date[]): Series {
  const counts = new Map<number, number>();
  for (const { bucket, count } of rows) counts.set(bucket.getTime(), (counts.get(bucket.getTime()) ?? 0) + count);
  const values = buckets.map((bucket) => counts.get(bucket.getTime()) ?? 0);
  return { name, values, total: values.reduce((sum, value) => sum + value, 0) };
}

/** Refused requests for co-signatures: the most frequent reasons, and `others` for the rest together. */
function byReason(traffic: Traffic[]): [string, Traffic[]][] {
  const refused = traffic.filter((row) => row.operation === 'listings.sign' && row.outcome !== OK);
  const reasons = [...Map.groupBy(refused, ({ outcome }) => outcome)];
  const total = (rows: Traffic[]) => rows.reduce((sum, { count }) => sum + count, 0);
  reasons.sort(([, one], [, other]) => total(other) - total(one));
  const rest = reasons.slice(MOST_REASONS).flatMap(([, rows]) => rows);
  return [...reasons.slice(0, MOST_REASONS), ...(rest.length > 0 ? [['others', rest] as [string, Traffic[]]] : [])];
}

/** A client most of whose calls are refused or fail. */
export interface FailingClient {
  client_id: Uuid;
  calls: number;
  failed: number;
}

const OPERATIONS = [...FAN_OPERATIONS, ...OPERATION_GROUPS.token.operations];
const LOOKED_BACK = 3600;

/** Reads the counts of five minutes; fewer than 20 calls prove nothing. */
const read = prepared<FailingClient>(`
  select client_id, calls, failed from (
    select t.client_id, sum(t.count)::int as calls, sum(t.count) filter (where t.outcome <> '${OK}')::int as failed
    from traffic t join client c on c.id = t.client_id and c.mode = 'production'
    where t.span_minutes = 5 and t.bucket > $1 and t.operation = any($2) group by t.client_id) counted
  where calls >= 20 and failed * 2 > calls order by failed desc limit 5`);

/** The worst five production clients whose calls of the Fan API and for tokens mostly failed in the last hour. */
export function readFailingClients({ pool, now }: SqlContext): Promise<FailingClient[]> {
  return read(pool, [after(now(), -LOOKED_BACK), OPERATIONS]);
}
