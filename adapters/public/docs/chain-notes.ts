import type { ChainErrorCode } from '../../../src/platform/chain-error.ts';
import type { ErrorNote } from './error-notes.ts';

interface ChainNote extends ErrorNote {
  /** Where the example's transaction is in its request; by default that of a listing. */
  place?: string;
}

/** Refusals of the co-signing policy; `example` is the value found, in the brackets at the end of the message. */
export const CHAIN_NOTES: Record<ChainErrorCode, ChainNote> = {
  encoding: {
    cause:
      'The text is base58, base64url, or base64 without its padding. Or base64 was sent to `POST /claims/execute`, which takes hex only.',
    example: 'not hex',
  },
  too_large: {
    cause: 'The transaction has more in it than one ticket instruction and its compute budget.',
    example: '1,240 bytes',
  },
  version_one: { cause: 'Your library builds version 1 transactions by default.', example: '' },
  version_unknown: {
    cause: 'The bytes are not a transaction. Usually the message alone was serialized, without its signatures.',
    example: 'version 5',
  },
  shortvec: {
    cause: 'A length was encoded by your own code, in more bytes than it needs or as a fixed-size integer.',
    example: 'account keys',
  },
  truncated: {
    cause:
      'The text was cut off, for example by a column or a log line that is too short, or a length in it is too big.',
    example: 'recent blockhash',
  },
  trailing_bytes: {
    cause: 'Two transactions are in one text, or signatures were put after the message instead of before it.',
    example: '64 bytes too many',
  },
  signature_count: {
    cause: 'Empty signature slots were left out when the transaction was serialized.',
    example: '1 slots, 3 signers',
  },
  header: {
    cause:
      'Your own code compiled the message: its header counts more signers or read-only accounts than there are, or makes the fee payer read-only.',
    example: 'no writable signer',
  },
  account_limit: {
    cause: 'Address lookup tables bring in more accounts than an index of one byte can name.',
    example: '300 accounts',
  },
  duplicate_key: {
    cause: 'Your own code compiled the message and listed an account once for each instruction that uses it.',
    example: 'account 4',
  },
  empty_lookup: { cause: 'The message names an address lookup table but takes no account from it.', example: '' },
  index_out_of_bounds: {
    cause: 'An account was removed from the message after it was compiled, so that an instruction points at nothing.',
    example: 'instruction 0',
  },
  lookup_table: { cause: 'A wallet or library adds address lookup tables automatically.', example: '1 named' },
  durable_nonce: {
    cause: 'The transaction is built with a nonce account, so that it would never expire.',
    example: 'instruction 0 advances one',
  },
  our_key_as_program: {
    cause: 'The account indexes of the message are wrong, so that an instruction has a wallet as its program.',
    example: 'instruction 1 calls 4Nd1m…',
  },
  foreign_program: {
    cause:
      'A transfer, a memo or another instruction is beside the ticket instruction; or the program is that of the other mode.',
    example: 'instruction 1 calls 11111111111111111111111111111111',
  },
  compute_budget_kind: {
    cause: 'A library requests a heap frame or a data size limit.',
    example: 'instruction 0 is of kind 1',
  },
  compute_budget_accounts: {
    cause: 'Your own code built the instruction and gave it an account, such as the fee payer.',
    example: '',
  },
  compute_budget_repeated: { cause: 'Both your code and a wallet or library set the budget.', example: '' },
  compute_unit_limit: {
    cause: 'A library set the largest limit there is, 1,400,000 units. A ticket instruction takes about 5,000.',
    example: '1400000 units, cap 400000',
  },
  compute_unit_price: {
    cause: 'An automatic priority fee went up while the network was busy.',
    example: '9000000 micro-lamports, cap 5000000',
  },
  wrong_instruction: {
    cause:
      '`type` is `cancel` where the transaction lists, or the other way round; or a transfer was sent to be signed.',
    example: 'instruction 2 is create_listing_v1, not cancel_listing_v1',
  },
  no_instruction: {
    cause: 'The transaction calls the program of the other mode, or only sets the budget.',
    example: 'create_listing_v1 is missing',
  },
  repeated_instruction: { cause: 'One transaction lists several tickets.', example: '2 of create_listing_v1' },
  data_length: {
    cause:
      'A price, or the number that a transfer names, is missing or not encoded in 8 bytes; or there are bytes after the arguments.',
    example: '12 bytes, not 16',
  },
  account_count: {
    cause: 'An account that the IDL names is missing, or there is one more.',
    example: '4 accounts, not 5',
  },
  wrong_account: {
    cause:
      'An account is derived from another ticket, event or program; the authority was rotated and is read from a cache; or the destination of a claim is not the buyer’s wallet.',
    example: 'destination is 9hSR…, not 4Nd1…',
  },
  repeated_account: { cause: 'One key is used for two roles, such as owner and marketplace.', example: '' },
  our_key_pays: { cause: 'The fee payer was left to the owner, which is the fan’s wallet.', example: '4Nd1mYbGZ…' },
  wrong_owner: {
    cause:
      'The owner that the instruction names is not the wallet of the fan who signed in, though the ticket is theirs.',
    example: 'owner is 9hSR…, not 4Nd1…',
  },
  service_key: {
    cause: 'The fee payer or another account is the wallet of another fan, or a key of the service.',
    example: '4Nd1…',
  },
  our_key_misplaced: {
    cause: 'A fan’s wallet or a key of the service is where yours belongs.',
    example: 'marketplace is 4Nd1…',
  },
  foreign_signer: {
    cause: 'A wallet adds a signer, or the marketplace is marked as a signer of a listing.',
    example: '7VfCX…',
  },
  wrong_flags: {
    cause: 'Your own code wrote the list of accounts and marked one as signer or writable, or not, against the IDL.',
    example: 'permit is readonly, not writable',
  },
  unused_account: {
    cause: 'An instruction was removed after the message was compiled, and its accounts are still there.',
    example: '7VfCX…',
  },
  price_zero: { cause: 'No price was set, or a price below one lamport was rounded down.', example: '' },
  marketplace_zero: {
    cause: 'The marketplace was left empty: 32 zero bytes, which is the address of the System program.',
    example: '',
  },
  marketplace_cannot_sign: {
    cause:
      'The marketplace is the address of a program, of a sysvar, or of an account of the ticket program, such as a permit. None of them can sign the sale.',
    example: '11111111111111111111111111111111',
  },
  transaction_count: {
    cause: 'The call has no transaction, or more than it may carry: 4 for a listing, 10 for a claim.',
    example: '5 instead of 1 to 4',
    place: 'transactions',
  },
  repeated_permit: {
    cause: 'Two transactions of the call are about the same ticket.',
    example: '7D2bQ…, as transactions[0]',
    place: 'transactions[1]',
  },
  repeated_transaction: {
    cause: 'The same transfer was put into the call twice, for example by a retry that appends.',
    example: 'as tickets[0].tx',
    place: 'tickets[1].tx',
  },
  signature_missing: {
    cause: 'The marketplace or the fee payer has not signed the transfer.',
    example: 'signature 0',
    place: 'tickets[0].tx',
  },
  signature_invalid: {
    cause:
      'The message was changed or compiled again after it was signed, for example with a new blockhash; or another key signed.',
    example: 'signature 0',
  },
  signature_conflict: {
    cause:
      'The signature slot of the fan’s wallet or of the authority already has a signature, which is not the one that the service makes.',
    example: 'signature 1',
  },
  wrong_terms: {
    cause:
      'The price of the transfer is not the one that the ticket was listed for; or the transfer, by the owner of a held permit, has a number or price.',
    example: 'price 5000000, not 500000000',
    place: 'tickets[0].tx',
  },
  blockhash_expired: {
    cause: 'The blockhash was fetched more than about a minute before the call, or from another cluster.',
    example: '9sHcv6xwn9…',
  },
  chain_refused: {
    cause:
      'The cluster refused the transaction when it was simulated or submitted: the fee payer has no SOL, or the ticket’s state has just changed.',
    example: 'the fee payer has no account',
    place: 'tickets[0].tx',
  },
  bad_address: { cause: 'An address was copied incompletely, or is encoded in hex.', example: '0OIl' },
  bad_account_data: {
    cause: 'The data of an account of the ticket program is damaged. This is a fault on our side.',
    example: 'permit of 12 bytes',
  },
};
