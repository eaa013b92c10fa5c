import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import type { PolicyAction } from '@fan-api/cosign-policy/actions';
import { CLAIM_RULES } from '@fan-api/cosign-policy/claim-rules';
import { examineTransactions } from '@fan-api/cosign-policy/examine-transactions';
import { LISTING_RULES, type StateRule } from '@fan-api/cosign-policy/listing-rules';
import { describePolicy } from '@fan-api/cosign-policy/policy-document';
import { POLICY_VERSION } from '@fan-api/cosign-policy/policy-version';
import { EVERY_NEED } from '@fan-api/cosign-policy/rules';
import { judgeState, type Marks, verdictsOf } from '@fan-api/cosign-policy/verdicts';
import { describe, expect, test } from 'vitest';
import { FACTS, GOOD_CASES, RULE_CASES } from './rule-cases.ts';
import { CLAIM_CASES, LISTING_CASES } from './state-cases.ts';

/**
 * What the policy of each version says, and how it judges the cases of its rules. A version that was published is never changed:
 * where this test fails, the rules have changed, and `policy-version.ts` needs a new version with a line of its own here.
 */
const DIGESTS: Readonly<Record<string, string>> = {
  '3': '975e70977e968b036e9d13aa24e7a367adb9b6677987f79fcce5b80a2759f76c',
  '4': '0ef6150d5f57c0fec8044bb6009826a55b4f75a356fe0d2cc5e99d6c6d61280d',
  '5': 'cd967df0c14d30d88688b758013eba7e00daa9071ab6806250ec744a66a9c524',
  '6': '290aafe2043b5eba94ded93d866ad9b8c92b253d3a6d47e82a0255a9c2e867a6',
  '7': '3b1462acd61bc979a9aa38ef0c6016dd5caff1c7f19b355f3a47591bd6ed752b',
};

/**
 * What the service itself judges by its database, its keys and the chain: too much to try every case of. Where this test fails and no
 * rule has changed, the digest of the version is replaced; where one has, the policy gets a new version.
 */
const JUDGED_BY_THE_SERVICE = [
  'src/chain/gateway/read-signing-state.ts',
  'src/tickets/claim/check-onchain.ts',
  'src/tickets/claim/explain-claim-transactions.ts',
  'src/tickets/claim/stored-claim.ts',
  'src/tickets/claim/open-claims.ts',
  'src/tickets/claim/statements.ts',
  'src/tickets/listing/explain-listing-transactions.ts',
  'src/tickets/listing/find-refusal.ts',
  'src/tickets/listing/record-signatures.ts',
  'src/tickets/listing/sign-listing-transactions.ts',
  'src/tickets/listing/statements.ts',
];
const SOURCES: Readonly<Record<string, string>> = {
  '3': '247078f868c104e0c87cd3bba24f76a3a43416fcb40d889c151b25713987b998',
  '4': '7bf26dfbe07906f6eaa02c5623b91cfeae17b6616bfce3202a650445f8113c17',
  '5': '0a04fdcc98b72977a9e134867ca93a8595333393800ba5593757f1cd2d4d1a5b',
  '6': '909ec9f8ec7db9aad2a2bbb89cf78a8a34066ea181c82b42b013c8dc8e810818',
  '7': 'fa105997eeab3812dbae86003ec917c5cff2b3cb84aaf01c0e88027da3c719f7',
};

/** The document, the verdicts on all transactions of the cases, and on every state that a ticket can be in. */
async function digestOfRules({ listingRules = LISTING_RULES, claimRules = CLAIM_RULES } = {}): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(describePolicy()));
  const add = (marks: Marks, action: PolicyAction) =>
    hash.update(JSON.stringify(verdictsOf(marks, action, EVERY_NEED)));
  for (const { action, texts } of [...RULE_CASES, ...GOOD_CASES]) {
    for (const { marks } of await examineTransactions(texts, action, FACTS)) add(marks, action);
  }
  for (const found of LISTING_CASES) add(judged(listingRules, found), found.action);
  for (const found of CLAIM_CASES) add(judged(claimRules, found), 'claim');
  return hash.digest('hex');
}

function judged<Case>(rules: readonly StateRule<Case>[], found: Case): Marks {
  const marks: Marks = new Map();
  judgeState(marks, rules, found, []);
  return marks;
}

/** Where a name comes from, and whether another file may use it, changes no rule. */
const IMPORT_OR_EXPORT = /^import [^;]*;$|^export /gm;

/** Of the code without its imports, the word `export`, types, comments and spaces. @param sources TypeScript */
function digestOfCode(sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const source of sources) {
    const code = stripTypeScriptTypes(source.replace(IMPORT_OR_EXPORT, '')).replace(/\/\*[\s\S]*?\*\//g, '');
    hash.update(code.replace(/^\s*\/\/.*$/gm, '').replace(/\s+/g, ''));
  }
  return hash.digest('hex');
}

const sourceOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

describe('D-280: the rules of a version never change', () => {
  test('what they say and how they judge is held beside it', async () => {
    expect(DIGESTS[POLICY_VERSION]).toBe(await digestOfRules());
  });

  test('a rule of the state that is left out, or that judges otherwise, is another policy', async () => {
    const digests = [await digestOfRules()];
    for (const [at, rule] of LISTING_RULES.entries()) {
      const changed = (find: typeof rule.find) => LISTING_RULES.with(at, { ...rule, find });
      digests.push(await digestOfRules({ listingRules: changed(() => undefined) }));
      // judges one case less
      let seen = 0;
      const forgetful: typeof rule.find = (found) => {
        const broken = rule.find(found);
        if (broken) seen += 1;
        return seen === 1 ? undefined : broken;
      };
      digests.push(await digestOfRules({ listingRules: changed(forgetful) }));
    }
    for (const [at, rule] of CLAIM_RULES.entries()) {
      digests.push(await digestOfRules({ claimRules: CLAIM_RULES.with(at, { ...rule, find: () => undefined }) }));
    }
    expect(new Set(digests).size).toBe(digests.length);
  });

  test('nor does the code by which the service judges the rest', () => {
    expect(SOURCES[POLICY_VERSION]).toBe(digestOfCode(JUDGED_BY_THE_SERVICE.map(sourceOf)));
  });

  test('that code is the same with other imports, exports, comments and types, and another with another condition', () => {
    const [one, two, other] = [
      'const f = (a: number) => a > 1; // why',
      'import { type A,\n B } from "b";\n/** Why. */\nexport const f = (a: bigint) =>\n a > 1;\n  // more',
      'const f = (a: number) => a >= 1;',
    ].map((source) => digestOfCode([source.replace(' // why', '')]));
    expect(one).toBe(two);
    expect(one).not.toBe(other);
  });
});
