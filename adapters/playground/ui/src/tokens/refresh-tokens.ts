import { type AnsweredCall, bearerRequest, formRequest, send } from '../calls/send.ts';
import type { PlaygroundConfig } from '../config.ts';
import { metadataOf } from '../sign-in/metadata.ts';
import { changeFan, currentState, type SignedInFan } from '../state.ts';
import { expiryOf, textIn, tokenResponseOf } from './token-set.ts';

/** An access token with less left is refreshed before a call. */
const SPARE_MS = 10_000;
const MOST_SPENT = 3;

/** Refreshes, and keeps the new tokens where it works. @param scope narrows the new access token */
export async function refreshTokens(config: PlaygroundConfig, fan: SignedInFan, scope?: string): Promise<AnsweredCall> {
  const { tokens } = fan;
  const token = textIn(tokens, 'refresh_token');
  if (token === undefined) {
    throw new Error('There is no refresh token. Sign in with the scope offline_access to get one.');
  }
  const call = await sendRefresh(config, { refresh_token: token, client_id: tokens.clientId, ...(scope && { scope }) });
  const response = tokenResponseOf(call);
  if (response !== undefined) {
    changeFan(fan.sub, {
      tokens: {
        ...tokens,
        response,
        expiresAt: expiryOf(response),
        spentRefreshTokens: [token, ...tokens.spentRefreshTokens].slice(0, MOST_SPENT),
        earlier: { accessToken: String(tokens.response.access_token), expiresAt: tokens.expiresAt },
      },
    });
  }
  return call;
}

/** The refresh request as such, with whatever it is given. */
export async function sendRefresh(
  config: PlaygroundConfig,
  fields: { refresh_token: string; client_id: string; scope?: string },
  title = 'Refresh',
): Promise<AnsweredCall> {
  const { token_endpoint } = await metadataOf(config);
  return send(title, formRequest(token_endpoint, { grant_type: 'refresh_token', ...fields }));
}

/** An access token for a call: refreshed first where it is about to expire, unless that is switched off or impossible. */
export async function accessTokenFor(config: PlaygroundConfig, sub: string): Promise<string> {
  const find = () => currentState().fans.find((fan) => fan.sub === sub);
  const fan = find();
  if (fan === undefined) throw new Error('This fan is not signed in any more.');
  const { tokens } = fan;
  const isEnding = Date.parse(tokens.expiresAt) - Date.now() < SPARE_MS;
  const canRefresh = textIn(tokens, 'refresh_token') !== undefined && !tokens.revoked;
  if (isEnding && canRefresh && currentState().refreshesItself) await refreshTokens(config, fan);
  return String(find()?.tokens.response.access_token ?? tokens.response.access_token);
}

/** Ends the refresh token and with it the grant’s tokens. @see RFC 7009 §2.1 */
export async function revokeTokens(config: PlaygroundConfig, { sub, tokens }: SignedInFan): Promise<AnsweredCall> {
  const { revocation_endpoint } = await metadataOf(config);
  const token = textIn(tokens, 'refresh_token') ?? String(tokens.response.access_token);
  const call = await send('Revoke', formRequest(revocation_endpoint, { token, client_id: tokens.clientId }));
  if (call.answer.status === 200) changeFan(sub, { tokens: { ...tokens, revoked: true } });
  return call;
}

/** @see spec §5.12 */
export async function fetchUserinfo(config: PlaygroundConfig, sub: string): Promise<AnsweredCall> {
  const { userinfo_endpoint } = await metadataOf(config);
  return send('Userinfo', bearerRequest('GET', userinfo_endpoint, await accessTokenFor(config, sub)));
}

/** The signed statement of what the fan allows now. */
export async function fetchReceipt(config: PlaygroundConfig, { sub, tokens }: SignedInFan): Promise<AnsweredCall> {
  const url = `${config.auth_url}/oauth2/grants/${encodeURIComponent(String(tokens.response.grant_id))}/receipt`;
  return send('Consent receipt', bearerRequest('GET', url, await accessTokenFor(config, sub)));
}
