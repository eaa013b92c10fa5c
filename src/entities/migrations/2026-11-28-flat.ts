/** What is done costs no job and no list anything (D-228). */
export const FLAT = [
  'create table "job_run" ("job" varchar(60) not null, "succeeded_at" timestamptz null, "failures" int not null default 0, primary key ("job"))',
  'alter table "event" add "grants_narrowed_at" timestamptz null',
  // the job of the release before has gone through these
  `update event set grants_narrowed_at = now() where ends_at < now() - interval '1 day'`,
];

/** Their indexes, on tables that are in use. */
export const FLAT_INDEXES = [
  ...built('event_grants_due', 'event (ends_at) where grants_narrowed_at is null or grants_narrowed_at < ends_at'),
  ...built('consent_grant_live', 'consent_grant (id) where revoked_at is null'),
  ...built('custody_move_state_id_index', '"custody_move" ("state", "id")'),
  ...built('custody_move_reason', 'custody_move (id) where reason is not null'),
  ...built('event_of_sandbox', `event (partner_id, id) where mode = 'sandbox'`),
  ...built('event_ends_at_index', '"event" ("ends_at")'),
  ...built('event_cancelled', 'event (id) where cancelled_at is not null'),
  ...built('import_run_state_id_index', '"import_run" ("state", "id")'),
  ...built('proposal_kind_id_index', '"proposal" ("kind", "id")'),
  ...built('ticket_withdrawn', `ticket (status, id) where status <> 'valid'`),
  ...built('listing_open', 'listing (id) where closed_at is null'),
  ...built('listing_cancelled', `listing (id) where outcome = 'cancelled'`),
  ...built('listing_marketplace_id_index', '"listing" ("marketplace", "id")'),
  ...built('staff_session_sealed', 'staff_session (sealed_with, secret_hash) where sealed_id_token is not null'),
  ...built('audit_entry_action', 'audit_entry (action text_pattern_ops, id)'),
  ...built('audit_entry_actor', 'audit_entry (actor text_pattern_ops, id)'),
  ...built('latency_span_minutes_bucket_index', '"latency" ("span_minutes", "bucket")'),
  'drop index concurrently if exists "audit_entry_action_id_index"',
  'drop index concurrently if exists "audit_entry_actor_id_index"',
];

/** An index that could not be built is left behind, invalid. */
function built(name: string, on: string): string[] {
  return [`drop index concurrently if exists "${name}"`, `create index concurrently "${name}" on ${on}`];
}
