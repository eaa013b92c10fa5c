import { type Mutant, mutantsOf } from './mutant.ts';

/** Faults in what opens, seals and re-encrypts keys. */
export const CUSTODY: readonly Mutant[] = [
  ...mutantsOf(
    'src/wallet/signer.ts',
    ['test/src/wallet'],
    [
      ['if (addressOf(publicKeyOfKey(key)) !== address) throw', 'if (address === undefined) throw'],
      ['    ttlAutopurge: true,\n', ''],
      ['      seed.fill(0);\n', ''],
    ],
  ),
  ...mutantsOf(
    'src/keys/admit-key.ts',
    ['test/src/keys/reencrypt.test.ts'],
    [
      ['if (own?.retiredAt) throw retired(own, newest);', ''],
      ['if (foreign.length > 0) throw', 'if (foreign.length > 1_000) throw'],
    ],
  ),
  ...mutantsOf(
    'src/keys/reencrypt.ts',
    ['test/src/keys/reencrypt.test.ts'],
    [
      ['where t.${secret} = given.before for update', 'for update'],
      [' of t skip locked', ' of t'],
      ['rows[0]?.held ? work() : undefined', 'work()'],
      ['if (tables.length === 0) return undefined;', ''],
    ],
  ),
  ...mutantsOf(
    'src/keys/jwe.ts',
    ['test/src/keys/seal.test.ts'],
    [['if (protectedHeader.kid === owner) return plaintext;', 'return plaintext;']],
  ),
];
