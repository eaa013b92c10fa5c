import { type AnsweredCall, formRequest, send } from '../calls/send.ts';
import type { PlaygroundConfig } from '../config.ts';
import { change, currentState, putFan } from '../state.ts';
import { decodeToken } from '../tokens/decode-token.ts';
import { expiryOf, tokenResponseOf } from '../tokens/token-set.ts';
import type { Attempt } from './attempt.ts';
import { withNewSecrets } from './make-secrets.ts';
import { metadataOf } from './metadata.ts';

/** The form of the exchange. @see spec §5.8 */
export interface ExchangeFields {
  code: string;
  redirect_uri: string;
  client_id: string;
  code_verifier: string;
}

const WRONG_VERIFIER = 'this-verifier-belongs-to-another-sign-in-0000';
/** Well-formed, and nobody's. */
export const UNKNOWN_CLIENT = 'client_00000000000000000000000000';

/** What a sign-in's code is exchanged with, with the mistake that was asked for. */
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

/** Exchanges the code, and keeps the fan's tokens where it works. @returns the call, of any status */
export async function exchangeCode(config: PlaygroundConfig, fields: ExchangeFields): Promise<AnsweredCall> {
  const { token_endpoint } = await metadataOf(config);
  const form = { grant_type: 'authorization_code', ...fields };
  const call = await send('Exchange the code', formRequest(token_endpoint, form));
  const response = tokenResponseOf(call);
  if (response !== undefined) {
    const claims = decodeToken(String(response.id_token ?? response.access_token))?.payload;
    const sub = String(claims?.sub ?? '');
    const phone = config.test_users.find(({ id }) => id === sub)?.phone;
    putFan({
      sub,
      phone,
      tokens: {
        response,
        expiresAt: expiryOf(response),
        nonce: currentState().attempt?.nonce,
        clientId: fields.client_id,
        exchange: form,
        spentRefreshTokens: [],
      },
    });
    change({ active: sub, pieces: await withNewSecrets(currentState().pieces) });
  }
  return call;
}
