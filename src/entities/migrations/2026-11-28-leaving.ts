/** Fans who have left, and what is found by it: `src/sign-in/own-data/`, `src/entities/retention.ts`. */
export const LEAVING = ['alter table fan add column deleted_at timestamptz null'];

const built = (name: string, definition: string) => [
  `drop index concurrently if exists "${name}"`,
  `create index concurrently "${name}" on ${definition}`,
];

export const LEAVING_INDEXES = [
  ...built('fan_deleted', 'fan (id) where deleted_at is not null'),
  ...built('fan_number_vouched_at_id_index', '"fan" ("number_vouched_at", "id")'),
  ...built('consent_grant_revoked', 'consent_grant (revoked_at, id) where revoked_at is not null'),
  // PostgreSQL looks for references when a fan is deleted
  ...built('ticket_named_holder_id_index', '"ticket" ("named_holder_id")'),
];
