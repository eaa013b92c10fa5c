/**
 * What refused callers were told, histograms of answering times, and indexes under the filters of requests. Rows from
 * before have no message and are in no histogram.
 */
export const ANSWERS_AND_LATENCY = [
  `alter table "api_request" add "message" varchar(500) null`,
  `create index "api_request_operation_status_outcome_at_index" on "api_request" ("operation", "status", "outcome", "at")`,
  `create index "api_request_client_id_operation_status_outcome_at_index" on "api_request" ("client_id", "operation", "status", "outcome", "at")`,
  `create table "latency" ("id" bigserial primary key, "span_minutes" smallint not null, "bucket" timestamptz not null, "client_id" uuid null, "operation" varchar(40) not null, "counts" int[] not null)`,
  `create unique index latency_one_each on latency (span_minutes, client_id, bucket, operation) nulls not distinct`,
];
