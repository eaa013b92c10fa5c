import { callLogin, login, type Started } from '../../../support/partner.ts';
import { type Bend, type SoftAuthenticator, softAuthenticator } from '../../../support/soft-authenticator.ts';
import type { TestApp } from '../../../support/start-app.ts';

/** Passkeys on the login pages, without a browser. */

export type Options = Parameters<SoftAuthenticator['create']>[0] & Parameters<SoftAuthenticator['get']>[0];

/** Adds a passkey in a sign-in whose fan is known. */
export async function addPasskeyTo(app: TestApp, started: Pick<Started, 'cookie' | 'sessionId'>, bend: Bend = {}) {
  const device = softAuthenticator(app.origin);
  const made = device.create(await login<Options>(app, started, 'passkey.begin'), bend);
  const answer = await callLogin(app, started, 'passkey.add', made);
  return { device, made, answer };
}

/** Answers a sign-in by a passkey. */
export async function presentTo(app: TestApp, device: SoftAuthenticator, started: Started, bend: Bend = {}) {
  const options = await login<Options>(app, started, 'passkey.ask');
  return callLogin(app, started, 'passkey.answer', device.get(options, bend));
}
