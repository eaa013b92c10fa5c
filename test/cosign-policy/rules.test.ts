import { ChainError } from '@fan-api/cosign-policy/chain-error';
import { examineTransactions } from '@fan-api/cosign-policy/examine-transactions';
import { explain } from '@fan-api/cosign-policy/explain';
import { judgeClaimTransactions } from '@fan-api/cosign-policy/judge-claim-transactions';
import { judgeListingTransactions } from '@fan-api/cosign-policy/judge-listing-transactions';
import { lint } from '@fan-api/cosign-policy/lint';
import { describePolicy } from '@fan-api/cosign-policy/policy-document';
import { type Need, RULES, type RuleName } from '@fan-api/cosign-policy/rules';
import { describe, expect, it, test } from 'vitest';
import {
  computeLimit,
  computePrice,
  legacyBytes,
  listInstruction,
  MARKETPLACE,
  messageStart,
  PAYER,
  sequence,
  transferInstruction,
  versionedBytes,
} from '../src/chain/transaction/build-transaction.ts';
import { FACTS, GOOD_CASES, RULE_CASES, type RuleCase } from './rule-cases.ts';

/** Rules that more than the transactions of a request decides: tests of the service and of the linter with a node have them. */
const OF_STATE: readonly RuleName[] = [
  'blockhash_expired',
  'signing_stopped',
  'ticket_not_found',
  'wrong_owner',
  'service_key',
  'marketplace_cannot_sign',
  'foreign_marketplace',
  'not_for_resale',
  'already_listed',
  'not_listed',
  'listing_gone',
  'wrong_terms',
  'claim_under_way',
  'chain_refused',
  'signature_conflict',
];

/** As far as the transactions themselves decide. */
const KNOWN: ReadonlySet<Need> = new Set(['fan_wallet', 'authorities', 'service']);

type Request = Pick<RuleCase, 'action' | 'texts'>;

/** The first refusal of the service's judge; undefined where it has none. */
async function refusalBy({ action, texts }: Request): Promise<ChainError | undefined> {
  try {
    if (action === 'claim') await judgeClaimTransactions(texts, FACTS);
    else await judgeListingTransactions(texts, { ...FACTS, type: action });
    return undefined;
  } catch (error) {
    if (error instanceof ChainError) return error;
    throw error;
  }
}

/** The rules that each transaction fails, by the examination that explanations are made of. */
async function examine({ action, texts }: Request) {
  const examined = await examineTransactions(texts, action, FACTS);
  return examined.map((each) => explain(each, action, FACTS.programId, KNOWN));
}

function lintByFacts({ action, texts }: Request) {
  const { programId, fanWallet: wallet, authorities } = FACTS;
  return lint(texts, { action, programId, wallet, authorities });
}

const failed = ({ rules }: Awaited<ReturnType<typeof examine>>[number]) =>
  rules.filter(({ outcome }) => outcome === 'failed').map(({ rule }) => rule);

describe('every rule that transactions decide', () => {
  it.each(RULE_CASES.map((each, index) => [each.rule, each.action, index, each] as const))(
    'D-279: %s of %s (case %i) is refused by the judge, and explained and linted with its fix',
    async (rule, _, __, each) => {
      const refusal = await refusalBy(each);
      expect(refusal?.code).toBe(rule);
      const transactions = await examine(each);
      const explained = transactions[each.at];
      expect(explained?.rules.find((verdict) => verdict.rule === rule)).toMatchObject({
        outcome: 'failed',
        message: refusal?.message.replace(/^[\w[\].]+: /, ''),
        fix: RULES.find((known) => known.rule === rule)?.fix,
      });
      const [first] = explained === undefined ? [] : failed(explained);
      expect(first).toBe(rule);
      const linted = await lintByFacts(each);
      expect(linted[each.at]?.accepted).toBe(false);
      expect(failed({ ...linted[each.at] } as (typeof linted)[number])).toContain(rule);
    },
  );

  it('each has such a case, or is a rule of the state', () => {
    const covered = new Set<string>([...RULE_CASES.map(({ rule }) => rule), ...OF_STATE]);
    expect(RULES.map(({ rule }) => rule).filter((rule) => !covered.has(rule))).toEqual([]);
    expect(RULE_CASES.filter(({ rule }) => (OF_STATE as string[]).includes(rule))).toEqual([]);
  });

  it.each(GOOD_CASES.map((each, index) => [each.action, index, each] as const))(
    'a good %s (case %i) fails none',
    async (_, __, each) => {
      expect(await refusalBy(each)).toBeUndefined();
      for (const transaction of await examine(each)) expect(failed(transaction)).toEqual([]);
    },
  );
});

test('D-279: a rule that another one keeps from being judged is not passed, and says which', async () => {
  const [explained] = await examine({ action: 'list', texts: ['ab'] });
  expect(explained?.instructions).toEqual([]);
  expect(failed(explained as NonNullable<typeof explained>)).toHaveLength(1);
  expect(explained?.rules.find(({ rule }) => rule === 'price_zero')).toMatchObject({
    outcome: 'unchecked',
    message: expect.stringMatching(/^not checked: \w+ has not passed$/),
    fix: expect.stringMatching(/^Make \w+ pass first\.$/),
  });
});

test('D-279: of mutated transactions, judge and linter accept the same, and the refusal is a failed rule of the linter', async () => {
  const next = sequence(20_261_122);
  const instructions = [computeLimit(20_000), computePrice(5n), listInstruction()];
  const claim = [
    legacyBytes([transferInstruction()], { signers: [] }),
    legacyBytes([transferInstruction()], { signers: [PAYER, MARKETPLACE] }),
  ];
  const seeds: readonly (readonly ['list' | 'claim', Buffer])[] = [
    ['list', legacyBytes(instructions, { signers: [] })],
    ['list', versionedBytes(instructions, [])],
    ['list', legacyBytes(instructions)],
    ...claim.map((bytes) => ['claim', bytes] as const),
  ];
  const seen = new Map<string, number>();
  for (let round = 0; round < 4_000; round++) {
    const [action, seed] = seeds[round % seeds.length] ?? ['list', Buffer.alloc(0)];
    const bytes = Buffer.from(seed);
    const from = next(4) === 0 ? 0 : messageStart(bytes);
    for (let change = next(3); change >= 0; change--) {
      const at = from + next(bytes.length - from);
      bytes.writeUInt8(next(2) === 0 ? bytes.readUInt8(at) ^ (1 << next(8)) : next(256), at);
    }
    const end = next(8) === 0 ? next(bytes.length) : bytes.length;
    const request = { action, texts: [bytes.subarray(0, end).toString('hex') || '00'] } as const;
    const refusal = await refusalBy(request);
    const [linted] = await lintByFacts(request);
    const rules = linted === undefined ? [] : failed(linted);
    seen.set(refusal?.code ?? 'accepted', (seen.get(refusal?.code ?? 'accepted') ?? 0) + 1);
    // whose ticket it is, the judge leaves to the state of the ticket; the linter too
    if (refusal === undefined) expect(rules, request.texts[0]).toEqual([]);
    else expect(rules[0], request.texts[0]).toBe(refusal.code);
    expect(linted?.accepted).toBe(refusal === undefined);
  }
  expect(seen.size).toBeGreaterThan(15);
  expect(seen.get('accepted')).toBeGreaterThan(50);
});

test('the published policy names every rule once, with its words, and no rule that is not judged', () => {
  const { rules, actions } = describePolicy();
  expect(rules.map(({ rule }) => rule)).toEqual(RULES.map(({ rule }) => rule));
  expect(new Set(rules.map(({ rule }) => rule)).size).toBe(rules.length);
  for (const { message, fix } of rules) {
    expect(message.length).toBeGreaterThan(10);
    expect(fix).toMatch(/\.$/);
  }
  expect(actions.map(({ action }) => action)).toEqual(['list', 'cancel', 'claim']);
});
