import type { Step } from '../steps.ts';

/** What the partner must remember of an authorize request until its callback, and until the exchange. */
export interface Attempt {
  verifier: string;
  state: string | undefined;
  nonce: string | undefined;
  clientId: string;
  redirectUri: string;
  /** ISO 8601. */
  at: string;
  /** The deliberate mistake, if any. */
  spoil?: Spoil | undefined;
  /** Where to go when the tokens are there; by default to the tokens. */
  thenStep?: Step | undefined;
}

/** A deliberate mistake: of the authorize request, or of the exchange, which needs a code of its own. */
export type Spoil =
  | 'unregistered_redirect_uri'
  | 'unknown_scope'
  | 'plain_challenge'
  | 'prompt_none'
  | 'wrong_verifier'
  | 'wrong_redirect_uri'
  | 'exchange_wrong_client';

/** The query of the callback, in its order. */
export interface CallbackParameters {
  parameters: [string, string][];
  /** ISO 8601. */
  at: string;
}
