/**
 * All that a partner's page has to do: sign the fan in with `oidc-client-ts`, which is configured with the issuer's address
 * only, and call the Fan API with the access token. Nothing here uses the service's own code.
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

/** The token response as received, and what the library made of it. */
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

/** An unsuccessful answer of the service, with its body. */
export class RefusedError extends Error {
  readonly status: number;
  constructor(status: number, body: string) {
    super(`${status}: ${body}`);
    this.status = status;
  }
}

async function getJson(url: string, accessToken: string): Promise<unknown> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${accessToken}` } });
  const body = await response.text();
  if (!response.ok) throw new RefusedError(response.status, body);
  return JSON.parse(body);
}

/** The library copies every field of the token response onto its own object, but types only the standard ones. */
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

/** @param redirectUri must be registered for the client exactly */
export function createPartner(config: PlaygroundConfig, redirectUri: string) {
  const oidc = new OidcClient({
    authority: config.auth_url,
    client_id: config.client_id,
    redirect_uri: redirectUri,
    stateStore: new WebStorageStateStore({ store: sessionStorage, prefix: 'playground.' }),
  });
  return {
    /** Redirects to the sign-in, asking for these scopes. */
    async signIn(scopes: readonly string[]): Promise<void> {
      const request = await oidc.createSigninRequest({ scope: scopes.join(' ') });
      location.assign(request.url);
    },
    /** Exchanges the code in the callback's address; throws where the service answered with an error. */
    async finishSignIn(callbackUrl: string): Promise<Tokens> {
      return tokensOf(await oidc.processSigninResponse(callbackUrl));
    },
    async refresh({ refreshToken, idToken, profile }: Tokens): Promise<Tokens> {
      if (refreshToken === undefined) throw new Error('There is no refresh token: offline_access was not requested.');
      const known = { refresh_token: refreshToken, session_state: null, profile };
      const state = idToken === undefined ? known : { ...known, id_token: idToken };
      // biome-ignore lint/correctness/useHookAtTopLevel: no hook, but a method of oidc-client-ts
      return tokensOf(await oidc.useRefreshToken({ state }));
    },
    /** RFC 7009: ends the refresh token and, with it, the grant's tokens. */
    async revoke({ refreshToken, accessToken }: Tokens): Promise<void> {
      if (refreshToken === undefined) await oidc.revokeToken(accessToken, 'access_token');
      else await oidc.revokeToken(refreshToken, 'refresh_token');
    },
    async userinfo({ accessToken }: Tokens): Promise<Record<string, unknown>> {
      return (await getJson(await oidc.metadataService.getUserInfoEndpoint(), accessToken)) as Record<string, unknown>;
    },
    async tickets({ accessToken }: Tokens): Promise<TicketList> {
      return (await getJson(`${config.api_url}/tickets`, accessToken)) as TicketList;
    },
  };
}

export type Partner = ReturnType<typeof createPartner>;
