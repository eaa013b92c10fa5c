import { defineEntity, p } from '@mikro-orm/core';
import { sqlIndex, uniqueSqlIndex } from './sql-index.ts';

/**
 * An answered request, kept for 30 days, without query, body or secrets; of a refusal its message is kept. References have no foreign
 * keys: entries outlive what they refer to, and are written in batches after the answers.
 */
const ApiRequestSchema = defineEntity({
  name: 'ApiRequest',
  indexes: [
    { properties: ['client', 'at'] },
    { properties: ['grant', 'at'] },
    // for the filters: finds requests of one kind in their order (`activity/request-list.ts`)
    { properties: ['operation', 'status', 'outcome', 'at'] },
    { properties: ['client', 'operation', 'status', 'outcome', 'at'] },
    sqlIndex('api_request_of_session', 'on api_request (session_id, at) where session_id is not null'),
    sqlIndex('api_request_refused_grant', "on api_request (grant_id, at) where outcome <> 'ok'"),
    // most requests have a grant, and are found by it
    sqlIndex('api_request_of_fan', 'on api_request (fan_id, at) where grant_id is null and fan_id is not null'),
  ],
  properties: {
    /** The request id in the answer. */
    id: p.uuid().primary(),
    at: p.datetime().index(),
    /** What was called, such as `tickets.list` or `token.refresh` (`activity/operation-texts.ts`). */
    operation: p.string().length(40),
    method: p.string().length(10),
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
  },
});

export class ApiRequest extends ApiRequestSchema.class {}
ApiRequestSchema.setClass(ApiRequest);

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
