/** The counts of the dashboard read the first two alone: name, time and grant. They replace the ones without the grant. */
export const COUNTED_INDEXES = [
  'drop index concurrently if exists "claim_by_state"',
  'create index concurrently "claim_by_state" on claim (state, updated_at) include (grant_id)',
  'drop index concurrently if exists "claim_state_updated_at_index"',
  'drop index concurrently if exists "listing_signature_by_action"',
  'create index concurrently "listing_signature_by_action" on listing_signature (action, signed_at) include (grant_id)',
  'drop index concurrently if exists "listing_signature_signed_at_index"',
  // most runs have no name: the search box reads those that do
  'drop index concurrently if exists "import_run_named"',
  'create index concurrently "import_run_named" on import_run (id) where file_name is not null',
];
