import { jsonOf } from '../calls/call.ts';
import type { AnsweredCall } from '../calls/send.ts';

/** Fields of the token response, in the order of its description; the last two only with `offline_access`. */
export const TOKEN_FIELDS = [
  'token_type',
  'expires_in',
  'scope',
  'granted_actions',
  'grant_id',
  'grant_mode',
  'mode',
  'access_token',
  'id_token',
  'refresh_token',
  'refresh_token_expires_in',
] as const;

/** What came of an exchange, and of the refreshes after it. */
export interface TokenSet {
  /** The newest token response. */
  response: Record<string, unknown>;
  /** ISO 8601, by this browser's clock. */
  expiresAt: string;
  /** Of the authorize request: the ID token must have it. */
  nonce: string | undefined;
  clientId: string;
  /** The request that was exchanged for them, for sending it again. */
  exchange?: Record<string, string> | undefined;
  /** Refresh tokens that were used already, newest first. */
  spentRefreshTokens: string[];
  /** The access token before this one, and when it expires. */
  earlier?: { accessToken: string; expiresAt: string } | undefined;
  revoked?: boolean | undefined;
}

/** The token response of an answered call; undefined where it was refused. */
export function tokenResponseOf({ answer }: AnsweredCall): Record<string, unknown> | undefined {
  const response = jsonOf(answer);
  return answer.status === 200 && typeof response?.access_token === 'string' ? response : undefined;
}

export function expiryOf(response: Record<string, unknown>): string {
  return new Date(Date.now() + Number(response.expires_in) * 1_000).toISOString();
}

export function textIn(tokens: TokenSet, field: (typeof TOKEN_FIELDS)[number]): string | undefined {
  const value = tokens.response[field];
  return typeof value === 'string' ? value : undefined;
}

/** Whether the fan allowed an action, as far as the newest token response says. */
export function grants({ response }: TokenSet, action: string): boolean {
  return Array.isArray(response.granted_actions) && response.granted_actions.includes(action);
}
