/** Passkeys in the browser. The library is loaded when it is needed: most sign-ins use no passkey. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';

/** The calls with which a page signs a fan in by a passkey. */
export type AskForPasskey = {
  askPasskey: () => Promise<PublicKeyCredentialRequestOptionsJSON>;
  answerPasskey: (answer: AuthenticationResponseJSON) => Promise<unknown>;
};

/** The calls with which a page adds a passkey. */
export type AddPasskey = {
  beginPasskey: () => Promise<PublicKeyCredentialCreationOptionsJSON>;
  addPasskey: (made: RegistrationResponseJSON) => Promise<unknown>;
};

/** The fan closed the browser's dialog, or the browser found no passkey. */
class PasskeyCancelled extends Error {}

export const isPasskeyCancelled = (error: unknown): boolean => error instanceof PasskeyCancelled;

/** Whether this browser supports passkeys at all. */
export const knowsPasskeys = (): boolean => typeof PublicKeyCredential === 'function';

/** Whether this device can make a passkey of its own: it asks for a fingerprint, a face or a PIN. */
export async function canMakePasskey(): Promise<boolean> {
  if (!knowsPasskeys()) return false;
  return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false);
}

/** Signs the fan in. @throws the errors of the calls, and PasskeyCancelled */
export async function usePasskey({ askPasskey, answerPasskey }: AskForPasskey): Promise<void> {
  const [optionsJSON, { startAuthentication }] = await Promise.all([askPasskey(), import('@simplewebauthn/browser')]);
  await answerPasskey(await startAuthentication({ optionsJSON }).catch(cancelled));
}

/** Makes a passkey for the fan who is signed in. @throws as `usePasskey` */
export async function makePasskey({ beginPasskey, addPasskey }: AddPasskey): Promise<void> {
  const [optionsJSON, { startRegistration }] = await Promise.all([beginPasskey(), import('@simplewebauthn/browser')]);
  await addPasskey(await startRegistration({ optionsJSON }).catch(cancelled));
}

function cancelled(cause: unknown): never {
  throw new PasskeyCancelled('no passkey', { cause });
}
