/** Every rule about transactions, instructions and accounts, in the words a partner reads. The key is its stable code. */
const RULES = {
  encoding: 'a transaction is a non-empty text of hex digit pairs or of padded standard base64',
  too_large: 'a legacy or version 0 transaction has at most 1,232 bytes, a version 1 transaction at most 4,096',
  version_one: 'version 1 transactions are not accepted yet: send a legacy or a version 0 transaction',
  version_unknown: 'only legacy and version 0 transactions are known',
  shortvec: 'a length is a compact-u16 in its shortest form',
  truncated: 'a transaction has all the bytes that its lengths announce',
  trailing_bytes: 'nothing follows the message of a transaction',
  signature_count: 'a transaction has one signature slot per signer of its header',
  header: 'the header leaves the fee payer writable and counts no more accounts than there are',
  account_limit: 'a transaction addresses at most 256 accounts',
  duplicate_key: 'an account key occurs once in a transaction',
  empty_lookup: 'a lookup table that is named is used',
  index_out_of_bounds: 'an instruction points only at accounts that the transaction has, and never calls the fee payer',

  lookup_table: 'address lookup tables are not accepted',
  durable_nonce: 'durable nonces are not accepted: use a recent blockhash',
  our_key_as_program: 'a wallet or key of this service is never called as a program',
  foreign_program: 'only the ticket program and the Compute Budget program may be called',
  compute_budget_kind: 'of the Compute Budget program only SetComputeUnitLimit and SetComputeUnitPrice are accepted',
  compute_budget_accounts: 'a Compute Budget instruction names no accounts',
  compute_budget_repeated: 'SetComputeUnitLimit and SetComputeUnitPrice occur at most once each',
  compute_unit_limit: 'the compute unit limit stays within the cap',
  compute_unit_price: 'the compute unit price stays within the cap',
  wrong_instruction: 'the only ticket instruction is the one that was asked for',
  no_instruction: 'a transaction contains the ticket instruction that was asked for',
  repeated_instruction: 'a transaction contains one ticket instruction, not more',
  data_length: 'the data of the ticket instruction has exactly its declared length',
  account_count: 'the ticket instruction names exactly its declared accounts',
  wrong_account: 'the ticket instruction names the declared accounts in the declared order',
  repeated_account: 'the accounts of the ticket instruction differ from each other',
  our_key_pays: 'the fee payer is never a wallet or key of this service',
  our_key_misplaced: 'wallets and keys of this service appear only in their declared places',
  foreign_signer: 'nobody signs but the fee payer and the declared signers',
  wrong_flags: 'every account is signer and writable exactly as declared',
  unused_account: 'every account of the transaction is used by an instruction',
  wrong_owner: 'the owner that the ticket instruction names is the fan’s wallet',
  service_key: 'no other wallet or key of this service is in the transaction',
  price_zero: 'a listing has a price above zero',
  marketplace_zero: 'a listing names a marketplace',
  marketplace_cannot_sign:
    'a listing names a marketplace that can sign the sale: no program, no sysvar, no account of the ticket program',

  transaction_count: 'a request carries an accepted number of transactions',
  repeated_permit: 'a permit occurs once in a request',
  repeated_transaction: 'a transaction occurs once in a request',
  signature_missing: 'the transaction is signed by all its signers',
  signature_invalid: 'a signature that is present is valid for its signer and this message',
  signature_conflict: 'a signature that is present is never replaced by another',

  wrong_terms: 'a transfer names the price of its listing; for a held permit, number and price are zero',
  blockhash_expired: "the recent blockhash is one of the last that the cluster of the token's mode made",
  chain_refused: 'the cluster accepts the transaction',

  bad_address: 'an address is 32 bytes in base58',
  bad_account_data: 'account data has the discriminator and the length of its kind',
} as const;

export type ChainErrorCode = keyof typeof RULES;

/** What a partner does about a broken rule, by its code. */
export const CHAIN_FIXES: Readonly<Record<ChainErrorCode, string>> = {
  encoding: 'Send the serialized transaction as hex, or as base64 with its padding; a claim takes hex only.',
  too_large: 'Make the transaction smaller: leave out every instruction but the ticket instruction and its budget.',
  version_one: 'Build a legacy or a version 0 transaction.',
  version_unknown: 'Build a legacy or a version 0 transaction, and send the serialized transaction, nothing around it.',
  shortvec: 'Serialize the transaction with a current Solana library.',
  truncated: 'Send the whole serialized transaction: it was cut off on the way.',
  trailing_bytes: 'Send only the serialized transaction, without anything after it.',
  signature_count: 'Serialize the transaction with a slot for every signer, those still empty too.',
  header: 'Compile the message with a Solana library instead of by hand; the fee payer comes first and is writable.',
  account_limit: 'Use fewer accounts.',
  duplicate_key: 'Compile the message with a Solana library, which names each account once.',
  empty_lookup: 'Leave out the lookup table.',
  index_out_of_bounds: 'Compile the message with a Solana library; do not change its bytes afterwards.',
  lookup_table: 'Compile the message without address lookup tables.',
  durable_nonce: 'Use a recent blockhash and leave out the nonce instruction.',
  our_key_as_program: 'Remove the instruction: it calls a wallet or a key as if it were a program.',
  foreign_program: 'Remove the instructions of other programs, those that a wallet adds by itself too.',
  compute_budget_kind: 'Keep only SetComputeUnitLimit and SetComputeUnitPrice of the Compute Budget program.',
  compute_budget_accounts: 'Build the Compute Budget instructions without accounts.',
  compute_budget_repeated: 'Set the limit and the price once each; a wallet may have added them a second time.',
  compute_unit_limit: 'Lower the compute unit limit to the cap that the message names.',
  compute_unit_price: 'Lower the compute unit price to the cap that the message names.',
  wrong_instruction:
    'Send the instruction that `type` names: create_listing_v1 for `list`, cancel_listing_v1 for `cancel`.',
  no_instruction: 'Add the ticket instruction, and check that it calls the ticket program of the client’s mode.',
  repeated_instruction: 'Send one transaction per ticket.',
  data_length: 'Encode the instruction by the IDL; nothing may be missing or left over.',
  account_count: 'Give the instruction exactly the accounts of the IDL.',
  wrong_account: 'Put the accounts in the order of the IDL, and derive each address from this ticket’s permit.',
  repeated_account: 'Use a different account in each place of the instruction.',
  our_key_pays: 'Set the fee payer to an account of your own.',
  our_key_misplaced: 'Use the fan’s wallet and our key only where the IDL names them.',
  foreign_signer: 'Remove signers other than the fee payer and those of the IDL.',
  wrong_flags: 'Mark each account signer and writable exactly as the IDL does.',
  unused_account: 'Remove accounts that no instruction uses.',
  wrong_owner: 'Name the wallet of the fan who signed in as the owner: the Permit account has it.',
  service_key: 'Take the address out: it is the wallet of another fan, or a key of the service.',
  price_zero: 'Set a price above zero.',
  marketplace_zero: 'Set the marketplace to your marketplace’s address.',
  marketplace_cannot_sign: 'Set the marketplace to the address of a key pair that you hold, not to a program.',
  transaction_count: 'Send as many transactions as one call may have, and the rest with another call.',
  repeated_permit: 'Name each ticket once per call.',
  repeated_transaction: 'Send each transaction once per call.',
  signature_missing: 'Have every signer sign the transaction before you send it.',
  signature_invalid: 'Sign the final message: any change after signing makes a signature invalid.',
  signature_conflict: 'Leave the slot of our signature empty.',
  wrong_terms:
    'Name `listing` and `price` as the Permit account has them, if that is the price of your sale. For a held permit, set both to zero.',
  blockhash_expired:
    'Fetch a new blockhash from the cluster of the client’s mode, sign again, and send it within a minute.',
  chain_refused: 'Simulate the transaction on the cluster of the client’s mode; the message has the cluster’s reason.',
  bad_address: 'Send addresses in base58, 32 bytes each.',
  bad_account_data: 'Send us the request ID: an account on the chain is not what the program writes.',
};

/** Where and how a rule was broken. */
export interface ChainErrorContext {
  /** The place in the request, for example `transactions[2]` or `tickets[3].tx`. */
  readonly where?: string;
  /** What was seen, for example `instruction 1 calls 1111…`. */
  readonly detail?: string;
}

/** A broken rule. `message` is `<where>: <rule> (<detail>)`, for the answer to a partner. */
export class ChainError extends Error {
  override readonly name = 'ChainError';
  readonly code: ChainErrorCode;
  /** The broken rule in plain words. */
  readonly rule: string;
  readonly context: ChainErrorContext;

  constructor(code: ChainErrorCode, context: ChainErrorContext = {}) {
    const rule = RULES[code];
    const prefix = context.where === undefined ? '' : `${context.where}: `;
    const suffix = context.detail === undefined ? '' : ` (${context.detail})`;
    super(`${prefix}${rule}${suffix}`);
    this.code = code;
    this.rule = rule;
    this.context = context;
  }
}

/** Runs `judge`. @throws ChainError of `judge`, with the place `where` if it has none */
export function judgeAt<T>(where: string, judge: () => T): T {
  try {
    return judge();
  } catch (error) {
    if (error instanceof ChainError && error.context.where === undefined) {
      throw new ChainError(error.code, { ...error.context, where });
    }
    throw error;
  }
}
