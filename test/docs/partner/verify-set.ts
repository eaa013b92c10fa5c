import { createRemoteJWKSet, jwtVerify } from 'jose';

/** The claims of a Security Event Token. @throws Error where it is not genuine, or not for this client */
export async function verifySet(token: string, issuer: string, clientId: string) {
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(token, keys, { issuer, audience: clientId, typ: 'secevent+jwt' });
  return payload;
}
