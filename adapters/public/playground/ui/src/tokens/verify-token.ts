import { accessTokenHash } from '@fan-api/sdk';
import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose';
import type { Check } from '../sign-in/check-callback.ts';
import { decodeToken } from './decode-token.ts';

/** What each kind of token must be. */
export interface Expectation {
  kind: 'access' | 'id' | 'receipt';
  issuer: string;
  clientId: string;
  /** Of the authorize request, where one was sent. */
  nonce?: string | undefined;
  /** The access token that came with an ID token. */
  accessToken?: string | undefined;
}

const TYPES = { access: 'at+jwt', id: undefined, receipt: 'consent-receipt+jwt' } as const;

/**
 * Checks a token as its receiver does, one check after the other, so that each shows its own result.
 * @param keys the issuer's published keys
 * @see OIDC Core §3.1.3.7, RFC 9068 §4
 */
export async function verifyToken(token: string, keys: JSONWebKeySet, expected: Expectation): Promise<Check[]> {
  const decoded = decodeToken(token);
  if (decoded === undefined) {
    return [{ name: 'It is a signed token (JWS)', passed: false, detail: 'It can not be decoded.' }];
  }
  const { header, payload } = decoded;
  const type = TYPES[expected.kind];
  const checks = [
    await checkSignature(token, keys),
    compare('iss is the issuer', payload.iss, expected.issuer),
    ...(type === undefined ? [] : [compare('typ says what it is', header.typ, type)]),
    ...(expected.kind === 'access'
      ? [compare('client_id is yours', payload.client_id, expected.clientId)]
      : [checkAudience(payload.aud, expected.clientId)]),
    ...(payload.exp === undefined ? [] : [checkExpiry(payload.exp)]),
  ];
  if (expected.kind !== 'id') return checks;
  checks.push(compare('nonce is the one that was sent', payload.nonce, expected.nonce));
  if (expected.accessToken !== undefined)
    checks.push(await checkAccessTokenHash(payload.at_hash, expected.accessToken));
  return checks;
}

/** The claims are checked one by one, by the other checks: this one covers key, algorithm and signature. */
async function checkSignature(token: string, keys: JSONWebKeySet): Promise<Check> {
  const name = 'The signature is of a published key';
  try {
    const { protectedHeader } = await jwtVerify(token, createLocalJWKSet(keys), {
      algorithms: ['RS256'],
      currentDate: new Date((decodeToken(token)?.payload.iat ?? 0) * 1_000),
    });
    return { name, passed: true, detail: `RS256 with the key ${protectedHeader.kid ?? 'without kid'} of the JWKS.` };
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return { name, passed: false, detail: 'The JWKS has no such key.' };
    return { name, passed: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

function compare(name: string, given: unknown, expected: string | undefined): Check {
  const passed = given === expected;
  if (passed) return { name, passed, detail: expected === undefined ? 'None was sent, and none is in it.' : expected };
  return {
    name,
    passed,
    detail: `Expected ${expected ?? 'none'}, got ${given === undefined ? 'none' : String(given)}.`,
  };
}

function checkAudience(given: string | string[] | undefined, clientId: string): Check {
  const audiences = [given].flat();
  return compare('aud is your client_id', audiences.length === 1 ? audiences[0] : JSON.stringify(given), clientId);
}

function checkExpiry(exp: number): Check {
  const seconds = Math.round(exp - Date.now() / 1_000);
  const passed = seconds > 0;
  return {
    name: 'It has not expired',
    passed,
    detail: passed ? `${seconds} s are left.` : `It expired ${-seconds} s ago, by this computer’s clock.`,
  };
}

async function checkAccessTokenHash(given: unknown, accessToken: string): Promise<Check> {
  return compare('at_hash belongs to the access token', given, await accessTokenHash(accessToken));
}
