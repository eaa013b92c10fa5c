import { type Mutant, mutantsOf } from './mutant.ts';

const SEAL = ['test/src/keys/seal.test.ts'];
const ENVELOPE = SEAL;
const ROUNDS = ['test/src/keys/reencrypt.test.ts'];
const SIGNING = ['test/src/keys/rotate-keys.test.ts'];

/** Faults in the keys that seal, and in the life of those that sign tokens. */
export const KEYS: readonly Mutant[] = [
  ...mutantsOf('src/keys/seal.ts', SEAL, [['if (cause instanceof WrongOwnerError) throw cause;', '']]),
  ...mutantsOf('src/keys/seal.ts', ROUNDS, [
    ['kek === undefined || kek === id', 'kek === id'],
    ['return fallback === undefined ? [keys] : [keys, fallback];', 'return fallback === undefined ? [keys] : [keys];'],
  ]),
  ...mutantsOf('src/keys/envelope-vault.ts', ENVELOPE, [
    ['if (edk === undefined) throw new Error(`the secret of ${owner} has no data key`);', ''],
    ['opens: (sealedWith) => sealedWith === id', 'opens: () => true'],
    [
      'encryptSecret(plain, { kek: id, kid: owner, edk }, secret)',
      "encryptSecret(plain, { kek: id, kid: '', edk }, secret)",
    ],
    ['sealedWith: id };\n      } finally {\n        plain.fill(0);', 'sealedWith: id };\n      } finally {'],
    ['owner, sealed);\n      } finally {\n        plain.fill(0);', 'owner, sealed);\n      } finally {'],
  ]),
  ...mutantsOf('src/keys/vault.ts', ENVELOPE, [
    ['if (right === undefined) throw', "if (owner === '') throw"],
    ['vaults.some((each) => each.opens(sealedWith))', 'vaults.length > 0 || sealedWith'],
    ['opens: (sealedWith) => own.has(sealedWith)', 'opens: () => true'],
  ]),
  ...mutantsOf('src/keys/admit-key.ts', ROUNDS, [
    ['secrets.fallback === undefined && (!own || own === newest)', '!own || own === newest'],
    ['secrets.fallback === undefined && (!own || own === newest)', 'secrets.fallback === null'],
    ['if (keys.some((key) => key.purpose === purpose && key.id === id)) return;', ''],
    ['own === undefined || own === newestOf(keys, purpose) ? [] : [own]', 'own === undefined ? [] : [own]'],
    ['id !== context.secrets.id && !isKms(id)', '!isKms(id)'],
    ['(newest?.since.getTime() ?? 0) + 1', '0'],
  ]),
  ...mutantsOf('src/keys/count-sealed.ts', ROUNDS, [
    ['if (!opens) foreign.push(counted);', ''],
    [
      'named ? custody.opens(counted.sealedWith) : await opensUnnamed(context, custody, counted)',
      'named ? custody.opens(counted.sealedWith) : true',
    ],
    ['if (row === undefined) return true;', 'return true;'],
  ]),
  ...mutantsOf('src/keys/reencrypt.ts', ROUNDS, [
    ['key.purpose === purpose && key.id === custody.vault.id', 'key.purpose === purpose'],
    ['if (performance.now() > until) return run;', ''],
    ['if (secret === undefined) return undefined;', ''],
  ]),
  ...mutantsOf('src/keys/rotate-keys.ts', SIGNING, [
    ["key.state === 'retiring' && lastTokenGone && lastTokenGone <= now", "key.state === 'retiring'"],
    ['return longest + CLOCK_LEEWAY;', 'return longest;'],
    ["{ state: 'gone', sealedKey: null }", "{ state: 'gone' }"],
    ['next && after(next.createdAt, JWKS_MAX_AGE) <= now', 'next'],
    ['const key = waiting ?? (await createNextKey', 'const key = (await createNextKey'],
    [
      'if (current?.sealedKey) (await unseal(context.secrets, current.kid, current.sealedKey)).fill(0);',
      'if (current === undefined) return context.em.findOneOrFail(SigningKey, {});',
    ],
    [
      '!next && after(current.activatedAt ?? current.createdAt, SIGNING_KEY_PERIOD) <= now',
      '!next && !current.activatedAt',
    ],
    ['Math.max(ID_TOKEN_LIFETIME, config.accessTokenTtl)', 'config.accessTokenTtl'],
  ]),
  ...mutantsOf('src/keys/key-ring.ts', SIGNING, [
    ["from signing_key where state <> 'gone' order", 'from signing_key order'],
    [
      "row.state === 'current' && row.sealed_key !== null && current?.kid !== row.kid",
      'row.sealed_key !== null && current === undefined',
    ],
  ]),
];
