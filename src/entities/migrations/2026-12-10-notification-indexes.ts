/** The conditions of the indexes below mean the same only where these two agree. */
export const NOTIFICATION_END = [
  `alter table "notification" add constraint notification_ended check ((state = 'waiting') = (ended_at is null))`,
];

/** Each index of what waits has a condition of its own wording (D-338). */
export const NOTIFICATION_INDEXES = [
  'drop index concurrently if exists "notification_in_lane"',
  'create index concurrently "notification_in_lane" on notification (endpoint_id, lane, id) where ended_at is null',
  'drop index concurrently if exists "notification_expires"',
  `create index concurrently "notification_expires" on notification (expires_at) where state not in ('delivered', 'dead')`,
  'drop index concurrently if exists "notification_lane"',
  'drop index concurrently if exists "notification_expiring"',
];
