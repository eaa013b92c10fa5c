/**
 * All that a partner's page has to do: sign the fan in by `oidc-client-ts`, which knows nothing of this service but its
 * address, and call the Fan API with the access token. Nothing here comes from the service's own code.
 */
import { OidcClient, type SigninResponse, WebStorageStateStore } from 'oidc-client-ts';
import type { PlaygroundConfig } from './config.ts';

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

/** The token response as it came, beside what the library made of it. */
export type Tokens = {
  response: Partial<Record<(typeof TOKEN_FIELDS)[number], unknown>>;
  accessToken: string;
  refreshToken: string | undefined;
  idToken: string | undefined;
  /** ISO 8601. */
  accessTokenExpiresAt: string;
  /** Payload of the ID token. */
  profile: SigninResponse['profile'];
};

export type Ticket = Record<
  | 'id'
  | 'svc_event_id'
  | 'tix_event_id'
  | 'tix_ticket_id'
  | 'ticket_type_id'
  | 'event_name'
  | 'ticket_type_name'
  | 'purchase_date',
  string
>;

export type TicketList = { user_id: string; tickets: Ticket[] };

/** An answer of the service that is not a success, in its own words. */
export class RefusedError extends Error {
  readonly status: number;
  constructor(status: number, body: string) {
    super(`${status}: ${body}`);
    this.status = status;
  }
}

export type Partner = {
  /** Leaves for the sign-in, asking for these scopes. */
  signIn(scopes: readonly string[]): Promise<void>;
  /** Exchanges the code in the callback's address; throws where the service answered with an error. */
  finishSignIn(callbackUrl: string): Promise<Tokens>;
  refresh(tokens: Tokens): Promise<Tokens>;
  /** RFC 7009: ends the refresh token and, with it, the grant's tokens. */
  revoke(tokens: Tokens): Promise<void>;
  userinfo(tokens: Tokens): Promise<Record<string, unknown>>;
  tickets(tokens: Tokens): Promise<TicketList>;
};

async function getJson(url: string, accessToken: string): Promise<unknown> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${accessToken}` } });
  const body = await response.text();
  if (!response.ok) throw new RefusedError(response.status, body);
  return JSON.parse(body);
}

/** The library copies every field of the token response onto its own object, but has types for the standard ones only. */
function tokensOf(signin: SigninResponse): Tokens {
  const fields: Partial<Record<string, unknown>> = { ...signin, expires_in: signin.expires_in };
  return {
    response: Object.fromEntries(TOKEN_FIELDS.flatMap((name) => (name in fields ? [[name, fields[name]]] : []))),
    accessToken: signin.access_token,
    refreshToken: signin.refresh_token,
    idToken: signin.id_token,
    accessTokenExpiresAt: new Date((signin.expires_at ?? 0) * 1000).toISOString(),
    profile: signin.profile,
  };
}

/** @param redirectUri must be registered for the client, to the letter */
export function createPartner(config: PlaygroundConfig, redirectUri: string): Partner {
  const oidc = new OidcClient({
    authority: config.auth_url,
    client_id: config.client_id,
    redirect_uri: redirectUri,
    stateStore: new WebStorageStateStore({ store: sessionStorage, prefix: 'playground.' }),
  });
  return {
    async signIn(scopes) {
      const request = await oidc.createSigninRequest({ scope: scopes.join(' ') });
      location.assign(request.url);
    },
    async finishSignIn(callbackUrl) {
      return tokensOf(await oidc.processSigninResponse(callbackUrl));
    },
    async refresh({ refreshToken, idToken, profile }) {
      if (refreshToken === undefined) throw new Error('There is no refresh token: offline_access was not requested.');
      const known = { refresh_token: refreshToken, session_state: null, profile };
      const state = idToken === undefined ? known : { ...known, id_token: idToken };
      // biome-ignore lint/correctness/useHookAtTopLevel: no hook, but a method of oidc-client-ts
      return tokensOf(await oidc.useRefreshToken({ state }));
    },
    async revoke({ refreshToken, accessToken }) {
      if (refreshToken === undefined) await oidc.revokeToken(accessToken, 'access_token');
      else await oidc.revokeToken(refreshToken, 'refresh_token');
    },
    async userinfo({ accessToken }) {
      return (await getJson(await oidc.metadataService.getUserInfoEndpoint(), accessToken)) as Record<string, unknown>;
    },
    async tickets({ accessToken }) {
      return (await getJson(`${config.api_url}/tickets`, accessToken)) as TicketList;
    },
  };
}
