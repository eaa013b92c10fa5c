/**
 * Opaque secrets: a prefix and 256 random bits in base64url. The database holds only `hashOf(value)`; with 256 bits of
 * entropy a plain SHA-256 needs no salt and no work factor.
 *
 * @module
 */
import { createHash, randomBytes } from 'node:crypto';

declare const kind: unique symbol;
export type SecretValue<Kind extends string> = string & { [kind]: Kind };
export type AuthorizationCodeValue = SecretValue<'authorization_code'>;
export type BrowserSecret = SecretValue<'browser'>;
export type StaffSessionSecret = SecretValue<'staff_session'>;
export type StaffLinkSecret = SecretValue<'staff_link'>;
export type StaffTokenValue = SecretValue<'staff_token'>;

export function newAuthorizationCode(): AuthorizationCodeValue {
  return `ac_${random256()}` as AuthorizationCodeValue;
}

/** For the cookie of a browser. */
export function newBrowserSecret(): BrowserSecret {
  return `br_${random256()}` as BrowserSecret;
}

/** For the cookie of a staff session. */
export function newStaffSessionSecret(): StaffSessionSecret {
  return `ss_${random256()}` as StaffSessionSecret;
}

/** For a one-time sign-in link. */
export function newStaffLinkSecret(): StaffLinkSecret {
  return `sl_${random256()}` as StaffLinkSecret;
}

/** An access token of a member of staff. */
export function newStaffTokenValue(): StaffTokenValue {
  return `st_${random256()}` as StaffTokenValue;
}

/** SHA-256 in base64url, as stored. */
export function hashOf(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}

function random256(): string {
  return randomBytes(32).toString('base64url');
}
