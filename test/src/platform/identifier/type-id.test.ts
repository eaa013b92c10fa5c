import { randomUUID } from 'node:crypto';
import { fromUUID } from 'typeid-js';
import { describe, expect, it } from 'vitest';
import { hashOf, newBrowserSecret } from '../../../../src/platform/identifier/secret-value.ts';
import {
  type Id,
  type IdPrefix,
  idOf,
  isId,
  newId,
  tryUuidOf,
  type Uuid,
  uuidOf,
} from '../../../../src/platform/identifier/type-id.ts';
import { TypeIdColumn } from '../../../../src/platform/identifier/type-id-column.ts';

const PREFIXES: IdPrefix[] = ['usr', 'tkt', 'evt', 'typ', 'grant', 'sess', 'perm', 'lst', 'clm', 'ptn', 'client'];
const UUID = '0190163d-8694-739b-aea5-966c26f8ad91';

describe('TypeIDs', () => {
  it.each(PREFIXES)('%s_: prefix and 26 characters, there and back', (prefix) => {
    const id = newId(prefix);
    expect(id).toMatch(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`));
    expect(idOf(prefix, uuidOf(prefix, id))).toBe(id);
  });

  it.each([
    ['00000000-0000-0000-0000-000000000000', '00000000000000000000000000'],
    ['00000000-0000-0000-0000-00000000000a', '0000000000000000000000000a'],
    ['00000000-0000-0000-0000-000000000010', '0000000000000000000000000g'],
    ['00000000-0000-0000-0000-000000000020', '00000000000000000000000010'],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', '7zzzzzzzzzzzzzzzzzzzzzzzzz'],
  ])('TypeID 0.3, valid vectors: %s is %s', (uuid, suffix) => {
    expect(idOf('usr', uuid as Uuid)).toBe(`usr_${suffix}`);
  });

  it('encodes and decodes as typeid-js does', () => {
    for (let i = 0; i < 1_000; i++) {
      const uuid = randomUUID() as Uuid;
      expect(idOf('usr', uuid)).toBe(fromUUID(uuid, 'usr'));
      expect(tryUuidOf('usr', fromUUID(uuid, 'usr'))).toBe(uuid);
    }
  });

  it('sorts by the time it was made', async () => {
    const ids: Id<'tkt'>[] = [];
    for (let i = 0; i < 5; i++) {
      ids.push(newId('tkt'));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect([...ids].sort()).toEqual(ids);
    const uuids = ids.map((id) => uuidOf('tkt', id));
    expect([...uuids].sort()).toEqual(uuids);
  });

  it.each([
    ['another kind', 'evt_01jd0000000000000000000000'],
    ['no prefix', '01jd0000000000000000000000'],
    ['too short', 'tkt_01jd'],
    ['too large for 128 bits', 'tkt_8zzzzzzzzzzzzzzzzzzzzzzzzz'],
    ['a letter that base32 leaves out', 'tkt_01jd000000000000000000000u'],
    ['a letter beyond ASCII', 'tkt_01jd000000000000000000000é'],
    ['another character after the prefix', 'tkt-01jd0000000000000000000000'],
    ['upper case', 'TKT_01JD0000000000000000000000'],
    ['a bare uuid', UUID],
    ['empty', ''],
    ['SQL', "tkt_' or true --"],
  ])('%s is no identifier of the kind', (_, text) => {
    expect(tryUuidOf('tkt', text)).toBeUndefined();
    expect(isId('tkt', text)).toBe(false);
    expect(() => uuidOf('tkt', text as Id<'tkt'>)).toThrow(TypeError);
  });
});

describe('the column type', () => {
  const column = new TypeIdColumn('tkt');

  it('stores the uuid and gives the identifier', () => {
    const id = newId('tkt');
    const stored = column.convertToDatabaseValue(id);
    expect(stored).toMatch(/^[0-9a-f-]{36}$/);
    expect(column.convertToJSValue(stored)).toBe(id);
    expect(column.getColumnType()).toBe('uuid');
  });

  it('takes what is converted already, and null, as they are', () => {
    expect(column.convertToDatabaseValue(UUID as Uuid)).toBe(UUID);
    expect(column.convertToJSValue(newId('tkt'))).toMatch(/^tkt_/);
    expect(column.convertToDatabaseValue(null as unknown as Uuid)).toBeNull();
    expect(column.convertToJSValue(null as unknown as Uuid)).toBeNull();
  });

  it('refuses an identifier of another kind before it reaches the database', () => {
    expect(() => column.convertToDatabaseValue(newId('evt') as string as Id<'tkt'>)).toThrow(TypeError);
  });
});

describe('opaque secrets', () => {
  it('are 256 random bits in base64url behind a prefix', () => {
    const values = Array.from({ length: 100 }, newBrowserSecret);
    for (const value of values) expect(value).toMatch(/^br_[\w-]{43}$/);
    expect(new Set(values).size).toBe(100);
  });

  it('FIPS 180-4: the hash is SHA-256, here of "abc" in base64url', () => {
    expect(hashOf('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
  });
});
