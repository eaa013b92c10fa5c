import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { Passkey } from '../../entities/passkey.ts';
import type { EntityContext, SqlContext, WithConfig, WriteContext } from '../../platform/context.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import {
  CHALLENGE_LIFETIME,
  type ChallengeOwner,
  newChallenge,
  refused,
  relyingParty,
  takeChallenge,
} from './challenge.ts';

export type { AuthenticationResponseJSON };

/** For `navigator.credentials.get`, in JSON. Extensions are not used. */
export type PasskeyRequest = Omit<PublicKeyCredentialRequestOptionsJSON, 'extensions'>;

/** What the browser is to sign. It names no passkeys: the fan chooses one, and the answer names it. */
export async function askForPasskey(
  context: EntityContext & WithConfig,
  owner: ChallengeOwner,
): Promise<PasskeyRequest> {
  return {
    challenge: await newChallenge(context, owner),
    rpId: relyingParty(context.config).id,
    allowCredentials: [],
    userVerification: 'required',
    timeout: CHALLENGE_LIFETIME * 1000,
  };
}

/**
 * Checks what a browser signed, and uses the challenge up in any case. Of several answers with the same signature counter above 0, it
 * accepts one.
 * @returns the passkey's fan, and how that fan was authenticated (`amr`)
 * @see RFC 8176 §2
 * @throws DomainError `passkey_refused`
 */
export async function checkPasskey(
  context: WriteContext & SqlContext & WithConfig,
  owner: ChallengeOwner,
  response: AuthenticationResponseJSON,
): Promise<{ fan: Passkey['fan']; amr: string }> {
  const { em, now, config } = context;
  const expectedChallenge = await takeChallenge(context, owner);
  const passkey = await em.findOne(Passkey, { credentialId: response.id }, { populate: ['fan'] });
  if (!passkey) throw refused('This passkey is not known here. It may have been removed.');
  const { id, origin } = relyingParty(config);
  // loaded here: few requests need it, and it takes a tenth of a second
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const checked = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      // compared by the update below, which two parallel calls cannot both pass
      counter: 0,
    },
  }).catch((cause: unknown) => {
    throw refused('This passkey could not be checked. Try again.', cause);
  });
  if (!checked.verified) throw refused('This passkey could not be checked. Try again.');
  const { userHandle } = response.response;
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== passkey.fan.id)
    throw refused('This passkey could not be checked. Try again.');
  const { newCounter: count, credentialDeviceType } = checked.authenticationInfo;
  const lower = { $or: [{ counter: { $lt: count } }, ...(count === 0 ? [{ counter: 0 }] : [])] };
  const counted = await em.nativeUpdate(Passkey, { id: passkey.id, ...lower }, { counter: count, lastUsedAt: now() });
  if (counted === 0) {
    const details = { passkey: passkey.id };
    recordAudit(context, { actor: 'system', action: 'passkey.count_refused', subject: passkey.fan.id, details });
    await em.flush();
    throw refused('This passkey may have been copied. Remove it, and sign in with a code.');
  }
  // a key that can leave its device is held by software
  return { fan: passkey.fan, amr: credentialDeviceType === 'singleDevice' ? 'hwk user' : 'swk user' };
}
