import { addressBytes } from '@fan-api/cosign-policy/address-bytes';
import { expect, test } from 'vitest';

test('an address that is not 32 bytes in base58 is refused, with its beginning', () => {
  expect(addressBytes('1'.repeat(32))).toEqual(new Uint8Array(32));
  for (const text of ['', '1', '0OIl', '1'.repeat(10_000)]) {
    const context = { detail: text.slice(0, 44) };
    expect(() => addressBytes(text)).toThrow(expect.objectContaining({ code: 'bad_address', context }));
  }
});
