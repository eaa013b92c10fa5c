import { MAX_TRANSACTION_BYTES } from '@fan-api/solana-wire/parse-transaction';
import { INSTRUCTION_DISCRIMINATORS } from '@fan-api/ticket-program/description';
import { ACTIONS, type ActionTerms, type PolicyAction } from './actions.ts';
import { COMPUTE_BUDGET_PROGRAM } from './candidate.ts';
import { COMPUTE_CAPS, SET_COMPUTE_UNIT_LIMIT, SET_COMPUTE_UNIT_PRICE } from './compute-budget.ts';
import { POLICY_VERSION } from './policy-version.ts';
import { instructionDataLength, instructionOf } from './read-instruction.ts';
import { RULES } from './rules.ts';

/** The endpoint of an action below `{base_url}`, and the `type` of its body. */
const REQUESTS: Readonly<Record<PolicyAction, { readonly path: string; readonly type?: string }>> = {
  list: { path: '/authorizations', type: 'list' },
  cancel: { path: '/authorizations', type: 'cancel' },
  claim: { path: '/claims/execute' },
};

/** The co-signing policy as it is published: made from what the rules judge by, and so the same everywhere for one version. */
export function describePolicy() {
  return {
    version: POLICY_VERSION,
    limits: {
      transaction_versions: ['legacy', '0'],
      transaction_bytes: MAX_TRANSACTION_BYTES,
      address_lookup_tables: 0,
      ticket_instructions: 1,
      compute_unit_limit: COMPUTE_CAPS.computeUnitLimitCap,
      /** Per unit; in decimal, as it is a u64. */
      compute_unit_price_micro_lamports: String(COMPUTE_CAPS.computeUnitPriceCap),
    },
    /** Beside the ticket instruction, each at most once. */
    compute_budget: {
      program_id: COMPUTE_BUDGET_PROGRAM,
      instructions: [
        { name: 'SetComputeUnitLimit', ...kindOf(SET_COMPUTE_UNIT_LIMIT) },
        { name: 'SetComputeUnitPrice', ...kindOf(SET_COMPUTE_UNIT_PRICE) },
      ],
    },
    actions: Object.entries(ACTIONS).map(([action, terms]) => describeAction(action as PolicyAction, terms)),
    rules: RULES.map(({ rule, message, fix, actions, needs, code }) => {
      return { rule, message, fix, actions, needs, error_code: code };
    }),
  };
}

function kindOf({ kind, length }: { readonly kind: number; readonly length: number }) {
  return { first_byte: kind, data_bytes: length };
}

function describeAction(action: PolicyAction, terms: ActionTerms) {
  const { accounts, args } = instructionOf(terms.instruction);
  return {
    action,
    ...REQUESTS[action],
    transactions: { least: 1, most: terms.mostTransactions },
    encodings: terms.encodings,
    signatures: terms.fullySigned ? 'all' : 'those that are present are verified; the service adds its own',
    instruction: {
      name: terms.instruction,
      discriminator: Buffer.from(INSTRUCTION_DISCRIMINATORS[terms.instruction]).toString('hex'),
      data_bytes: instructionDataLength(terms.instruction),
      arguments: args.map(({ name, type }) => ({ name, type })),
      accounts: accounts.map(({ name, signer, writable }) => ({
        name,
        signer: signer ?? false,
        writable: writable ?? false,
        // as a fee payer it is a writable signer of the message
        may_pay_the_fee: name === terms.payingSlot,
      })),
    },
  };
}
