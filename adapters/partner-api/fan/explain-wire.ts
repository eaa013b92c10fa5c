import type { Explanation } from '@fan-api/cosign-policy/explain';
import { z } from 'zod';

/** The shapes of an explained answer (`Prefer: explain`), which is not in the contract. */

export const ExplainedAccount = z.strictObject({
  role: z.string().nullable().describe('The account’s name in the instruction; null where it is not declared'),
  address: z.string().nullable().describe('Base58; null where it comes from a lookup table'),
  signer: z.boolean(),
  writable: z.boolean(),
});

export const ExplainedInstruction = z.strictObject({
  program: z.string().describe('Address of the program, in base58'),
  program_name: z.string().nullable().describe('Null where the policy does not know the program'),
  name: z.string().nullable().describe('Null where the instruction is not known'),
  accounts: z.array(ExplainedAccount),
  arguments: z.record(z.string(), z.string()).describe('By name; numbers in decimal'),
  data: z.string().describe('The data of the instruction in hex'),
});

export const ExplainedRule = z.strictObject({
  rule: z.string().describe('The stable name: the code of the refusal, or a name of the published policy'),
  passed: z.boolean(),
  message: z
    .string()
    .describe('The rule; where it failed, with what was seen; “not checked: …” where another rule must pass first'),
  fix: z.string().nullable().describe('What would make it pass; null where it passed'),
});

export const ExplainedTransaction = z.strictObject({
  accepted: z.boolean().describe('Whether every rule passed'),
  instructions: z.array(ExplainedInstruction).describe('Empty where the text holds no transaction'),
  rules: z.array(ExplainedRule).describe('Every rule of the policy for this action, in the order of judging'),
});

export const ExplainResponse = z.strictObject({
  transactions: z.array(ExplainedTransaction).describe('In the order of the request'),
});
export type ExplainResponse = z.infer<typeof ExplainResponse>;

/** The body of an explained request. */
export function toExplainResponse(explanations: readonly Explanation[]): ExplainResponse {
  return {
    transactions: explanations.map(({ accepted, instructions, rules }) => ({
      accepted,
      instructions: instructions.map(({ accounts, ...rest }) => ({ ...rest, accounts: [...accounts] })),
      rules: rules.map(({ rule, outcome, message, fix }) => ({ rule, passed: outcome === 'passed', message, fix })),
    })),
  };
}
