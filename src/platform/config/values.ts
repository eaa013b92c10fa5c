/**
 * Parsers of the values of environment variables, with their error messages.
 *
 * @module
 */
import { createSecretKey } from 'node:crypto';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { z } from 'zod';
import { connectionOptions } from '../database/database-url.ts';
import { nameFault } from '../identifier/name-fault.ts';
import { uriFault } from '../identifier/uri-fault.ts';
import { STAFF_ROLES, type StaffRole } from '../staff-role.ts';

/** The parts of the service that one process can serve. */
export const SURFACES = ['fan', 'auth', 'login', 'admin', 'partners', 'playground', 'docs'] as const;
export type Surface = (typeof SURFACES)[number];

/** Surfaces that read the chain or order work on it: a process with one of them needs a test network. */
const ON_CHAIN = ['fan', 'admin', 'partners'] as const satisfies Surface[];

export function usesChains(surfaces: ReadonlySet<Surface>): boolean {
  return ON_CHAIN.some((name) => surfaces.has(name));
}

export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

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

export const share = z
  .string()
  .regex(/^(1|0\.\d{0,5}[1-9])$/, { error: 'must be a number above 0 and up to 1, such as 0.01' })
  .transform(Number);

/** An absolute http(s) URL without query, fragment or trailing slash, so that paths can be appended to it. */
export const baseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' })
  .refine((text) => !/[?#]/.test(text), { error: 'must not have a query or fragment' })
  .refine((text) => !text.endsWith('/'), { error: 'must not end with a slash' });

/** Only checked here; parsed again where connections are opened (`database/database-url.ts`). */
export const databaseUrl = z.string().superRefine((text, ctx) => {
  try {
    connectionOptions(text);
  } catch (error) {
    ctx.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
  }
});

export const rpcUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
/** 16 or more letters and digits with a digit or in mixed case, or 32 of any kind; separators do not count. */
const LOOKS_LIKE_KEY = /^(?=.*\d).{16,}$|^(?=.*[a-z])(?=.*[A-Z]).{16,}$|^.{32,}$/;

/** An RPC URL that every partner reads: a part that could be a key is refused. */
export const publicRpcUrl = rpcUrl
  .refine((text) => !/[?#]/.test(text), { error: 'must not have a query or fragment, which often hold a key' })
  .refine((text) => !text.includes('@'), { error: 'must not have a user name or password' })
  .refine((text) => !pathOf(text).some((part) => LOOKS_LIKE_KEY.test(part.replace(/[^a-z\d]/gi, ''))), {
    error: 'must not have an API key in its path (a part of it looks like one): every partner reads this address',
  });

function pathOf(url: string): string[] {
  return URL.parse(url)?.pathname.split('/') ?? [];
}

export const solanaAddress = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, { error: 'must be 32 bytes in base58' });

export const surfaces = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(z.enum(SURFACES)).min(1));

/**
 * 32 bytes as `openssl rand -hex 32` or `openssl rand -base64 32` print them, or in base64url. A `KeyObject` hides them in a printed
 * configuration.
 */
export const keyEncryptionKey = z.string().transform((text, ctx) => {
  const key = /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length === 32 && /^[\w+/-]+=?$/.test(text)) return createSecretKey(key);
  ctx.addIssue({ code: 'custom', message: 'must be 32 bytes in hex, base64 or base64url (openssl rand -hex 32)' });
  return z.NEVER;
});

/** No alias: it could be moved to another key, and then nothing could be decrypted. */
export const kmsKeyArn = z.string().regex(/^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]{1,100}$/, {
  error: 'must be the ARN of a KMS key: arn:aws:kms:<region>:<account>:key/<id>',
});

export const twilioSid = (beginning: string, what: string) =>
  z.string().regex(new RegExp(`^${beginning}[0-9a-fA-F]{32}$`), {
    error: `must be ${what}: ${beginning} and 32 hexadecimal digits`,
  });
/** Checked at start, because a wrong secret would otherwise fail only at the first code. */
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

/** `smtps://user:password@host:465`, or `smtp://…:587`, which starts TLS by STARTTLS. */
export const smtpUrl = z.url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps URL' });

/** `Name <name@host>`, or the address alone. */
export const mailFrom = z.string().regex(/^(?:[^<>\r\n"]{1,100} )?<?[^\s<>@]+@[^\s<>@]+>?$/, {
  error: 'must be an e-mail address, or a name and an address as in Tickets <tickets@example.com>',
});

/** `GB,IE,US` */
export const countries = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((codes) => codes.every((code) => isSupportedCountry(code)), {
    error: 'must be ISO 3166 country codes, such as GB,IE,US',
  });

/** Longer names do not fit into the header of a page. */
const OPERATOR_NAME_LENGTH = 60;

/** As fans read it: on their pages it is escaped, so any letters are allowed. */
export const operatorName = z
  .string()
  .transform((text) => text.trim())
  .superRefine((name, ctx) => {
    const isFit = name.length >= 1 && name.length <= OPERATOR_NAME_LENGTH;
    const fault = isFit ? nameFault(name) : `must have 1 to ${OPERATOR_NAME_LENGTH} characters`;
    if (fault !== undefined) ctx.addIssue({ code: 'custom', message: fault });
  });

/** `#rrggbb`, in small letters. */
export const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, { error: 'must be a color: # and 6 hexadecimal digits, such as #0f5c4d' })
  .toLowerCase();

/** An address that fans open. */
export const linkUrl = z
  .url({ protocol: /^https$/, error: 'must be an https URL', abort: true })
  .refine((text) => !/^https:\/\/[^/?#]*@/i.test(text), {
    error: 'must not contain a user name or password',
    abort: true,
  })
  .refine((text) => uriFault(text) === undefined, { error: ({ input }) => uriFault(String(input)) ?? '' });
