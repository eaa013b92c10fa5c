import { type Mutant, mutantsOf } from './mutant.ts';

/** What co-signing and claims stand on: addresses, signatures, instructions, statements and transactions of the database. */

export const CHAIN: readonly Mutant[] = [
  ...mutantsOf(
    'packages/solana-wire/src/base58.ts',
    ['packages/solana-wire/test/base58.test.ts'],
    [
      ['if (bytes?.length !== 32) return', 'if (bytes === undefined) return'],
      ["const id = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');", "const id = '';"],
      ['Buffer.from(key.buffer, key.byteOffset, key.byteLength)', 'Buffer.from(key.buffer)'],
    ],
  ),
  ...mutantsOf(
    'packages/solana-wire/src/ed25519.ts',
    ['packages/solana-wire/test/ed25519.test.ts'],
    [
      ['(error ? reject(error) : resolve(valid))', '(error ? reject(error) : resolve(true))'],
      ['return verify(null, message, publicKeyOf(publicKey), signature);', 'return true;'],
      ["checkLength('public key', raw, PUBLIC_KEY_LENGTH);", ''],
      ["checkLength('seed', seed, SEED_LENGTH);", ''],
      ["  checkLength('signature', signature, SIGNATURE_LENGTH);\n  const key", '  const key'],
      ["  checkLength('signature', signature, SIGNATURE_LENGTH);\n  return", '  return'],
      ["const id = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1');", "const id = '';"],
    ],
  ),
  ...mutantsOf(
    'src/chain/gateway/gateway.ts',
    ['test/src/chain/gateway/gateway.test.ts'],
    [
      ['    takesBatches = false;\n', ''],
      [' || OVERLOADED.has(status)', ''],
      ['&& batch.length > 1 ?', '?'],
      ['replies.get(id)', '[...replies.values()][0]'],
    ],
  ),
  ...mutantsOf(
    'src/chain/gateway/share-reads.ts',
    ['test/src/chain/gateway/share-reads.test.ts'],
    [['questions.length === 1 || !isBadAnswer(error)', 'questions.length > 0']],
  ),
  ...mutantsOf(
    'packages/cosign-policy/src/read-account.ts',
    ['test/src/chain/instruction'],
    [
      ['if (accountKindOf(data) !== name) throw', 'if (data.length < 0) throw'],
      ['if (data.length !== length && data.length !== firstLength(name)) {', 'if (data.length < 0) {'],
      ["if ('state' in values && !knownStates.includes(values.state)) {", 'if (data.length < 0) {'],
    ],
  ),
  ...mutantsOf(
    'src/chain/instruction/fields.ts',
    ['test/src/chain/instruction'],
    [
      ['bytes.set(checkLength(name, value, 32))', 'bytes.set(value.subarray(0, 32))'],
      ['else throw new RangeError(`${name} is no ${type}`);', ''],
    ],
  ),
  ...mutantsOf(
    'packages/cosign-policy/src/read-fields.ts',
    ['test/src/chain/instruction'],
    [
      ["checkLength('fields', bytes, sizeOf(fields));", ''],
      ['view.readBigUInt64LE()', 'view.readBigInt64LE()'],
      ['if (bytes.length !== length) throw', 'if (bytes.length < length) throw'],
    ],
  ),
  ...mutantsOf(
    'packages/cosign-policy/src/program-addresses.ts',
    ['test/src/chain/instruction'],
    [
      ['if (seeds.some((seed) => seed.length !== 32)) throw', 'if (seeds.length > 99) throw'],
      ['const id = `${programId} ', 'const id = `'],
    ],
  ),
  ...mutantsOf(
    'src/chain/instruction/instructions.ts',
    ['test/src/chain/instruction'],
    [
      ['isSigner: slot.signer ?? false', 'isSigner: false'],
      ['isWritable: slot.writable ?? false', 'isWritable: false'],
      ['slot.address ?? addresses', 'addresses'],
    ],
  ),
  ...mutantsOf(
    'src/database/prepared.ts',
    ['test/src/database/prepared.test.ts'],
    [
      ["    await client.query('commit');\n", ''],
      ["    await client.query('begin');\n", ''],
      ["await client.query('rollback')", "await client.query('commit')"],
      ['client.release(broken);', 'client.release();'],
      ['    throw error;\n', ''],
      ["createHash('sha256').update(text)", "createHash('sha256').update('')"],
      ['({ name, text, values, types: parsers })', '({ text, values, types: parsers })'],
    ],
  ),
];
