import { defineEntity, p } from '@mikro-orm/core';

/**
 * A request that was answered, kept for 30 days: who, what, how it ended. No body, no query, no secret. References are
 * plain `uuid`s without foreign keys: a log outlives what it tells of, and is written in batches, behind the answers.
 */
const ApiRequestSchema = defineEntity({
  name: 'ApiRequest',
  indexes: [
    { properties: ['client', 'at'] },
    { properties: ['grant', 'at'] },
    {
      name: 'api_request_of_session',
      expression: 'create index api_request_of_session on api_request (session_id, at) where session_id is not null',
    },
    {
      name: 'api_request_refused_grant',
      expression: "create index api_request_refused_grant on api_request (grant_id, at) where outcome <> 'ok'",
    },
    {
      // with a grant they are found by that: most requests have one
      name: 'api_request_of_fan',
      expression:
        'create index api_request_of_fan on api_request (fan_id, at) where grant_id is null and fan_id is not null',
    },
  ],
  properties: {
    /** The request id that the answer carried. */
    id: p.uuid().primary(),
    at: p.datetime().index(),
    /** What was called, such as `tickets.list` or `token.refresh` (`activity/operations.ts`). */
    operation: p.string().length(40),
    method: p.string().length(10),
    status: p.smallint(),
    /** `ok`, or the stable code of the refusal. */
    outcome: p.string().length(60),
    durationMs: p.integer(),
    client: p.uuid().nullable().name('client_id'),
    grant: p.uuid().nullable().name('grant_id'),
    fan: p.uuid().nullable().name('fan_id'),
    session: p.uuid().nullable().name('session_id'),
  },
});

export class ApiRequest extends ApiRequestSchema.class {}
ApiRequestSchema.setClass(ApiRequest);
