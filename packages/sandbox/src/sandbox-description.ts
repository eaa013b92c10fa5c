/** What a partner's tests need to know, as the command prints it. */
export interface SandboxDescription {
  issuer: string;
  /** Address of the Fan API. */
  api: string;
  login: string;
  playground: string;
  client_id: string;
  redirect_uris: string[];
  scopes: string[];
  test_users: SandboxUser[];
  /** Of the local Solana network. */
  rpc_url: string;
  /** Address of the ticket program there, base58. */
  program_id: string;
  /** Arms failures and moves the clock of the client, at `<api>/sandbox`. */
  sandbox_key: string;
  /** Answers `GET /` with this description, `POST /reset` and `POST /sign-in`. */
  control: string;
}

/** A test user: a fan with a phone number reserved for fiction, a code that never changes, and a wallet. */
export interface SandboxUser {
  id: string;
  /** E.164. */
  phone: string;
  code: string;
  /** Base58. */
  wallet_address: string;
  /** Those that it holds at the beginning. */
  tickets: SandboxTicket[];
}

/** A ticket of a test user. */
export interface SandboxTicket {
  id: string;
  event_name: string;
  ticket_type_name: string;
}
