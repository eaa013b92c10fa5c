import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, it } from 'vitest';

/** What became of a transaction is decided in one place: `transaction-outcome.ts` proves that one can never land. The others are listed. */
const ROOT = new URL('../../', import.meta.url);

const READERS: [what: string, pattern: RegExp, files: string[]][] = [
  [
    'the status of a transaction',
    /\.statuses\(/,
    [
      'src/chain/transaction-outcome.ts',
      // before a claim is opened: nothing of ours was sent
      'src/tickets/claim/check-onchain.ts',
      'src/tickets/claim/explain-claim-transactions.ts',
      // of a claim that landed: whether a fork has dropped it
      'src/tickets/claim/recheck-confirmed.ts',
    ],
  ],
  [
    'whether a blockhash is over',
    /\.blockhash\(/,
    [
      'src/chain/transaction-outcome.ts',
      // before it is signed or sent
      'src/chain/judge-blockhash.ts',
      'src/tickets/claim/check-onchain.ts',
      'src/tickets/listing/sign-listing-transactions.ts',
      // answers for a partner's test
      'src/sandbox/failure/simulated-gateway.ts',
    ],
  ],
];

const texts = new Map<string, string>();
for await (const path of glob('{src,adapters,schema}/**/*.ts', { cwd: ROOT }))
  texts.set(path.replaceAll('\\', '/'), readFileSync(new URL(path, ROOT), 'utf8'));

it.each(READERS)('only listed files read %s', (_, pattern, files) => {
  const found = [...texts].filter(([, text]) => pattern.test(text)).map(([path]) => path);
  expect(found.sort()).toEqual([...files].sort());
});
