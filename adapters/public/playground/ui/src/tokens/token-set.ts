import type { RefreshMark, TokenSet as SdkTokenSet, TokenResponse } from '@fan-api/sdk';

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
] as const satisfies readonly (keyof TokenResponse)[];

/** The result of an exchange and of the refreshes after it. */
export interface TokenSet {
  /** The newest token response. */
  response: TokenResponse;
  /** ISO 8601, by this browser's clock. */
  expiresAt: string;
  /** Claims of the newest ID token. */
  claims?: SdkTokenSet['claims'];
  /** Nonce of the authorize request: the ID token must have it. */
  nonce: string | undefined;
  clientId: string;
  /** The request that was exchanged for them, for sending it again. */
  exchange?: Record<string, string> | undefined;
  /** Refresh tokens that were used already, newest first. */
  spentRefreshTokens: string[];
  /** The access token before this one, and when it expires. */
  earlier?: { accessToken: string; expiresAt: string } | undefined;
  revoked?: boolean | undefined;
  /** Version in the SDK's store. */
  version: number;
  refreshing?: RefreshMark | undefined;
}

/** The tokens in the form of the SDK. */
export function tokenSetOf({ response, expiresAt, claims }: TokenSet): SdkTokenSet {
  return { response, expiresAt: Date.parse(expiresAt), ...(claims && { claims }) };
}

export function textIn(tokens: TokenSet, field: (typeof TOKEN_FIELDS)[number]): string | undefined {
  const value = tokens.response[field];
  return typeof value === 'string' ? value : undefined;
}

/** Whether the fan allowed an action, as far as the newest token response says. */
export function grants({ response }: TokenSet, action: string): boolean {
  return response.granted_actions.some((granted) => granted === action);
}
