import { LockMode } from '@mikro-orm/core';
import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { Fan } from '../../entities/fan.ts';
import { Passkey } from '../../entities/passkey.ts';
import type { EntityContext, SqlContext, WithConfig, WriteContext } from '../../platform/context.ts';
import { browserOf } from '../../platform/device.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { CHALLENGE_LIFETIME, newChallenge, refused, relyingParty, SIGNATURES, takeChallenge } from './challenge.ts';

/** For `navigator.credentials.create`, in JSON. Extensions are not used. */
export type PasskeyCreation = Omit<PublicKeyCredentialCreationOptionsJSON, 'extensions'>;

/** Passkeys that a fan may have. */
export const MOST_PASSKEYS = 10;
/** Seconds for which the offer of a passkey is not repeated after "Not now". */
const OFFER_PAUSE = 90 * 86_400;

/** A fan who is signed in, and the sign-in or visit that the challenge is bound to. */
export interface PasskeyFan {
  owner: string;
  fan: Id<'usr'>;
  /** How the fan's devices name the account: the masked number. */
  label: string;
}

/**
 * SQL: whether a passkey is offered after a sign-in: the fan has none and has not lately said "Not now".
 * @param f alias of the fan; `now` is SQL of the current time
 */
export function offersPasskey(f: string, now: string): string {
  return `((${f}.passkey_declined_at is null or ${f}.passkey_declined_at <= ${now} - make_interval(secs => ${OFFER_PAUSE}))
    and not exists (select from passkey k where k.fan_id = ${f}.id))`;
}

/** Records "Not now". */
export async function declinePasskey({ em, now }: EntityContext, fan: Id<'usr'>): Promise<void> {
  await em.nativeUpdate(Fan, { id: fan }, { passkeyDeclinedAt: now() });
}

/** What the browser needs to make a discoverable passkey: one that signs in without the fan's number. */
export async function beginPasskey(
  context: EntityContext & WithConfig,
  { owner, fan, label }: PasskeyFan,
): Promise<PasskeyCreation> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const held = await context.em.find(Passkey, { fan });
  const { id, name } = relyingParty(context.config);
  const { extensions: _, ...creation } = await generateRegistrationOptions({
    rpID: id,
    rpName: name,
    userID: new Uint8Array(Buffer.from(fan)),
    userName: label,
    userDisplayName: label,
    challenge: new Uint8Array(Buffer.from(await newChallenge(context, { owner, purpose: 'register' }), 'base64url')),
    timeout: CHALLENGE_LIFETIME * 1000,
    attestationType: 'none',
    supportedAlgorithmIDs: SIGNATURES,
    // one per authenticator is enough
    excludeCredentials: held.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return creation;
}

/**
 * Adds a passkey that a browser has made.
 * @param userAgent of the browser, which gives the passkey its name
 * @throws DomainError `passkey_refused`; `rate_limited` where the fan has as many as allowed
 */
export async function addPasskey(
  context: WriteContext & SqlContext & WithConfig,
  { owner, fan }: PasskeyFan,
  response: RegistrationResponseJSON,
  userAgent: string,
): Promise<void> {
  const { em, now, config } = context;
  const expectedChallenge = await takeChallenge(context, { owner, purpose: 'register' });
  const { id: rpId, origin } = relyingParty(config);
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const checked = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    supportedAlgorithmIDs: SIGNATURES,
    requireUserVerification: true,
  }).catch((cause: unknown) => {
    throw refused('This passkey could not be added. Try again.', cause);
  });
  if (!checked.verified) throw refused('This passkey could not be added. Try again.');
  const { credential } = checked.registrationInfo;
  await em.transactional(async (tx) => {
    // the lock makes additions for one fan wait for each other, so that each counts those before
    await tx.findOneOrFail(Fan, { id: fan }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if ((await tx.count(Passkey, { fan })) >= MOST_PASSKEYS)
      throw new DomainError('rate_limited', `You have ${MOST_PASSKEYS} passkeys. Remove one first.`);
    if ((await tx.count(Passkey, { credentialId: credential.id })) > 0)
      throw refused('This passkey is in use already.');
    const passkey = tx.create(Passkey, {
      fan,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: credential.transports ?? [],
      rpId,
      name: (browserOf(userAgent) ?? 'Browser').slice(0, 80),
      createdAt: now(),
    });
    const details = { passkey: passkey.id };
    recordAudit({ ...context, em: tx }, { actor: `fan:${fan}`, action: 'passkey.added', subject: fan, details });
  });
}
