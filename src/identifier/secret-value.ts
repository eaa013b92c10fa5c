import { createHash, randomBytes } from 'node:crypto';

/**
 * Opaque secrets (authorization codes, refresh tokens, browser secrets): a prefix and 256 random bits in base64url.
 * The database holds only `hashOf(value)`; with 256 bits of entropy a plain SHA-256 needs no salt and no work factor.
 */
declare const kind: unique symbol;
export type SecretValue<Kind extends string> = string & { [kind]: Kind };
export type AuthorizationCodeValue = SecretValue<'authorization_code'>;
export type BrowserSecret = SecretValue<'browser'>;
export type StaffSessionSecret = SecretValue<'staff_session'>;
export type StaffLinkSecret = SecretValue<'staff_link'>;
export type StaffTokenValue = SecretValue<'staff_token'>;

/** A new authorization code, `ac_…`. */
export function newAuthorizationCode(): AuthorizationCodeValue {
  return `ac_${random256()}` as AuthorizationCodeValue;
}

/** A new secret of a browser, `br_…`, kept in its cookie. */
export function newBrowserSecret(): BrowserSecret {
  return `br_${random256()}` as BrowserSecret;
}

/** A new secret of a staff session, `ss_…`, kept in the browser's cookie. */
export function newStaffSessionSecret(): StaffSessionSecret {
  return `ss_${random256()}` as StaffSessionSecret;
}

/** A new one-time sign-in link's secret, `sl_…`. */
export function newStaffLinkSecret(): StaffLinkSecret {
  return `sl_${random256()}` as StaffLinkSecret;
}

/** A new access token of a member of staff, `st_…`. */
export function newStaffTokenValue(): StaffTokenValue {
  return `st_${random256()}` as StaffTokenValue;
}

/** SHA-256 of a secret in base64url, as stored. */
export function hashOf(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}

function random256(): string {
  return randomBytes(32).toString('base64url');
}
