/** When the client of a polled endpoint asked last. The release before leaves it as it is. */
export const POLLED_AT = ['alter table "notification_endpoint" add column "last_polled_at" timestamptz null'];
