/**
 * The SDK as the playground uses it: for everything that a partner does correctly. Deliberate mistakes are sent by hand, because the
 * SDK does not send them.
 *
 * @module
 */
import {
  type AuthServer,
  type FanApi,
  type FetchTicketsResponse,
  openAuthServer,
  openFanApi,
  openSession,
  type Session,
  type TokenSource,
} from '@fan-api/sdk';
import { showCall } from './calls/show-call.ts';
import { CALLBACK_URL, type PlaygroundConfig } from './config.ts';
import { changeFan, currentState, type SignedInFan } from './state.ts';
import { stateTokenStore } from './tokens/state-token-store.ts';
import { textIn, tokenSetOf } from './tokens/token-set.ts';

/** The slowest claim takes 25 seconds, and somebody may be stepping through the service. */
const TIMEOUT_MS = 90_000;
export const transport = { fetch: showCall, timeoutMs: TIMEOUT_MS };
const opened = new Map<string, AuthServer>();

/** The authorization server for a client: usually the playground's own, but the developer may change it. */
export function authServerOf({ auth_url, client_id }: PlaygroundConfig, clientId = client_id): AuthServer {
  const found =
    opened.get(clientId) ?? openAuthServer({ issuer: auth_url, clientId, redirectUri: CALLBACK_URL, ...transport });
  opened.set(clientId, found);
  return found;
}

/** The discovery document, as far as the playground uses it directly. @see OIDC Discovery 1.0 §3 */
export interface Metadata {
  authorization_endpoint: string;
  token_endpoint: string;
  userinfo_endpoint: string;
  jwks_uri: string;
  authorization_response_iss_parameter_supported?: boolean;
}

/** Reads the discovery document, once. @throws Error where it can not be read, or names another issuer */
export async function metadataOf(config: PlaygroundConfig): Promise<Metadata> {
  return (await authServerOf(config).metadata()) as Metadata;
}

export function fanOf(sub: string): SignedInFan {
  const fan = currentState().fans.find((candidate) => candidate.sub === sub);
  if (fan === undefined) throw new Error('This fan is not signed in any more.');
  return fan;
}

const sessions = new Map<string, Session>();

/** The session of a fan, whose tokens are in the page's state. */
export function sessionOf(config: PlaygroundConfig, sub: string): Session {
  const { clientId } = fanOf(sub).tokens;
  const name = `${clientId} ${sub}`;
  const found =
    sessions.get(name) ?? openSession({ authServer: authServerOf(config, clientId), store: stateTokenStore, key: sub });
  sessions.set(name, found);
  return found;
}

/** Access tokens for calls: of the session, or the stored one where a refresh is switched off or impossible. */
export function tokenSourceOf(config: PlaygroundConfig, sub: string): TokenSource {
  const { tokens } = fanOf(sub);
  const canRefresh = textIn(tokens, 'refresh_token') !== undefined && !tokens.revoked;
  if (canRefresh && currentState().refreshesItself) return sessionOf(config, sub);
  return {
    accessToken: async () => fanOf(sub).tokens.response.access_token,
    tokens: async () => tokenSetOf(fanOf(sub).tokens),
  };
}

export function fanApiOf(config: PlaygroundConfig, sub: string): FanApi {
  return openFanApi({ apiUrl: config.api_url, session: tokenSourceOf(config, sub), ...transport });
}

/** Lists a fan's tickets, and keeps the list. @param eventId only those of this event */
export async function fetchTickets(config: PlaygroundConfig, sub: string, eventId = ''): Promise<FetchTicketsResponse> {
  const tickets = await fanApiOf(config, sub).tickets(eventId === '' ? {} : { eventId });
  changeFan(sub, { tickets });
  return tickets;
}
