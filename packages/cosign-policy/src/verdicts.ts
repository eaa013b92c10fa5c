import { ACTIONS, type PolicyAction } from './actions.ts';
import { ChainError } from './chain-error.ts';
import type { BrokenRule, StateRule } from './listing-rules.ts';
import { type Need, type Rule, type RuleName, rulesOf } from './rules.ts';

/** The verdict on a transaction by one rule. */
export interface Verdict {
  readonly rule: RuleName;
  readonly outcome: 'passed' | 'failed' | 'unchecked';
  /** For `failed`: the rule and what was seen. For `unchecked`: why. Otherwise the rule. */
  readonly message: string;
  /** What would make it pass; null where it passed. */
  readonly fix: string | null;
  /** The need of the rule that is not met here. */
  readonly lacks?: Need;
}

type Mark = { readonly outcome: 'passed' | 'failed'; readonly detail?: string } | { readonly blockedBy: RuleName };

/** The marks of one transaction, rule by rule. A rule may be judged in parts: the worst mark counts. */
export type Marks = Map<RuleName, Mark>;

export function pass(marks: Marks, rule: RuleName): void {
  if (!marks.has(rule)) marks.set(rule, { outcome: 'passed' });
}

export function fail(marks: Marks, rule: RuleName, detail?: string): void {
  if (hasFailed(marks, rule)) return;
  marks.set(rule, detail === undefined ? { outcome: 'failed' } : { outcome: 'failed', detail });
}

export function hasPassed(marks: Marks, rule: RuleName): boolean {
  const mark = marks.get(rule);
  return mark !== undefined && 'outcome' in mark && mark.outcome === 'passed';
}

function hasFailed(marks: Marks, rule: RuleName): boolean {
  const mark = marks.get(rule);
  return mark !== undefined && 'outcome' in mark && mark.outcome === 'failed';
}

/** Judges a rule by a check that throws its ChainError, unless one of the rules in `after` has not passed. */
export function judgeRule(marks: Marks, rule: RuleName, check: () => void, after: readonly RuleName[] = []): void {
  if (isBlocked(marks, rule, after)) return;
  try {
    check();
    pass(marks, rule);
  } catch (error) {
    failBy(marks, error);
  }
}

/** Marks the rule of a ChainError as failed. @throws any other error */
export function failBy(marks: Marks, error: unknown): void {
  if (!(error instanceof ChainError)) throw error;
  fail(marks, error.code as RuleName, error.context.detail);
}

/** Judges rules about facts outside the transaction. The first must pass before the others: it decides whether the caller learns more. */
export function judgeState<Case>(
  marks: Marks,
  rules: readonly StateRule<Case>[],
  found: Case,
  after: readonly RuleName[],
): void {
  let needed = after;
  for (const { rules: names, find } of rules) {
    const broken: BrokenRule | undefined = names.every((name) => isBlocked(marks, name, needed))
      ? undefined
      : find(found);
    const before = [...needed];
    for (const name of names) {
      if (isBlocked(marks, name, before)) continue;
      if (broken?.rule === name) {
        fail(marks, name, broken.detail);
        // the check ended here: it has not judged the rules that follow
        before.push(name);
      } else {
        pass(marks, name);
      }
    }
    if (needed === after) needed = [...after, ...names];
  }
}

function isBlocked(marks: Marks, rule: RuleName, after: readonly RuleName[]): boolean {
  const blockedBy = after.find((each) => !hasPassed(marks, each));
  if (blockedBy === undefined) return false;
  if (!hasFailed(marks, rule)) marks.set(rule, { blockedBy });
  return true;
}

/** Why a rule that needs something cannot be judged here. */
const LACKING: Readonly<Record<Need, string>> = {
  fan_wallet: 'the fan’s wallet is not known here',
  authorities: 'the co-signing authority is not known here',
  chain: 'the chain was not read',
  grant: 'only the service knows the grant',
  service: 'only the service knows its keys, its claims and what is stopped',
};

const UNKNOWN_FIX: Readonly<Record<Need, string>> = {
  fan_wallet: 'Give the fan’s wallet.',
  authorities: 'Give the URL of a node, or the authority.',
  chain: 'Give the URL of a node.',
  grant: 'Ask the sandbox: send the request with `Prefer: explain`.',
  service: 'Ask the sandbox: send the request with `Prefer: explain`.',
};

/** A verdict on every rule of an action, in the order of judging. @param knows which needs of rules are met here */
export function verdictsOf(marks: Marks, action: PolicyAction, knows: ReadonlySet<Need>): Verdict[] {
  const rules = rulesOf(action);
  const first = rules.find(({ rule }) => hasFailed(marks, rule))?.rule;
  return rules.map((rule) => {
    const mark = marks.get(rule.rule) ?? (first && { blockedBy: first });
    // name what has failed, not what was left out because of it
    const isSecondary = mark !== undefined && 'blockedBy' in mark && !hasFailed(marks, mark.blockedBy);
    return verdictOn(rule, isSecondary && first ? { blockedBy: first } : mark, action, knows);
  });
}

function verdictOn(
  { rule, message, fix, needs }: Rule,
  mark: Mark | undefined,
  action: PolicyAction,
  knows: ReadonlySet<Need>,
): Verdict {
  if (mark !== undefined && 'outcome' in mark && mark.outcome === 'failed') {
    return {
      rule,
      outcome: 'failed',
      message: mark.detail === undefined ? message : `${message} (${mark.detail})`,
      fix,
    };
  }
  const lacking = needs.find((need) => !knows.has(need) && (need !== 'authorities' || ACTIONS[action].authoritySlot));
  if (lacking !== undefined) {
    return {
      rule,
      outcome: 'unchecked',
      message: `not checked: ${LACKING[lacking]}`,
      fix: UNKNOWN_FIX[lacking],
      lacks: lacking,
    };
  }
  if (mark === undefined || 'blockedBy' in mark) {
    const by = mark?.blockedBy;
    const why = by === undefined ? 'nothing was judged' : `${by} has not passed`;
    return {
      rule,
      outcome: 'unchecked',
      message: `not checked: ${why}`,
      fix: `Make ${by ?? 'the others'} pass first.`,
    };
  }
  return { rule, outcome: 'passed', message, fix: null };
}
