/**
 * Parsers of the values of environment variables, with their error messages.
 *
 * @module
 */
import { isSupportedCountry } from 'libphonenumber-js/max';
import { z } from 'zod';
import { STAFF_ROLES, type StaffRole } from '../entities/staff.ts';

/** The parts of the service that one process can serve. */
export const SURFACES = ['fan', 'auth', 'login', 'admin', 'playground'] as const;
export type Surface = (typeof SURFACES)[number];

/** Digits only: `Number` would also take spaces, hexadecimal and exponents. */
export const wholeNumber = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, { error })
    .transform(Number)
    .pipe(z.number().min(least, { error }).max(most, { error }));
};
export const port = wholeNumber(0, 65_535);

/** An absolute http(s) URL without query, fragment or trailing slash, so that paths can be appended to it. */
export const baseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' })
  .refine((text) => !/[?#]/.test(text), { error: 'must have no query and no fragment' })
  .refine((text) => !text.endsWith('/'), { error: 'must not end in a slash' });

export const rpcUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
export const solanaAddress = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, { error: 'must be 32 bytes in base58' });

export const surfaces = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(z.enum(SURFACES)).min(1));

/** 32 bytes as `openssl rand -hex 32` or `openssl rand -base64 32` print them, or in base64url. */
export const keyEncryptionKey = z.string().transform((text, ctx) => {
  const key = /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length === 32 && /^[\w+/-]+=?$/.test(text)) return key.toString('base64url');
  ctx.addIssue({ code: 'custom', message: 'must be 32 bytes in hex, base64 or base64url (openssl rand -hex 32)' });
  return z.NEVER;
});

export const twilioSid = (beginning: string, what: string) =>
  z.string().regex(new RegExp(`^${beginning}[0-9a-fA-F]{32}$`), {
    error: `must be ${what}: ${beginning} and 32 hexadecimal digits`,
  });
/** Checked at start, because a wrong secret would otherwise show only with the first code. */
export const twilioSecret = z.string().regex(/^[\w-]{16,200}$/, { error: 'must be 16 or more letters and digits' });

/** `support=helpdesk,reviewer=ticketing-review,admin=ticketing-admin`; a role may have several groups. */
export const roleGroups = z.string().transform((text, ctx) => {
  const groups: Record<StaffRole, string[]> = { support: [], reviewer: [], admin: [] };
  for (const part of text.split(',')) {
    const at = part.indexOf('=');
    const role = STAFF_ROLES.find((name) => name === part.slice(0, at).trim());
    const group = part.slice(at + 1).trim();
    if (role === undefined || group === '') {
      ctx.addIssue({
        code: 'custom',
        message: `must be like support=a,reviewer=b,admin=c, not "${part.slice(0, 60)}"`,
      });
      return z.NEVER;
    }
    groups[role].push(group);
  }
  return groups;
});

/** `GB,IE,US` */
export const countries = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((codes) => codes.every((code) => isSupportedCountry(code)), {
    error: 'must be ISO 3166 codes of countries, such as GB,IE,US',
  });
