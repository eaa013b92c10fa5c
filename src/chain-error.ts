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
  wrong_account: 'the accounts of the ticket instruction stand in their declared order',
  repeated_account: 'the accounts of the ticket instruction differ from each other',
  our_key_pays: 'the fee payer is never a wallet or key of this service',
  our_key_misplaced: 'wallets and keys of this service appear only in their declared places',
  foreign_signer: 'nobody signs but the fee payer and the declared signers',
  wrong_flags: 'every account is signer and writable exactly as declared',
  unused_account: 'every account of the transaction is used by an instruction',
  price_zero: 'a listing has a price above zero',
  marketplace_zero: 'a listing names a marketplace',
  marketplace_cannot_sign: 'a listing names a marketplace that can sign the sale: no program, and no account of one',

  transaction_count: 'a request carries an accepted number of transactions',
  repeated_permit: 'a permit occurs once in a request',
  repeated_transaction: 'a transaction occurs once in a request',
  signature_missing: 'the transaction is signed by all its signers',
  signature_invalid: 'a signature that is present is valid for its signer and this message',
  signature_conflict: 'a signature that is present is never replaced by another',

  blockhash_expired: "the recent blockhash is one of the last that the cluster of the token's mode made",
  chain_refused: 'the cluster accepts the transaction',

  bad_address: 'an address is 32 bytes in base58',
  bad_account_data: 'account data has the discriminator and the length of its kind',
} as const;

export type ChainErrorCode = keyof typeof RULES;

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
