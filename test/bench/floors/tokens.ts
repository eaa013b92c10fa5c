import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';

const signOffLoop = promisify(sign);
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ACCESS_HEADER = encode({ alg: 'RS256', typ: 'at+jwt', kid: 'floor' });
const ID_HEADER = encode({ alg: 'RS256', typ: 'JWT', kid: 'floor' });
const LIFETIME = 3600;

/** What tokens are made of: a row of the floor's statements. */
export interface TokenRow {
  grant_id: string;
  fan_id: string;
  client_id: string;
  scope: string;
  actions: string[];
  mode: string;
  /** Seconds since the epoch. */
  auth_time: number;
  nonce: string | null;
}

/** The answer of the token endpoint: an access token and an ID token, signed in libuv's pool, which costs the event loop least. */
export async function tokenAnswer(row: TokenRow, refreshToken: string): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  const iss = 'http://localhost:3000';
  const { grant_id, client_id, scope, mode, auth_time, nonce } = row;
  const accessToken = await jwt(ACCESS_HEADER, {
    iss,
    aud: 'svc-api',
    sub: row.fan_id,
    client_id,
    scope,
    granted_actions: row.actions,
    grant_id,
    mode,
    jti: randomBytes(16).toString('base64url'),
    iat,
    exp: iat + LIFETIME,
  });
  const at_hash = createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
  const idClaims = { iss, sub: row.fan_id, aud: client_id, iat, exp: iat + LIFETIME, auth_time, at_hash, nonce };
  return JSON.stringify({
    token_type: 'Bearer',
    expires_in: LIFETIME,
    scope,
    granted_actions: row.actions,
    grant_id,
    mode,
    access_token: accessToken,
    id_token: await jwt(ID_HEADER, idClaims),
    refresh_token: refreshToken,
  });
}

async function jwt(header: string, payload: object): Promise<string> {
  const signed = `${header}.${encode(payload)}`;
  const signature = await signOffLoop('sha256', Buffer.from(signed), privateKey);
  return `${signed}.${signature.toString('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** As the database holds secrets. */
export function hashOf(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}
