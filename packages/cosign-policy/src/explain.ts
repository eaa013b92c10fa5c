import type { PolicyAction } from './actions.ts';
import { type DescribedInstruction, describeInstructions } from './describe-instructions.ts';
import type { Examined } from './examine-transactions.ts';
import type { Need } from './rules.ts';
import { type Verdict, verdictsOf } from './verdicts.ts';

/** A transaction in words, with a verdict on every rule. */
export interface Explanation {
  /** Whether it passed every rule, apart from those that cannot be judged here. */
  readonly accepted: boolean;
  /** None where the bytes are no transaction. */
  readonly instructions: readonly DescribedInstruction[];
  readonly rules: readonly Verdict[];
}

/** @param programId of the ticket program @param knows which needs of rules are met here */
export function explain(
  { marks, candidate }: Examined,
  action: PolicyAction,
  programId: string,
  knows: ReadonlySet<Need>,
): Explanation {
  const rules = verdictsOf(marks, action, knows);
  return {
    accepted: rules.every(
      ({ outcome, lacks }) => outcome === 'passed' || (outcome === 'unchecked' && lacks !== undefined),
    ),
    instructions: candidate === undefined ? [] : describeInstructions(candidate, programId),
    rules,
  };
}
