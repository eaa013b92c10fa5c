import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, exportJWK, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import type { RunKey } from '../../entities/go-live-check.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Behaviour } from './checks.ts';

/** The address of all runs, below the authorization server, so that a proxy needs no new rule. */
export function checksUrl({ authUrl }: Pick<Config, 'authUrl'>): string {
  return `${authUrl}/check`;
}

/** The addresses that a partner sets in its test deployment. */
export interface RunAddresses {
  issuer: string;
  discoveryUrl: string;
  /** In the place of the Fan API's address. */
  apiUrl: string;
  /** In the place of the RPC address of the sandbox cluster, for the check of listings. */
  rpcUrl: string;
  /** The checks and their state for programs, JSON. */
  checksUrl: string;
}

/** The addresses of a run. @param id `chk_…` */
export function runAddresses(config: Pick<Config, 'authUrl'>, id: string): RunAddresses {
  const issuer = `${checksUrl(config)}/${id}`;
  return {
    issuer,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    apiUrl: `${issuer}/fan`,
    rpcUrl: `${issuer}/rpc`,
    checksUrl: `${issuer}/checks`,
  };
}

/**
 * The discovery document of a run.
 * @see OIDC Discovery 1.0 §3, RFC 9207 §3
 */
export function runDiscovery(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    token_endpoint: `${issuer}/oauth2/token`,
    userinfo_endpoint: `${issuer}/oauth2/userinfo`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}

const generate = promisify(generateKeyPair);

/**
 * Two RS256 keys of 2048 bits for one run: the second is published when the keys are rotated. They are made here and not in the key
 * ring, and only the run's own address publishes them. They are not sealed, because only the run's own client believes what they sign.
 */
export async function newRunKeys(): Promise<RunKey[]> {
  return [await newRunKey(), await newRunKey()];
}

async function newRunKey(): Promise<RunKey> {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: 2048 });
  const bare = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(bare);
  return { kid, publicJwk: { ...bare, kid, alg: 'RS256', use: 'sig' }, privateJwk: await exportJWK(privateKey) };
}

/** The run's JWKS. @param rotated whether its keys have been rotated */
export function publishedKeys(keys: readonly RunKey[], rotated: boolean): { keys: JWK[] } {
  return { keys: keys.slice(0, rotated ? 2 : 1).map(({ publicJwk }) => publicJwk) };
}

/** Signs an ID token of a run, well or badly. */
export async function signIdToken(
  keys: readonly RunKey[],
  payload: JWTPayload,
  signature: Behaviour['signature'],
): Promise<string> {
  if (signature === 'none') return `${base64url({ alg: 'none', typ: 'JWT' })}.${base64url(payload)}.`;
  const key = keys[signature === 'rotated' ? 1 : 0];
  if (key === undefined) throw new Error('a run has two keys');
  const header = { alg: 'RS256', typ: 'JWT', kid: key.kid };
  const token = await new SignJWT(payload).setProtectedHeader(header).sign(await importJWK(key.privateJwk, 'RS256'));
  return signature === 'broken' ? withBrokenSignature(token) : token;
}

/** Changes one byte of the signature, whose length stays. */
function withBrokenSignature(token: string): string {
  const at = token.lastIndexOf('.') + 1;
  const bytes = Buffer.from(token.slice(at), 'base64url');
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  return token.slice(0, at) + bytes.toString('base64url');
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
