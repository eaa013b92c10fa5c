import type { ChainErrorCode } from '../../src/chain-error.ts';
import type { ErrorCode } from '../../src/errors.ts';
import type { OAuthErrorCode } from '../../src/oauth/oauth-error.ts';

/** What the catalogue of errors has beside the tables of the code: why it usually happens, and what an answer says. */
export interface ErrorNote {
  cause: string;
  /** The message or `error_description` of an example. */
  example: string;
}

/** Codes of the Fan API. A test compares them with those that a partner can meet. */
export const API_NOTES: Partial<Record<ErrorCode, ErrorNote>> = {
  invalid_request: {
    cause:
      'A field is missing, unknown or out of range, or a query parameter occurs twice. Also with other statuses: 413 (the body is over 64 KiB), 414 (the URL is over 16 KiB), 415 (the body is not `application/json`, or has a `Content-Encoding`), 431 (the header fields are over 16 KiB together), 408 (the request did not arrive in time) and 501 (no such HTTP method).',
    example: 'type: must be list or cancel.',
  },
  access_token_missing: {
    cause: 'The `Authorization` header is missing, or a proxy on your side drops it.',
    example: 'The request has no access token.',
  },
  access_token_malformed: {
    cause:
      'The header is not `Bearer`, a space and a JWT: for example a refresh token was sent, or the token was cut off.',
    example: 'The access token is not a JWT.',
  },
  access_token_invalid: {
    cause: 'The ID token was sent, a token of another issuer, or one with another audience; or its bytes were changed.',
    example: 'The access token is invalid: its aud is wrong.',
  },
  access_token_expired: {
    cause: 'Access tokens are short-lived, and a token was kept too long, or a clock on your side is slow.',
    example: 'The access token has expired.',
  },
  grant_revoked: {
    cause:
      'The fan ended your access in the portal, you revoked a token of this grant, staff stopped it, or a refresh token was used twice.',
    example: 'The access that this token stands for has been revoked.',
  },
  action_not_granted: {
    cause: 'The fan switched the action off on the consent page, or later in the portal.',
    example: 'The user has not granted the action fan:listings:write.',
  },
  scope_missing: {
    cause: 'The authorize request or a refresh did not ask for the scope.',
    example: 'The access token does not include the required scope fan:claims:write.',
  },
  not_found: {
    cause:
      'The ticket was sold or cancelled meanwhile, is another fan’s, is not in the grant, is of the other mode, or its event is over. For a listing, the ticket may be listed already; for a cancellation it may have no listing; for a claim another claim of it may be under way.',
    example: 'transactions[0]: the ticket was not found.',
  },
  unknown_route: {
    cause: 'The path has a typing error, or the base address is wrong.',
    example: 'There is no /fan/ticket here.',
  },
  method_not_allowed: {
    cause: 'For example a GET where the operation is a POST.',
    example: 'PUT is not allowed here.',
  },
  rate_limited: {
    cause: 'More calls in a minute than one grant may make.',
    example: 'Too many requests; try again in 12 s.',
  },
  internal: {
    cause: 'A fault of this service. It is logged with the request ID.',
    example: 'Something went wrong on our side.',
  },
  unavailable: {
    cause:
      'The database or the Solana cluster cannot be reached, a transfer is not confirmed yet, or staff have stopped signing. Claims that were begun go on.',
    example: 'The Solana cluster can not be reached for the moment; try again.',
  },
  cluster_missing: {
    cause: 'The ticketing company has not set up a Solana cluster for the mode of your client.',
    example: 'No Solana cluster is set up for production: listings and claims do not work.',
  },
};

/** Where an error of the authorization server is met. */
type Where = 'authorize' | 'token' | 'userinfo';

export const OAUTH_NOTES: Record<OAuthErrorCode | 'server_error', ErrorNote & { where: Where[] }> = {
  invalid_request: {
    where: ['authorize', 'token'],
    cause:
      'A parameter is missing, repeated or malformed; at the token endpoint also a code, verifier, redirect URI or client ID that does not fit. Malformed HTTP has this code as well, with 413, 414, 431, 405 or 501.',
    example: 'code_challenge is required (PKCE)',
  },
  invalid_client: {
    where: ['token'],
    cause:
      'Your library sends a client secret or an `Authorization` header. Clients are public: set its authentication method to `none`.',
    example: 'clients are public: send client_id in the form, and no secret',
  },
  invalid_grant: {
    where: ['token'],
    cause: 'The refresh token was used before, has expired 30 days after the sign-in, or its grant has ended.',
    example: 'refresh_token is invalid, expired or revoked',
  },
  invalid_scope: {
    where: ['authorize', 'token'],
    cause:
      'The scope is not registered for your client, is misspelled, or a refresh asks for more than the first request.',
    example: 'scope fan:cart:write is not allowed for this client',
  },
  invalid_token: {
    where: ['userinfo'],
    cause:
      'The access token is missing, malformed, expired or revoked, or it is the ID token. Also from the consent receipt.',
    example: 'The access token has expired.',
  },
  unauthorized_client: {
    where: ['authorize'],
    cause: 'A production client that is not enabled yet, or that staff have stopped.',
    example: 'this client is not enabled',
  },
  unsupported_grant_type: {
    where: ['token'],
    cause: 'There are two grant types; `client_credentials` and `password` do not exist here.',
    example: 'grant_type must be authorization_code or refresh_token',
  },
  unsupported_response_type: {
    where: ['authorize'],
    cause: 'Your library uses the implicit or the hybrid flow.',
    example: 'response_type must be code',
  },
  access_denied: {
    where: ['authorize'],
    cause: 'The fan chose "Deny".',
    example: 'the fan denied access',
  },
  login_required: {
    where: ['authorize'],
    cause:
      'Your library tries a silent sign-in (`prompt=none`), often in a hidden frame. There is no session that it could use.',
    example: 'the fan must sign in; prompt=none can not be met',
  },
  request_not_supported: {
    where: ['authorize'],
    cause: 'The parameters were sent as a request object (a JWT).',
    example: 'request objects are not supported',
  },
  request_uri_not_supported: {
    where: ['authorize'],
    cause: 'The parameters were sent by reference.',
    example: 'request_uri is not supported',
  },
  temporarily_unavailable: {
    where: ['authorize', 'token', 'userinfo'],
    cause:
      'With 503 something that the service needs is away; with 429 your address had too many refused token requests.',
    example: 'the service is unavailable for the moment; try again',
  },
  server_error: {
    where: ['authorize', 'token', 'userinfo'],
    cause: 'A fault of this service. It is logged with the request ID.',
    example: 'something went wrong on our side',
  },
};

/** Refusals of the co-signing policy; `example` is what was seen, in the brackets at the end of the message. */
export const CHAIN_NOTES: Record<ChainErrorCode, ErrorNote> = {
  encoding: {
    cause: 'Base58, base64url or base64 without padding was sent, or a listing’s base64 to the claims.',
    example: 'not hex',
  },
  too_large: { cause: 'The transaction has more in it than one ticket instruction.', example: '1,240 bytes' },
  version_one: { cause: 'A new library builds version 1 transactions.', example: '' },
  version_unknown: {
    cause: 'The bytes are no transaction, such as a message without signatures.',
    example: 'version 5',
  },
  shortvec: { cause: 'The bytes were written by hand.', example: 'account keys' },
  truncated: { cause: 'The text was cut off, or a length in it is wrong.', example: 'recent blockhash' },
  trailing_bytes: {
    cause: 'Two transactions in one text, or a signature behind the message.',
    example: '64 bytes too many',
  },
  signature_count: {
    cause: 'Empty signature slots were left out when the transaction was serialized.',
    example: '1 slots, 3 signers',
  },
  header: { cause: 'The message was compiled by hand.', example: 'no writable signer' },
  account_limit: { cause: 'Lookup tables name very many accounts.', example: '300 accounts' },
  duplicate_key: { cause: 'The message was compiled by hand.', example: 'account 4' },
  empty_lookup: { cause: 'A lookup table is named from which nothing is taken.', example: '' },
  index_out_of_bounds: { cause: 'The message was changed after it was compiled.', example: 'instruction 0' },
  lookup_table: { cause: 'A wallet or library adds address lookup tables by itself.', example: '1 named' },
  durable_nonce: {
    cause: 'The transaction is built with a nonce account, so that it would never expire.',
    example: 'instruction 0 advances one',
  },
  our_key_as_program: {
    cause: 'Account indexes are mixed up, so that an instruction calls a wallet.',
    example: 'instruction 1 calls 4Nd1m…',
  },
  foreign_program: {
    cause:
      'A transfer, a memo or another instruction stands beside the ticket instruction; or the program is that of the other mode.',
    example: 'instruction 1 calls 11111111111111111111111111111111',
  },
  compute_budget_kind: {
    cause: 'A library requests a heap frame or a data size limit.',
    example: 'instruction 0 is of kind 1',
  },
  compute_budget_accounts: { cause: 'The instruction was built by hand.', example: '' },
  compute_budget_repeated: { cause: 'Your code and a wallet both set the budget.', example: '' },
  compute_unit_limit: {
    cause: 'A default limit for large transactions is used.',
    example: '1400000 units, cap 400000',
  },
  compute_unit_price: {
    cause: 'An automatic priority fee is very high.',
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
  repeated_instruction: { cause: 'Several tickets are in one transaction.', example: '2 of create_listing_v1' },
  data_length: { cause: 'The price is not 8 bytes, or bytes are left at the end.', example: '12 bytes, not 16' },
  account_count: { cause: 'An account of the IDL is missing, or one is too many.', example: '4 accounts, not 5' },
  wrong_account: {
    cause:
      'An account is derived from another ticket, event or program; the authority was rotated and is read from a cache; or the destination of a claim is not the buyer’s wallet.',
    example: 'destination is 9hSR…, not 4Nd1…',
  },
  repeated_account: { cause: 'One key is used for two roles, such as owner and marketplace.', example: '' },
  our_key_pays: { cause: 'The fee payer was left to the owner, which is the fan’s wallet.', example: '4Nd1mYbGZ…' },
  our_key_misplaced: {
    cause: 'A fan’s wallet or a key of the service stands where yours belongs.',
    example: 'marketplace is 4Nd1…',
  },
  foreign_signer: {
    cause: 'A wallet adds a signer, or the marketplace is marked as a signer of a listing.',
    example: '7VfCX…',
  },
  wrong_flags: {
    cause: 'The accounts were written by hand; Anchor sets the flags by the IDL.',
    example: 'permit is readonly, not writable',
  },
  unused_account: {
    cause: 'The message was compiled by hand, or an instruction was removed after that.',
    example: '7VfCX…',
  },
  price_zero: { cause: 'The price is missing, or was rounded to lamports.', example: '' },
  marketplace_zero: { cause: 'The marketplace was left empty, which is the System program’s address.', example: '' },
  marketplace_cannot_sign: {
    cause: 'The marketplace is a program or an account of a program, which can sign nothing.',
    example: '11111111111111111111111111111111',
  },
  transaction_count: { cause: 'More transactions than one call may carry.', example: '5 instead of 1 to 4' },
  repeated_permit: { cause: 'One ticket occurs twice in a call.', example: 'as in transactions[0]' },
  repeated_transaction: { cause: 'One transaction occurs twice in a call.', example: 'as tickets[0].tx' },
  signature_missing: { cause: 'The marketplace or the fee payer has not signed the transfer.', example: 'signature 0' },
  signature_invalid: {
    cause: 'The message was changed or compiled again after it was signed.',
    example: 'signature 0',
  },
  signature_conflict: { cause: 'A slot that the service fills is filled already.', example: 'signature 1' },
  blockhash_expired: {
    cause: 'More than about a minute lies between blockhash and call, or the blockhash is of another cluster.',
    example: '9sHcv6xwn9…',
  },
  chain_refused: {
    cause:
      'The cluster’s simulation or the network refused: the fee payer has no SOL, or the ticket’s state has just changed.',
    example: 'the fee payer has no account',
  },
  bad_address: { cause: 'An address is misspelled.', example: '0OIl' },
  bad_account_data: {
    cause: 'An account of the ticket program holds what the program never writes.',
    example: 'permit of 12 bytes',
  },
};
