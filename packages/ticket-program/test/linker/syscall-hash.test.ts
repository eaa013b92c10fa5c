import { expect, test } from 'vitest';
import { syscallHash } from '../../build/linker/syscall-hash.ts';

test.each([
  ['', 0],
  ['abort', 0xb6fc1a11],
  ['sol_log_', 0x207559bd],
  ['sol_invoke_signed_c', 0xa22b9c85],
  ['sol_log_data', 0x7317b434],
])('SIMD-0178: %s has its known number', (name, hash) => {
  expect(syscallHash(name)).toBe(hash);
});
