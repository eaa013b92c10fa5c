/** Fixed lifetimes in seconds, of the keys that sign ID tokens, and of what they sign. */

/** Spec §8. */
export const ID_TOKEN_LIFETIME = 3600;
/** Max-age of the JWKS; a key is published this long before it signs. */
export const JWKS_MAX_AGE = 300;
/** How long a signing key signs. */
export const SIGNING_KEY_PERIOD = 30 * 24 * 3600;
