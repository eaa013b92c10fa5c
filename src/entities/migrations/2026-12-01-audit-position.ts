/** Every entry that waited for its seal was in the unique index as a null. */
export const AUDIT_POSITION = [
  'drop index concurrently if exists "audit_entry_position"',
  'create unique index concurrently "audit_entry_position" on audit_entry (position) where position is not null',
];

/** Once the index above is there. */
export const AUDIT_POSITION_BEFORE = [
  'alter table "audit_entry" drop constraint if exists "audit_entry_position_unique"',
];
