/** Counts by five minutes and by day; indexes under the timeline, the dashboards and what was refused to whom. */
export const ACTIVITY_SIDE = [
  `alter table "traffic" add "span_minutes" smallint not null default 5`,
  `alter table "traffic" alter column "span_minutes" drop default`,
  `drop index traffic_one_each`,
  `create unique index traffic_one_each on traffic (span_minutes, bucket, client_id, operation, status, outcome) nulls not distinct`,
  `drop index "traffic_client_id_bucket_index"`,
  `create index "traffic_client_id_span_minutes_bucket_index" on "traffic" ("client_id", "span_minutes", "bucket")`,
  `drop index "api_request_session_id_at_index"`,
  `create index api_request_of_session on api_request (session_id, at) where session_id is not null`,
  `create index api_request_refused_grant on api_request (grant_id, at) where outcome <> 'ok'`,
  `drop index "api_request_fan_id_at_index"`,
  `create index api_request_of_fan on api_request (fan_id, at) where grant_id is null and fan_id is not null`,
  `drop index "audit_entry_actor_index"`,
  `create index "audit_entry_actor_id_index" on "audit_entry" ("actor", "id")`,
  `drop index "audit_entry_subject_index"`,
  `create index "audit_entry_subject_id_index" on "audit_entry" ("subject", "id")`,
  `create index "listing_signature_signed_at_index" on "listing_signature" ("signed_at")`,
];
