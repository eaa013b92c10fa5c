/**
 * What a code under way has taken from the limits, and how a fan was authenticated (`amr`; null for grants of before). The release before
 * leaves these columns as they are.
 */
export const SIGN_IN = [
  ...['phone_challenge', 'portal_session', 'number_change'].map(
    (table) => `alter table "${table}" add column "places" jsonb null`,
  ),
  ...['authorization_session', 'consent_grant'].map(
    (table) => `alter table "${table}" add column "amr" varchar(40) null`,
  ),
];
