import { bearerRequest, formRequest, send } from '../calls/send.ts';
import { fanOf, metadataOf } from '../partner.ts';
import { UNKNOWN_CLIENT } from '../sign-in/exchange-code.ts';
import { changeFan } from '../state.ts';
import { accessTokenFor, refreshTokens, sendRefresh } from '../tokens/refresh-tokens.ts';
import { textIn } from '../tokens/token-set.ts';
import { type Bench, type CallExperiment, waitUntil } from './experiment.ts';

/** An extra wait, so that a token has expired by the service's clock as well. */
const PAST_END_MS = 1_500;
const ENDS_SIGN_IN = 'Ends this fan’s tokens: sign in again afterwards.';

/** Mistakes with codes and tokens. */
export const TOKEN_EXPERIMENTS: readonly CallExperiment[] = [
  {
    id: 'no_token',
    title: 'No access token',
    detail: 'GET /tickets without Authorization.',
    expects: { status: 401, code: 'access_token_missing' },
    run: ({ config }) => send('No access token', bearerRequest('GET', `${config.api_url}/tickets`, undefined)),
  },
  {
    id: 'id_token',
    title: 'The ID token as access token',
    detail: 'An ID token says who the fan is. The Fan API does not accept it.',
    expects: { status: 401, code: 'access_token_invalid' },
    run: (bench) => {
      const token = textIn(fanOf(bench.sub).tokens, 'id_token');
      if (token === undefined) throw new Error('There is no ID token: sign in with the scope openid.');
      return ticketsWith(bench, 'The ID token as access token', token);
    },
  },
  {
    id: 'changed_token',
    title: 'A changed access token',
    detail: 'One character of the signature is changed.',
    expects: { status: 401, code: 'access_token_invalid' },
    run: async (bench) => {
      const token = await accessTokenFor(bench.config, bench.sub);
      return ticketsWith(bench, 'A changed access token', withChangedSignature(token));
    },
  },
  {
    id: 'expired_token',
    title: 'An expired access token',
    detail: 'Waits until a token of this tab has expired, then sends it.',
    expects: { status: 401, code: 'access_token_expired' },
    run: async (bench) => {
      const { earlier, response, expiresAt } = fanOf(bench.sub).tokens;
      const [token, end] = earlier ? [earlier.accessToken, earlier.expiresAt] : [response.access_token, expiresAt];
      await waitUntil(Date.parse(end) + PAST_END_MS, bench);
      return ticketsWith(bench, 'An expired access token', token);
    },
  },
  {
    id: 'wrong_scope',
    title: 'An access token without the scope',
    detail:
      'Refreshes with scope=openid only, asks for a signature with that token, and refreshes to the full scope again.',
    expects: { status: 403, code: 'scope_missing' },
    run: async (bench) => {
      await refreshTokens(bench.config, bench.sub, 'openid');
      const token = fanOf(bench.sub).tokens.response.access_token;
      const body = { type: 'list', transactions: ['00'] };
      const request = bearerRequest('POST', `${bench.config.api_url}/authorizations`, token, body);
      const call = await send('An access token without the scope', request);
      await refreshTokens(bench.config, bench.sub);
      return call;
    },
  },
  {
    id: 'refresh_wrong_client',
    title: 'A refresh by another client',
    detail: 'The right refresh token with a client_id that does not exist. The token stays usable.',
    expects: { status: 400, code: 'invalid_request' },
    run: async (bench) => {
      const fields = { refresh_token: refreshTokenOf(bench), client_id: UNKNOWN_CLIENT };
      return sendRefresh(bench.config, fields, 'A refresh by another client');
    },
  },
  {
    id: 'wider_scope',
    title: 'A refresh that asks for more',
    detail: 'scope=fan:cart:write, which the sign-in did not have.',
    expects: { status: 400, code: 'invalid_scope' },
    run: async (bench) => {
      const fields = {
        refresh_token: refreshTokenOf(bench),
        client_id: bench.config.client_id,
        scope: 'fan:cart:write',
      };
      return sendRefresh(bench.config, fields, 'A refresh that asks for more');
    },
  },
  {
    id: 'spent_refresh_token',
    title: 'A refresh token that was used already',
    detail: 'Refreshes where needed, then sends the token from before.',
    warning: ENDS_SIGN_IN,
    expects: { status: 400, code: 'invalid_grant' },
    run: async (bench) => {
      if (fanOf(bench.sub).tokens.spentRefreshTokens.length === 0) await refreshTokens(bench.config, bench.sub);
      const { tokens, sub } = fanOf(bench.sub);
      const fields = { refresh_token: tokens.spentRefreshTokens[0] ?? '', client_id: tokens.clientId };
      const call = await sendRefresh(bench.config, fields, 'A spent refresh token');
      changeFan(sub, { tokens: { ...tokens, revoked: true } });
      return call;
    },
  },
  {
    id: 'replayed_code',
    title: 'A code that was used already',
    detail: 'Sends the exchange of this sign-in again, as somebody who stole the code would.',
    warning: ENDS_SIGN_IN,
    expects: { status: 400, code: 'invalid_request' },
    run: async (bench) => {
      const { tokens, sub } = fanOf(bench.sub);
      if (tokens.exchange === undefined) throw new Error('The exchange of this fan is not known.');
      const { token_endpoint } = await metadataOf(bench.config);
      const call = await send('A replayed code', formRequest(token_endpoint, tokens.exchange));
      changeFan(sub, { tokens: { ...tokens, revoked: true } });
      return call;
    },
  },
];

function refreshTokenOf(bench: Bench): string {
  const token = textIn(fanOf(bench.sub).tokens, 'refresh_token');
  if (token === undefined) throw new Error('There is no refresh token: sign in with the scope offline_access.');
  return token;
}

function ticketsWith({ config }: Bench, title: string, token: string) {
  return send(title, bearerRequest('GET', `${config.api_url}/tickets`, token));
}

/** Another character in the middle of the signature: at its end some bits mean nothing. */
function withChangedSignature(token: string): string {
  const place = token.lastIndexOf('.') + 20;
  return `${token.slice(0, place)}${token[place] === 'A' ? 'B' : 'A'}${token.slice(place + 1)}`;
}
