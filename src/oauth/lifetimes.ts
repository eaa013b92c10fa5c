/** Fixed lifetimes in seconds. `ACCESS_TOKEN_TTL` and `REFRESH_TOKEN_TTL` are configuration. */

/** Spec §8. */
export const ID_TOKEN_LIFETIME = 3600;
/** Spec §5.3: short-lived. */
export const AUTHORIZATION_CODE_LIFETIME = 60;
/** From the authorize redirect to consent. */
export const AUTHORIZATION_SESSION_LIFETIME = 600;
export const PHONE_CODE_LIFETIME = 600;
export const PHONE_CODE_RESEND_AFTER = 30;
/** Max-age of the JWKS; a key is published this long before it signs. */
export const JWKS_MAX_AGE = 300;
/** How long a signing key signs. */
export const SIGNING_KEY_PERIOD = 30 * 24 * 3600;

/** `seconds` after `moment`. */
export function after(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}
