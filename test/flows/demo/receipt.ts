import { authorizedFetch, type Session } from '@fan-api/sdk';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { Kit } from './kit.ts';
import { fail } from './narrate.ts';

/**
 * Fetches the consent receipt of a grant and verifies it by the published keys, as an auditor of the partner would: nothing
 * but the receipt, the issuer's address and the partner's own `client_id` is believed.
 * @returns what it states
 */
export async function verifiedReceipt(kit: Kit, session: Session) {
  const grantId = (await session.tokens())?.response.grant_id;
  const answer = await authorizedFetch(session)(`${kit.auth_url}/oauth2/grants/${grantId}/receipt`);
  const receipt = await answer.text();
  if (!answer.ok) fail(`the receipt endpoint answered ${answer.status}: ${receipt}`);
  const keys = createRemoteJWKSet(new URL(`${kit.auth_url}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(receipt, keys, {
    algorithms: ['RS256'],
    typ: 'consent-receipt+jwt',
    issuer: kit.auth_url,
    audience: kit.client_id,
  });
  if (payload.grant_id !== grantId) fail(`the receipt is for ${String(payload.grant_id)}`);
  return payload;
}
