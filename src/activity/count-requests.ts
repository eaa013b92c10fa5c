import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import { after } from '../oauth/lifetimes.ts';
import { FINE_TRAFFIC_KEPT } from './purge-activity.ts';
import { type Kinds, kindCondition, kindsOf, kindValues } from './request-filter.ts';
import { clientsOf, periodOf, type RequestListFilter } from './request-list.ts';

/** A part of a period: counted already, by periods of `span` minutes; or, without a span, to be counted in the log. */
interface Part {
  span: number | undefined;
  from: Date;
  to: Date;
}

const ANY: Kinds = { operations: null, outcome: null, lowestStatus: null, highestStatus: null };

const ofClients = (column: string) => `($7::uuid[] is null or ${column} = any($7))`;
const countLogged = prepared<{ count: number }>(`
  select count(*)::int as count from api_request r
  where at >= $1 and at < $2 and ${kindCondition('r', 3)} and ${ofClients('r.client_id')}`);
const sumTraffic = prepared<{ count: number }>(`
  select coalesce(sum(count), 0)::int as count from traffic t
  where bucket >= $1 and bucket < $2 and ${kindCondition('t', 3)} and ${ofClients('t.client_id')} and span_minutes = $8`);

const MINUTE = 60_000;
const DAY_SPAN = 1440;
const FINE_SPANS = [60, 5];
/** Seconds by which the purge may be ahead of this process's clock. */
const MARGIN = 3600;

/**
 * How many requests a filter leaves. Whole days, and of the last two days whole hours and five minutes, are counted
 * already; only what is left at the ends is counted in the log.
 * @throws DomainError `invalid_request` for a bad filter
 */
export async function countRequests(
  context: Pick<Context, 'pool' | 'now'>,
  filter: RequestListFilter,
): Promise<number> {
  const values = kindValues(kindsOf(filter) ?? ANY);
  const clients = (await clientsOf(context, filter)) ?? null;
  const now = context.now();
  const { from, to } = periodOf(context, filter);
  // nothing is counted beyond the present, so that its day may be taken whole
  const end = to > now ? ceil(now, DAY_SPAN) : to;
  const counts = await Promise.all(
    partsOf(from, end, after(now, MARGIN - FINE_TRAFFIC_KEPT)).map(async (part) => {
      const given = [part.from, part.to, ...values, clients];
      const [row] = await (part.span === undefined
        ? countLogged(context.pool, given)
        : sumTraffic(context.pool, [...given, part.span]));
      return row?.count ?? 0;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** @param fineFrom from here on there are counts of less than a day */
function partsOf(from: Date, to: Date, fineFrom: Date, spans: readonly number[] = [DAY_SPAN, ...FINE_SPANS]): Part[] {
  if (from >= to) return [];
  const [span, ...finer] = spans;
  const isCounted = span === DAY_SPAN || (span !== undefined && from >= fineFrom);
  if (!isCounted) return [{ span: undefined, from, to }];
  const [first, last] = [ceil(from, span), floor(to, span)];
  if (first >= last) return partsOf(from, to, fineFrom, finer);
  return [
    ...partsOf(from, first, fineFrom, finer),
    { span, from: first, to: last },
    ...partsOf(last, to, fineFrom, finer),
  ];
}

function floor(at: Date, minutes: number): Date {
  return new Date(Math.floor(at.getTime() / (minutes * MINUTE)) * minutes * MINUTE);
}

function ceil(at: Date, minutes: number): Date {
  return new Date(Math.ceil(at.getTime() / (minutes * MINUTE)) * minutes * MINUTE);
}
