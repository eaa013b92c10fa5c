import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, it } from 'vitest';

/**
 * Every place that opens a key or signs with one. A new one fails here, so that somebody asks which policy stands before it:
 * a fan's wallet signs only what the co-signing policy has judged and `record-signatures.ts` has recorded (D-101, D-102).
 */
const ROOT = new URL('../../', import.meta.url);

const PATHS: [what: string, pattern: RegExp, files: string[]][] = [
  [
    'signs with a key of ours',
    /\bsigner\.sign\(/,
    [
      // fans' wallets and the authority, after the policy
      'src/tickets/listing/sign-listing-transactions.ts',
      // the local network's public admin key beside our own
      'src/sandbox/set-up-local-program.ts',
      // the payer and the authority, in transactions that this service builds itself
      'src/chain/wallet/own-transaction.ts',
    ],
  ],
  [
    'runs a transaction of our own',
    /\brunOwnTransaction\(/,
    [
      // the payer alone: it makes the nonce account, and the buffer of the program's code
      'src/chain/cluster/admin-nonce.ts',
      'src/chain/cluster/program-buffer.ts',
      'src/inventory/issuing/register-events.ts',
      // a fan's wallet, which moves its permit after two people decided or the company ordered it (D-187)
      'src/inventory/custody-move/settle-move.ts',
      'src/sandbox/set-up-local-program.ts',
      'src/chain/wallet/own-transaction.ts',
    ],
  ],
  [
    'signs a transaction of our own that it sends itself',
    /\bsignOwnTransaction\(/,
    [
      // the payer, and our authority beside the program's admin, in the steps of `npm run chain`
      'src/chain/cluster/admin-transaction.ts',
      // the payer, which writes the program's code
      'src/chain/cluster/program-buffer.ts',
      // batches of permits, which are written down before they are sent
      'src/inventory/issuing/send-waiting.ts',
      // its end is seen at its account
      'src/inventory/issuing/close-events.ts',
      'src/chain/wallet/own-transaction.ts',
    ],
  ],
  [
    'is handed a signer',
    /\b(WithSigner|Signer)\b/,
    [
      // the steps of `npm run chain`
      'src/chain/cluster/admin-nonce.ts',
      'src/chain/cluster/admin-transaction.ts',
      'src/chain/cluster/deploy-program.ts',
      'src/chain/cluster/initialize-program.ts',
      'src/chain/cluster/program-buffer.ts',
      'src/chain/cluster/rotate-authority.ts',
      'src/inventory/issuing/issue-run.ts',
      'src/inventory/custody-move/settle-move.ts',
      'src/tickets/listing/sign-listing-transactions.ts',
      'src/runtime.ts',
      'src/sandbox/set-up-local-program.ts',
      'src/chain/wallet/own-transaction.ts',
      'src/chain/wallet/signer.ts',
    ],
  ],
  ['makes a signer', /\bcreateSigner\(/, ['adapters/process/runtime.ts', 'src/chain/wallet/signer.ts']],
  [
    'opens a key of a vault',
    /\b(custody|vault|right)\.open\(/,
    // at the start (a value of its own, and one row), re-encryption, and the signer
    [
      'src/keys/aws-kms.ts',
      'src/keys/sealed-tables.ts',
      'src/keys/reencrypt.ts',
      'src/keys/vault.ts',
      'src/chain/wallet/signer.ts',
    ],
  ],
  [
    'opens what KEY_ENCRYPTION_KEY sealed',
    /\bunseal\(/,
    // signing keys, the ID tokens of staff, client secrets at partners’ providers, and the vault of the database
    [
      'src/keys/key-ring.ts',
      'src/keys/rotate-keys.ts',
      'src/keys/seal.ts',
      'src/keys/vault.ts',
      'src/partners/notification/endpoint-secrets.ts',
      'src/people/staff/sign-out.ts',
      'src/people/workspace/partner-provider.ts',
    ],
  ],
  [
    'decrypts',
    /\b(decryptSecret|compactDecrypt)\(/,
    ['src/keys/envelope-vault.ts', 'src/keys/jwe.ts', 'src/keys/seal.ts'],
  ],
  [
    'has a private Ed25519 key',
    /\b(privateKeyOf|signWithKey|signEd25519|signEd25519Sync)\(/,
    // the admin's keypair file, which an operator names; the local network's public admin key; and the signer
    ['src/chain/cluster/keypair-file.ts', 'src/sandbox/set-up-local-program.ts', 'src/chain/wallet/signer.ts'],
  ],
  [
    'reads or writes sealed keys by SQL',
    /\bsealed_key\b/,
    // `register-fans.ts` writes those of many new fans
    [
      'src/sign-in/fan/register-fans.ts',
      'src/keys/key-ring.ts',
      'src/keys/sealed-tables.ts',
      'src/chain/wallet/signer.ts',
    ],
  ],
  [
    'reads or hands on sealed keys of entities',
    /\.sealedKey\b/,
    // `register-fans.ts` stores what `newKey` has just sealed
    ['src/sign-in/fan/register-fans.ts', 'src/keys/rotate-keys.ts'],
  ],
];

const texts = new Map<string, string>();
for await (const path of glob('{src,adapters,schema}/**/*.ts', { cwd: ROOT })) {
  const file = path.replaceAll('\\', '/');
  if (file.startsWith('src/entities/migrations/')) continue;
  texts.set(file, readFileSync(new URL(path, ROOT), 'utf8'));
}

it.each(PATHS)('D-181: who %s is listed', (_, pattern, files) => {
  const found = [...texts].filter(([, text]) => pattern.test(text)).map(([path]) => path);
  expect(found.sort()).toEqual([...files].sort());
});

it('D-181: a wallet signs in one function, which its file calls once: after the policy has refused nothing', () => {
  const text = texts.get('src/tickets/listing/sign-listing-transactions.ts') ?? '';
  expect(text.match(/\bsigner\.sign\(/g)).toHaveLength(2);
  const signing = text.slice(text.indexOf('export async function signListingTransactions'));
  const body = signing.slice(0, signing.indexOf('\n}\n'));
  const steps = ['await judge(', 'await checkAgainstChainAndGrant(', 'sign(context'].map((step) => body.indexOf(step));
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
  expect(steps[0]).toBeGreaterThan(0);
  expect(text.match(/\bsign\(context/g)).toHaveLength(1);
});

it('D-190: a set-up step signs with the payer, the authority or the next one, and no server can take it', () => {
  const steps = [...texts].filter(([path]) => path.startsWith('src/chain/cluster/'));
  const all = (pattern: RegExp) => steps.flatMap(([, text]) => [...text.matchAll(pattern)].map(([, what]) => what));
  expect(all(/\bours: \[([^\]]*)\]/g).sort()).toEqual(['', '', '', 'authority', 'next']);
  expect(all(/\bsigner\.sign\(/g)).toEqual([]);
  expect(all(/\bsigners: (\[[^\]]*\]|\w+)/g).sort()).toEqual(['[]', 'ours']);
  const own = texts.get('src/chain/wallet/own-transaction.ts') ?? '';
  expect(own.match(/\bsigner\.sign\(/g)).toHaveLength(1);
  expect(own).toContain('[payer, ...signers].map(');
  const callers = [...texts]
    .filter(([, text]) => /from '[./]+(src\/chain|\.\.|\.)?\/cluster\//.test(text))
    .map(([path]) => path);
  expect(callers.filter((path) => !path.startsWith('src/chain/cluster/')).sort()).toEqual([
    'adapters/commands/chain-flags.ts',
    'adapters/commands/chain.ts',
    'adapters/commands/print-chain.ts',
  ]);
});

it('the AWS SDK is loaded by one dynamic import only', () => {
  const found = [...texts].filter(([, text]) => text.includes('@aws-sdk/')).map(([path]) => path);
  expect(found).toEqual(['src/keys/aws-kms.ts']);
  const text = texts.get('src/keys/aws-kms.ts') ?? '';
  expect(text.match(/@aws-sdk\//g)).toHaveLength(1);
  expect(text).toContain("await import('@aws-sdk/client-kms')");
});
