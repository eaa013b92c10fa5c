/** Times of an event are read in the zone of its venue. */
export const EVENT_ZONES = [`alter table "event" add "time_zone" varchar(64) not null default 'UTC'`];

/** A test user without a partner is known to the sandbox clients of every partner. */
export const SHARED_TEST_USERS = [`alter table "test_user" alter column "partner_id" drop not null`];
