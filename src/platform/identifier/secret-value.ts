/**
 * Opaque secrets: a prefix and 256 random bits in base64url. The database holds only `hashOf(value)`; with 256 bits of
 * entropy a plain SHA-256 needs no salt and no work factor.
 *
 * @module
 */
import { createHash, randomBytes } from 'node:crypto';

declare const kind: unique symbol;
export type SecretValue<Kind extends string> = string & { [kind]: Kind };
export type BrowserSecret = SecretValue<'browser'>;
export type SessionSecret = SecretValue<'session'>;
export type StaffTokenValue = SecretValue<'staff_token'>;
export type ServiceTokenValue = SecretValue<'service_token'>;

export const newAuthorizationCode = secretMaker<'authorization_code'>('ac_');
/** For the cookie of a browser. */
export const newBrowserSecret = secretMaker<'browser'>('br_');
/** For the cookie of a session. */
const newSessionSecrets = { staff: secretMaker<'session'>('ss_'), member: secretMaker<'session'>('ms_') };
export const newSessionSecret = (audience: keyof typeof newSessionSecrets) => newSessionSecrets[audience]();
/** For a one-time link. */
const newLinkSecrets = { staff: secretMaker<'link'>('sl_'), member: secretMaker<'link'>('ml_') };
export const newLinkSecret = (audience: keyof typeof newLinkSecrets) => newLinkSecrets[audience]();
/** An access token of a member of staff. */
export const newStaffTokenValue = secretMaker<'staff_token'>('st_');
/** A token of a service account. */
export const newServiceTokenValue = secretMaker<'service_token'>('sv_');
/** The token of an endpoint that polls for its notifications. */
export const newNotificationToken = secretMaker<'notification_token'>('nt_');

/** A key of a sandbox client, with which its developers arm failures. */
export const newSandboxKey = secretMaker<'sandbox_key'>('sbk_');

/** Whether a cookie holds a secret of the form that `newBrowserSecret` makes. */
export function isBrowserSecret(text: string | undefined): text is BrowserSecret {
  return text !== undefined && /^br_[\w-]{43}$/.test(text);
}

/** SHA-256 in base64url, as stored. */
export function hashOf(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}

function secretMaker<Kind extends string>(prefix: string): () => SecretValue<Kind> {
  return () => `${prefix}${randomBytes(32).toString('base64url')}` as SecretValue<Kind>;
}
