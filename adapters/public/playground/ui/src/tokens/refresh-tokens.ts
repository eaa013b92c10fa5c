import { authorizedFetch } from '@fan-api/sdk';
import { type AnsweredCall, formRequest, send } from '../calls/send.ts';
import type { PlaygroundConfig } from '../config.ts';
import { authServerOf, metadataOf, sessionOf, tokenSourceOf, transport } from '../partner.ts';
import { changeFan, type SignedInFan } from '../state.ts';

/** Refreshes, and stores the new tokens if it succeeds. @param scope narrows the new access token */
export async function refreshTokens(config: PlaygroundConfig, sub: string, scope?: string): Promise<void> {
  await sessionOf(config, sub).refresh(scope);
}

/** The bare refresh request, with any fields. */
export async function sendRefresh(
  config: PlaygroundConfig,
  fields: { refresh_token: string; client_id: string; scope?: string },
  title: string,
): Promise<AnsweredCall> {
  const { token_endpoint } = await metadataOf(config);
  return send(title, formRequest(token_endpoint, { grant_type: 'refresh_token', ...fields }));
}

/** An access token for a call: refreshed first where it is about to expire, unless that is switched off or impossible. */
export function accessTokenFor(config: PlaygroundConfig, sub: string): Promise<string> {
  return tokenSourceOf(config, sub).accessToken();
}

/** Ends the refresh token and with it the grant’s tokens, which stay in the tab to be tried. @see RFC 7009 §2.1 */
export async function revokeTokens(config: PlaygroundConfig, { sub, tokens }: SignedInFan): Promise<void> {
  await authServerOf(config, tokens.clientId).revoke(tokens.response.refresh_token ?? tokens.response.access_token);
  changeFan(sub, { tokens: { ...tokens, revoked: true } });
}

/** @see spec §5.12 */
export async function fetchUserinfo(config: PlaygroundConfig, sub: string): Promise<Record<string, unknown>> {
  const { userinfo_endpoint } = await metadataOf(config);
  return (await fetchAuthorized(config, sub, userinfo_endpoint)).json() as Promise<Record<string, unknown>>;
}

/** The signed statement of what the fan allows now. */
export async function fetchReceipt(config: PlaygroundConfig, { sub, tokens }: SignedInFan): Promise<string> {
  const url = `${config.auth_url}/oauth2/grants/${encodeURIComponent(tokens.response.grant_id)}/receipt`;
  return (await fetchAuthorized(config, sub, url)).text();
}

/** @throws Error where it is refused */
async function fetchAuthorized(config: PlaygroundConfig, sub: string, url: string): Promise<Response> {
  const response = await authorizedFetch(tokenSourceOf(config, sub), transport)(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}. ${await response.text()}`);
  return response;
}
