import { z } from 'zod';

/** The inputs of a passkey, as `@simplewebauthn/browser` sends them. The library checks the contents of the fields. */

const Base64Url = z.string().regex(/^[A-Za-z0-9_-]+$/, { error: 'must be base64url' });
const CredentialId = Base64Url.max(1400);

const Credential = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
});

/** The input of a passkey that signs in. */
export const PasskeyAnswer = Credential.extend({
  response: z.object({
    clientDataJSON: Base64Url.max(4000),
    authenticatorData: Base64Url.max(4000),
    signature: Base64Url.max(8000),
    userHandle: z.string().max(200).optional(),
  }),
}).transform(({ response: { userHandle, ...response }, ...rest }) => ({
  ...rest,
  clientExtensionResults: {},
  response: { ...response, ...(userHandle !== undefined && { userHandle }) },
}));

/** How a browser may reach an authenticator. @see WebAuthn Level 3 §5.8.4 */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** The input of a passkey that was just made. */
export const NewPasskey = Credential.extend({
  response: z.object({
    clientDataJSON: Base64Url.max(4000),
    attestationObject: Base64Url.max(30_000),
    transports: z
      .array(z.string().max(40))
      .max(10)
      .default([])
      .transform((names) => TRANSPORTS.filter((known) => names.includes(known))),
  }),
}).transform((made) => ({ ...made, clientExtensionResults: {} }));
