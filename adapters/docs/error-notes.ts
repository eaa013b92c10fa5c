import type { ChainErrorCode } from '../../src/chain-error.ts';
import type { ErrorCode } from '../../src/errors.ts';
import type { OAuthErrorCode } from '../../src/oauth/oauth-error.ts';

/** What the catalogue of errors has beside the tables of the code: why it usually happens, and what an answer says. */
export interface ErrorNote {
  cause: string;
  /** The message or `error_description` of an example. */
  example: string;
  /** Of a refused transaction: its place in the request; by default that of a listing. */
  place?: string;
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
    cause:
      'Access tokens live for a short time, and this one was used too late. Or the clock of your server is slow, so that it refreshes too late.',
    example: 'The access token has expired.',
  },
  grant_revoked: {
    cause:
      'The fan ended your access in the portal, you revoked a token of this grant, staff stopped it, or a refresh token was used twice.',
    example: 'The access that this token stands for has been revoked.',
  },
  action_not_granted: {
    cause: 'The fan cleared its checkbox when allowing access, or turned it off later in the portal.',
    example: 'The user has not granted the action fan:listings:write.',
  },
  scope_missing: {
    cause: 'The authorize request or a refresh did not ask for the scope.',
    example: 'The access token does not include the required scope fan:claims:write.',
  },
  not_found: {
    cause:
      'The ticket was sold or its listing cancelled meanwhile, it belongs to another fan, is not in the grant, is of the other mode, or its event is over. For a listing, the ticket may be listed already; for a cancellation, it may have no listing; for a claim, another claim of it may be in progress.',
    example: 'transactions[0]: the ticket was not found.',
  },
  unknown_route: {
    cause: 'The path is misspelled, or does not begin with the address of the Fan API.',
    example: 'There is no /fan/ticket here.',
  },
  method_not_allowed: {
    cause: 'Each path has one method, for example POST for `/authorizations`, and another one was used.',
    example: 'PUT is not allowed here.',
  },
  rate_limited: {
    cause: 'Your application made more calls for one fan (one grant) within a minute than the limit allows.',
    example: 'Too many requests; try again in 12 s.',
  },
  internal: {
    cause: 'A fault of this service, logged with the request ID. Your request may be right.',
    example: 'Something went wrong on our side.',
  },
  unavailable: {
    cause:
      'The database or the Solana cluster cannot be reached, a transfer is not confirmed yet, or staff have stopped signing. Claims that were started continue.',
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
      'A parameter is missing, repeated or malformed. At the token endpoint also: the code, verifier, redirect URI or client ID does not belong to this sign-in. Malformed HTTP has this code too, with the status 405, 413, 414, 431 or 501.',
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
    cause: 'The client is a production client that is not enabled yet, or staff have stopped it.',
    example: 'this client is not enabled',
  },
  unsupported_grant_type: {
    where: ['token'],
    cause:
      '`grant_type` is missing, misspelled, or one that this service does not have, such as `client_credentials` or `password`.',
    example: 'grant_type must be authorization_code or refresh_token',
  },
  unsupported_response_type: {
    where: ['authorize'],
    cause: 'Your library asks for the implicit or the hybrid flow, such as `response_type=token`.',
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
    cause: 'Your library sent the parameters as a request object (a JWT).',
    example: 'request objects are not supported',
  },
  request_uri_not_supported: {
    where: ['authorize'],
    cause:
      'Your library sent a `request_uri`, an address of the parameters, instead of the parameters (for example by PAR).',
    example: 'request_uri is not supported',
  },
  temporarily_unavailable: {
    where: ['authorize', 'token', 'userinfo'],
    cause: 'With 503: part of the service is down. With 429: too many token requests from your address were refused.',
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
  lookup_table: { cause: 'A wallet or library adds address lookup tables by itself.', example: '1 named' },
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
      'A transfer, a memo or another instruction stands beside the ticket instruction; or the program is that of the other mode.',
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
    cause: 'The price is not encoded in 8 bytes, or there are bytes after the arguments.',
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
  our_key_misplaced: {
    cause: 'A fan’s wallet or a key of the service stands where yours belongs.',
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
      'The marketplace is the address of a program, or of an account that a program owns. Neither can sign the sale.',
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
