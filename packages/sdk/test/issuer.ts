/** An authorization server for tests: right unless it is told otherwise, with rotating refresh tokens and the service's rule on reuse. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

export const CLIENT_ID = 'client_1';
export const REDIRECT_URI = 'https://partner.example/callback';

/** What is different from a right answer. */
export interface Bend {
  /** Members of the discovery document. */
  metadata?: Record<string, unknown>;
  /** Claims of the ID token; undefined removes one. */
  claims?: Record<string, unknown>;
  /** Members of the token response; undefined removes one. */
  tokens?: Record<string, unknown>;
  /** Signs with a key that is not published. */
  foreignKey?: boolean;
  /** Answers the next token requests, in their order; undefined lets one pass. */
  answers?: (((response: ServerResponse, rotate: () => Promise<object>) => void) | undefined)[];
}

export interface TestIssuer {
  url: string;
  bend: Bend;
  /** Refresh tokens in the order in which they came. */
  refreshed: string[];
  /** True after a token was used twice. */
  revoked: boolean;
  /** Of the next exchange. */
  nonce: string | undefined;
  /** Makes a new signing key, and publishes it instead of the one before. */
  rotateKey(): Promise<void>;
  stop(): Promise<void>;
}

export async function startIssuer(): Promise<TestIssuer> {
  let serial = 0;
  let valid = 'rt_0';
  const newKey = async (kid: string) => ({ kid, ...(await generateKeyPair('RS256', { extractable: true })) });
  let key = await newKey('k0');
  const foreign = await newKey('k0');

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: TestIssuer = {
    url,
    bend: {},
    refreshed: [],
    revoked: false,
    nonce: undefined,
    async rotateKey() {
      key = await newKey(`k${++serial}`);
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', url);
    if (pathname === '/.well-known/openid-configuration') return json(response, 200, metadata());
    if (pathname === '/jwks')
      return json(response, 200, {
        keys: [{ ...(await exportJWK(key.publicKey)), kid: key.kid, use: 'sig', alg: 'RS256' }],
      });
    if (pathname === '/revoke') return void response.writeHead(200).end();
    if (pathname !== '/token') return void response.writeHead(404).end();
    const form = new URLSearchParams(await text(request));
    const isRefresh = form.get('grant_type') === 'refresh_token';
    if (isRefresh) issuer.refreshed.push(form.get('refresh_token') ?? '');
    const rotate = () => (isRefresh ? refresh(form) : tokens(issuer.nonce));
    const bent = issuer.bend.answers?.shift();
    if (bent !== undefined) return bent(response, rotate);
    const body = await rotate();
    json(response, 'error' in body ? 400 : 200, body);
  }

  function metadata(): object {
    return {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      revocation_endpoint: `${url}/revoke`,
      jwks_uri: `${url}/jwks`,
      authorization_response_iss_parameter_supported: true,
      ...issuer.bend.metadata,
    };
  }

  async function refresh(form: URLSearchParams): Promise<object> {
    if (issuer.revoked || form.get('refresh_token') !== valid) {
      issuer.revoked = true;
      return { error: 'invalid_grant', error_description: 'The refresh token was used already.' };
    }
    return tokens(undefined);
  }

  async function tokens(nonce: string | undefined): Promise<object> {
    valid = `rt_${++serial}`;
    const accessToken = `at_${serial}`;
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: url,
      sub: 'usr_1',
      aud: CLIENT_ID,
      iat: now,
      exp: now + 3_600,
      at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
      nonce,
      ...issuer.bend.claims,
    };
    const signer = issuer.bend.foreignKey ? foreign : key;
    return {
      token_type: 'Bearer',
      expires_in: 60,
      scope: 'openid offline_access',
      granted_actions: [],
      grant_id: 'grant_1',
      grant_mode: 'all_current_future',
      mode: 'sandbox',
      access_token: accessToken,
      id_token: await new SignJWT(claims as JWTPayload)
        .setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'JWT' })
        .sign(signer.privateKey),
      refresh_token: valid,
      ...issuer.bend.tokens,
    };
  }
  return issuer;
}

export function json(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
