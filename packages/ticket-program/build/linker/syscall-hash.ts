/**
 * The number by which sBPF v3 names a system call: murmur3 (32 bits, seed 0) of its name.
 *
 * @see SIMD-0178
 */
export function syscallHash(name: string): number {
  const bytes = Buffer.from(name);
  const whole = bytes.length - (bytes.length % 4);
  let hash = 0;
  for (let at = 0; at < whole; at += 4) {
    hash = rotateLeft(hash ^ scramble(bytes.readInt32LE(at)), 13);
    hash = Math.imul(hash, 5) + 0xe6546b64;
  }
  if (whole < bytes.length) hash ^= scramble(bytes.readUIntLE(whole, bytes.length - whole));
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function scramble(block: number): number {
  return Math.imul(rotateLeft(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);
}

function rotateLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
