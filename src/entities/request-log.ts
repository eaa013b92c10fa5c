import { defineEntity, p } from '@mikro-orm/core';
import { sqlIndex, uniqueSqlIndex } from './sql-index.ts';

/** An index entry per second and not per moment: rows of one second share it, 6 bytes each. The order within a second is sorted. */
const SECOND = "date_trunc('second', at at time zone 'UTC')";

/** In characters. */
export const PATH_LENGTH = 200;

/**
 * An answered request, without query, body or secrets; of a refusal its message is kept. References have no foreign keys: entries outlive
 * what they refer to, and are written in batches after the answers. The table has a partition per day (`request-log-days.ts`).
 */
const LoggedRequestSchema = defineEntity({
  name: 'LoggedRequest',
  tableName: 'request_log',
  indexes: [
    // the console's list of requests
    sqlIndex('request_log_second', `on request_log (${SECOND})`),
    // the same of clients: workspace, page and timeline of a client, use of its limits
    sqlIndex('request_log_client_second', `on request_log (client_id, ${SECOND}) where client_id is not null`),
    // both lists filtered, by finding requests of one kind in their order (`activity/request-rows.ts`)
    sqlIndex('request_log_kind', `on request_log (outcome, operation, status, ${SECOND})`),
    sqlIndex('request_log_client_kind', `on request_log (client_id, outcome, operation, status, ${SECOND})`),
    // timelines of grants, fans and requests; last use in the portal
    { properties: ['grant', 'at'] },
    // refused attempts in the portal
    sqlIndex('request_log_refused_grant', "on request_log (grant_id, at) where outcome <> 'ok'"),
    // timelines of sign-ins, and a consent whose answer was lost
    sqlIndex('request_log_of_session', 'on request_log (session_id, at) where session_id is not null'),
    // timelines of fans: most requests have a grant, and are found by it
    sqlIndex('request_log_of_fan', 'on request_log (fan_id, at) where grant_id is null and fan_id is not null'),
  ],
  properties: {
    /** The request id in the answer: pages of a request, and a token call whose answer was lost. */
    id: p.uuid().primary(),
    at: p.datetime().primary(),
    /** What was called, such as `tickets.list` or `token.refresh` (`activity/operation-texts.ts`). */
    operation: p.string().length(40),
    method: p.string().length(10),
    /** Of a call that is no operation, without anything that looks like a secret. */
    path: p.string().length(PATH_LENGTH).nullable(),
    status: p.smallint(),
    /** `ok`, or the stable code of the refusal. */
    outcome: p.string().length(60),
    /** The message of a refusal, without anything that looks like a secret (`activity/redact-message.ts`). */
    message: p.string().length(500).nullable(),
    durationMs: p.integer(),
    client: p.uuid().nullable().name('client_id'),
    grant: p.uuid().nullable().name('grant_id'),
    fan: p.uuid().nullable().name('fan_id'),
    session: p.uuid().nullable().name('session_id'),
    /** The number of requests that the row is for: 1, and more where successes are sampled. */
    weight: p.integer().default(1),
  },
});

export class LoggedRequest extends LoggedRequestSchema.class {}
LoggedRequestSchema.setClass(LoggedRequest);

/**
 * Requests counted per period, for dashboards. Each is counted for five minutes and for an hour (kept for two days), and for a day of
 * UTC (kept for 31), so that each chart reads few rows.
 */
const TrafficSchema = defineEntity({
  name: 'Traffic',
  indexes: [
    uniqueSqlIndex(
      'traffic_one_each',
      'on traffic (span_minutes, bucket, client_id, operation, status, outcome) nulls not distinct',
    ),
    { properties: ['client', 'spanMinutes', 'bucket'] },
  ],
  properties: {
    id: p.bigint().primary().autoincrement(),
    /** 5, 60 or 1440. */
    spanMinutes: p.smallint(),
    /** The start of the period. */
    bucket: p.datetime(),
    client: p.uuid().nullable().name('client_id'),
    operation: p.string().length(40),
    status: p.smallint(),
    outcome: p.string().length(60),
    count: p.integer(),
    totalMs: p.bigint(),
  },
});

export class Traffic extends TrafficSchema.class {}
TrafficSchema.setClass(Traffic);

/**
 * How long requests took, per operation and period: counts by slot (`activity/latency.ts`), without trailing zeros. Rows
 * without a client are of all clients together. Kept as long as the traffic of the same period.
 */
const LatencySchema = defineEntity({
  name: 'Latency',
  indexes: [
    uniqueSqlIndex('latency_one_each', 'on latency (span_minutes, client_id, bucket, operation) nulls not distinct'),
    { properties: ['spanMinutes', 'bucket'] },
  ],
  properties: {
    id: p.bigint().primary().autoincrement(),
    /** 5, 60 or 1440. */
    spanMinutes: p.smallint(),
    /** The start of the period. */
    bucket: p.datetime(),
    client: p.uuid().nullable().name('client_id'),
    operation: p.string().length(40),
    counts: p.array().columnType('int[]'),
  },
});

export class Latency extends LatencySchema.class {}
LatencySchema.setClass(Latency);
