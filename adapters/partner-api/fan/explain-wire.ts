import type { Explanation } from '@fan-api/cosign-policy/explain';
import { z } from 'zod';
import { CreateAuthorizationRequest, ExecuteClaimRequest } from './wire.ts';

/**
 * The shapes of an explained request (`Prefer: explain`), which is not in the contract. The request has the shape of the one that it
 * explains, except that a transaction may be any text: an invalid one is reported as a failed rule.
 */

const TEXT = z.string({ error: 'must be a string' });

const listOf = <Item extends z.ZodType>(item: Item, most: number, what: string) => {
  const wrong = { error: `must be a list of 1 to ${most} ${what}` };
  return z.array(item, wrong).min(1, wrong).max(most, wrong);
};

export const ExplainAuthorizationRequest = CreateAuthorizationRequest.extend({
  transactions: listOf(TEXT, 4, 'strings'),
});

export const ExplainClaimRequest = ExecuteClaimRequest.extend({
  tickets: listOf(z.strictObject({ tx: TEXT }), 10, 'objects'),
});

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
