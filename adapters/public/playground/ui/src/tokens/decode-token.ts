import { decodeJwt, decodeProtectedHeader, type JWTPayload, type ProtectedHeaderParameters } from 'jose';

export interface DecodedToken {
  header: ProtectedHeaderParameters;
  payload: JWTPayload;
}

/** Header and claims of a signed token, unverified; undefined for any other text. */
export function decodeToken(token: string): DecodedToken | undefined {
  try {
    return { header: decodeProtectedHeader(token), payload: decodeJwt(token) };
  } catch {
    return undefined;
  }
}
