import type { TokenResponse, TokenSet } from '@fan-api/sdk';
import { jsonOf } from '../calls/call.ts';
import { type AnsweredCall, formRequest, send } from '../calls/send.ts';
import type { PlaygroundConfig } from '../config.ts';
import { authServerOf, metadataOf } from '../partner.ts';
import { change, currentState, putFan } from '../state.ts';
import { decodeToken } from '../tokens/decode-token.ts';
import type { Attempt } from './attempt.ts';
import { withNewSecrets } from './make-secrets.ts';

/** The form of the exchange. @see spec §5.8 */
export interface ExchangeFields {
  code: string;
  redirect_uri: string;
  client_id: string;
  code_verifier: string;
}

const WRONG_VERIFIER = 'this-verifier-belongs-to-another-sign-in-0000';
/** Well-formed, but the ID of no client. */
export const UNKNOWN_CLIENT = 'client_00000000000000000000000000';

/** The fields that exchange a sign-in's code, with the chosen mistake. */
export function exchangeFieldsOf(code: string, attempt: Attempt | undefined): ExchangeFields {
  const right = {
    code,
    redirect_uri: attempt?.redirectUri ?? '',
    client_id: attempt?.clientId ?? '',
    code_verifier: attempt?.verifier ?? '',
  };
  switch (attempt?.spoil) {
    case 'wrong_verifier':
      return { ...right, code_verifier: WRONG_VERIFIER };
    case 'wrong_redirect_uri':
      return { ...right, redirect_uri: `${right.redirect_uri}/other` };
    case 'exchange_wrong_client':
      return { ...right, client_id: UNKNOWN_CLIENT };
    default:
      return right;
  }
}

/** Whether the SDK would send the same request, and may therefore send it. */
export function isAsItShouldBe(fields: ExchangeFields, attempt: Attempt | undefined): attempt is Attempt {
  const right = { ...attempt, spoil: undefined } as Attempt | undefined;
  return attempt !== undefined && JSON.stringify(fields) === JSON.stringify(exchangeFieldsOf(fields.code, right));
}

/**
 * Exchanges the code as a partner does: the SDK checks the callback and the ID token.
 * @throws as `AuthServer.finishSignIn`
 */
export async function exchangeRightly(
  config: PlaygroundConfig,
  callback: URLSearchParams,
  attempt: Attempt,
): Promise<void> {
  const { nonce, verifier, redirectUri, clientId, state = '' } = attempt;
  const tokens = await authServerOf(config, clientId).finishSignIn(callback, {
    state,
    nonce,
    codeVerifier: verifier,
    redirectUri,
  });
  await keepTokens(config, exchangeFieldsOf(callback.get('code') ?? '', attempt), tokens);
}

/** Sends the token request with any fields, and stores the fan's tokens if it succeeds. @returns the call, of any status */
export async function exchangeCode(config: PlaygroundConfig, fields: ExchangeFields): Promise<AnsweredCall> {
  const { token_endpoint } = await metadataOf(config);
  const call = await send('Exchange the code', formRequest(token_endpoint, formOf(fields)));
  const response = jsonOf(call.answer);
  if (call.answer.status === 200 && typeof response?.access_token === 'string') {
    const expiresAt = Date.now() + Number(response.expires_in) * 1_000;
    await keepTokens(config, fields, { response: response as unknown as TokenResponse, expiresAt });
  }
  return call;
}

const formOf = (fields: ExchangeFields) => ({ grant_type: 'authorization_code', ...fields });

async function keepTokens(config: PlaygroundConfig, fields: ExchangeFields, tokens: TokenSet): Promise<void> {
  const { response, expiresAt, claims } = tokens;
  const sub = String(decodeToken(response.id_token ?? response.access_token)?.payload.sub ?? '');
  const phone = config.test_users.find(({ id }) => id === sub)?.phone;
  putFan({
    sub,
    phone,
    tokens: {
      response,
      expiresAt: new Date(expiresAt).toISOString(),
      claims,
      nonce: currentState().attempt?.nonce,
      clientId: fields.client_id,
      exchange: formOf(fields),
      spentRefreshTokens: [],
      version: 1,
    },
  });
  change({ active: sub, pieces: await withNewSecrets(currentState().pieces) });
}
