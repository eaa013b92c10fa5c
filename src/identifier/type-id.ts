import { fromString, fromUUID, toUUID, typeidUnboxed } from 'typeid-js';

/**
 * Identifiers: a prefix that names the kind and a UUIDv7 in base32 (TypeID). The database stores the bare `uuid`, which
 * sorts by time and takes 16 bytes; everything outside the database sees the prefixed text.
 * @see https://github.com/jetify-com/typeid
 */
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
  'kill',
  'kit',
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

/** A new identifier, such as `usr_01jd…`. */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix);
}

/** The `uuid` under an identifier. Throws a TypeError where the text is no identifier of that kind. */
export function uuidOf(prefix: IdPrefix, id: string): string {
  const uuid = tryUuidOf(prefix, id);
  if (uuid === undefined) throw new TypeError(`not a ${prefix}_ identifier: ${id.slice(0, 64)}`);
  return uuid;
}

/** The `uuid` under an identifier, or undefined where the text is no identifier of that kind (such as a partner's typo). */
export function tryUuidOf(prefix: IdPrefix, id: string): string | undefined {
  try {
    return toUUID(fromString(id, prefix));
  } catch {
    return undefined;
  }
}

/** The identifier over a `uuid`. */
export function idOf(prefix: IdPrefix, uuid: string): string {
  return fromUUID(uuid, prefix);
}
