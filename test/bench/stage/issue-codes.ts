import { randomBytes } from 'node:crypto';
import { AuthorizationCode } from '../../../src/entities/authorization-code.ts';
import { AUTHORIZATION_CODE_LIFETIME } from '../../../src/oauth/lifetimes.ts';
import { challengeOf } from '../../../src/oauth/pkce.ts';
import { actionsOf } from '../../../src/partners/scopes.ts';
import { hashOf, newAuthorizationCode } from '../../../src/platform/identifier/secret-value.ts';
import type { Id } from '../../../src/platform/identifier/type-id.ts';
import { after } from '../../../src/platform/time.ts';
import type { ServiceContext } from '../../../src/runtime.ts';
import type { StarterKit } from '../../../src/sandbox/starter-kit.ts';
import { createGrant } from './create-grant.ts';
import { signedInFan } from './signed-in-fan.ts';

/** A fresh code of a test user, as the form that exchanges it. */
export interface IssuedCode {
  form: string;
}

export const SCOPE = 'openid profile offline_access fan:tickets:read fan:listings:write';
const REDIRECT_URI = 'http://localhost:4000/callback';

/** Issues codes as consent does, each with a grant and a verifier of its own, but without a login page before each. */
export async function issueCodes(
  context: ServiceContext,
  kit: StarterKit,
  count: number,
  given?: Id<'usr'>,
): Promise<IssuedCode[]> {
  const fan = given ?? (await signedInFan(context, kit));
  const { em, now } = context;
  const issued = Array.from({ length: count }, () => {
    const verifier = randomBytes(32).toString('base64url');
    const code = newAuthorizationCode();
    em.create(AuthorizationCode, {
      hash: hashOf(code),
      client: kit.client_id,
      grant: createGrant(context, kit, fan, SCOPE, actionsOf(SCOPE.split(' '))),
      redirectUri: REDIRECT_URI,
      codeChallenge: challengeOf(verifier),
      nonce: randomBytes(16).toString('base64url'),
      authenticatedAt: now(),
      expiresAt: after(now(), AUTHORIZATION_CODE_LIFETIME),
    });
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: kit.client_id,
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
    });
    return { form: form.toString() };
  });
  await em.flush();
  return issued;
}
