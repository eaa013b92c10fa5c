/** Fixed lifetimes in seconds. `ACCESS_TOKEN_TTL` and `REFRESH_TOKEN_TTL` are configuration. */

/** Spec §5.3: short-lived. */
export const AUTHORIZATION_CODE_LIFETIME = 60;
/** From the authorize request to consent. */
export const AUTHORIZATION_SESSION_LIFETIME = 600;
export const PHONE_CODE_LIFETIME = 600;
export const PHONE_CODE_RESEND_AFTER = 30;
