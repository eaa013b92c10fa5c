import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** The time in the identifiers of seeded data: they are UUIDs of version 7. */
const SEEDED_AT = Date.UTC(2026, 0, 1);

/**
 * Makes what this process draws at random follow from a seed, so that the product's own functions make the same test data each time. Only
 * while the test data is made: from then on, secrets are random again. Keys come from elsewhere in Node and always are.
 * @returns ends it
 */
export function seedRandomness(seed: number): () => void {
  const { randomBytes, randomFillSync, randomInt } = crypto;
  const { now } = Date;
  const drawn = new Map<string, number>();

  /** A sequence for each kind and size: a connection to the database more or less, which draws too, changes no test data. */
  function draw(kind: string, size: number): Buffer {
    const sequence = `${kind} ${size}`;
    const index = drawn.get(sequence) ?? 0;
    drawn.set(sequence, index + 1);
    return crypto.createHash('shake256', { outputLength: size }).update(`${seed} ${sequence} ${index}`).digest();
  }

  install({
    randomBytes: (size: number, ...callback: []) =>
      callback.length > 0 ? randomBytes(size, ...callback) : draw('bytes', size),
    randomFillSync: (target: Uint8Array, ...part: []) => {
      if (part.length > 0) return randomFillSync(target, ...part);
      target.set(draw('fill', target.length));
      return target;
    },
    randomInt: (most: number, ...more: []) =>
      more.length > 0 ? randomInt(most, ...more) : draw('number', 6).readUIntBE(0, 6) % most,
  });
  Date.now = () => SEEDED_AT;
  return () => {
    install({ randomBytes, randomFillSync, randomInt });
    Date.now = now;
  };
}

/** Replaces functions of `node:crypto` for every module that imports them, before and after. */
function install(functions: object): void {
  Object.assign(crypto, functions);
  syncBuiltinESMExports();
}
