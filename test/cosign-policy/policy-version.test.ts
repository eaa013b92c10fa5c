import { createHash } from 'node:crypto';
import { examineTransactions } from '@fan-api/cosign-policy/examine-transactions';
import { describePolicy } from '@fan-api/cosign-policy/policy-document';
import { POLICY_VERSION } from '@fan-api/cosign-policy/policy-version';
import { verdictsOf } from '@fan-api/cosign-policy/verdicts';
import { expect, test } from 'vitest';
import { FACTS, GOOD_CASES, RULE_CASES } from './rule-cases.ts';

/**
 * What the policy of each version says, and how it judges the cases of its rules. A version that was published is never changed:
 * where this test fails, the rules have changed, and `policy-version.ts` needs a new version with a line of its own here.
 */
const DIGESTS: Readonly<Record<string, string>> = {
  '3': '55ea498b0c4f575d19bf24c52784d632699787360301f4e3aa429d4f3db0d3fd',
};

/** The document, and the verdicts on all cases. */
async function digestOfRules(): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(describePolicy()));
  for (const { action, texts } of [...RULE_CASES, ...GOOD_CASES]) {
    for (const { marks } of await examineTransactions(texts, action, FACTS)) {
      hash.update(
        JSON.stringify(verdictsOf(marks, action, new Set(['fan_wallet', 'authorities', 'service', 'grant', 'chain']))),
      );
    }
  }
  return hash.digest('hex');
}

test('D-280: the rules of a version never change: what they say and how they judge is held beside it', async () => {
  expect(DIGESTS[POLICY_VERSION]).toBe(await digestOfRules());
});
