import { typeidUnboxed } from 'typeid-js';
import { fromBase32, toBase32 } from './base32.ts';

export const ID_PREFIXES = [
  'usr',
  'tkt',
  'evt',
  'typ',
  'grant',
  'sess',
  'perm',
  'lst',
  'clm',
  'ptn',
  'client',
  'rev',
  'stf',
  'stk',
  'sva',
  'svt',
  'imp',
  'kill',
  'kit',
  'move',
  'prop',
  'pky',
  'mem',
  'chk',
  'nep',
  'ntf',
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

declare const idPrefix: unique symbol;
declare const bareUuid: unique symbol;

/**
 * An identifier such as `usr_01jd…`: a prefix that names the kind and a UUIDv7 in base32 (TypeID). Everything outside
 * the database sees this form.
 * @see https://github.com/jetify-com/typeid
 */
export type Id<Prefix extends IdPrefix> = string & { readonly [idPrefix]: Prefix };

/** The bare `uuid` under an identifier, as the database stores it: it sorts by time and takes 16 bytes. */
export type Uuid = string & { readonly [bareUuid]: true };

/** A new identifier, such as `usr_01jd…`. */
export function newId<Prefix extends IdPrefix>(prefix: Prefix): Id<Prefix> {
  return typeidUnboxed(prefix) as string as Id<Prefix>;
}

/** The `uuid` under an identifier. */
export function uuidOf<Prefix extends IdPrefix>(prefix: Prefix, id: Id<Prefix>): Uuid {
  const uuid = tryUuidOf(prefix, id);
  if (uuid === undefined) throw new TypeError(`not a ${prefix}_ identifier: ${id.slice(0, 64)}`);
  return uuid;
}

/** The `uuid` under a text from outside, or undefined where it is no identifier of that kind. */
export function tryUuidOf(prefix: IdPrefix, text: string): Uuid | undefined {
  if (!text.startsWith(prefix) || text[prefix.length] !== '_') return undefined;
  return fromBase32(text, prefix.length + 1) as Uuid | undefined;
}

/** Whether a text from outside is an identifier of that kind. */
export function isId<Prefix extends IdPrefix>(prefix: Prefix, text: string): text is Id<Prefix> {
  return tryUuidOf(prefix, text) !== undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a bare `uuid`. */
export function isUuid(text: string): text is Uuid {
  return UUID.test(text);
}

/** The identifier over a `uuid`. */
export function idOf<Prefix extends IdPrefix>(prefix: Prefix, uuid: Uuid): Id<Prefix> {
  return `${prefix}_${toBase32(uuid)}` as string as Id<Prefix>;
}
