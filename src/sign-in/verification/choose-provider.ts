import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Logger } from 'pino';
import { bothKeys, type DerivedKeys } from '../../keys/seal.ts';
import type { Config } from '../../platform/config/config.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Inbox } from './inbox.ts';
import type { VerificationProvider } from './provider.ts';

/**
 * The configured provider. Twilio's package takes 0.2 s and 35 MB to load, so it is imported only where needed.
 * @param watched wraps each provider, to measure its calls
 */
export async function chooseProvider(
  { verification }: Pick<Config, 'verification'>,
  { log, secrets, inbox }: LogProviderOptions,
  watched = (provider: VerificationProvider) => provider,
): Promise<VerificationProvider> {
  if (verification.provider === 'log') return watched(createLogProvider({ log, secrets, inbox }));
  const { createTwilioProvider } = await import('./twilio-provider.ts');
  const { fallbackServiceSid, ...twilio } = verification;
  const first = watched(createTwilioProvider({ ...twilio, log }));
  if (fallbackServiceSid === undefined) return first;
  const second = watched(
    createTwilioProvider({ ...twilio, log, serviceSid: fallbackServiceSid, name: 'twilio-fallback' }),
  );
  return createFallbackProvider({ log }, first, second);
}

/** Prefix of the second provider's references. The first's have none, so they stay valid when an operator adds or removes the second. */
const SECOND = 'fallback:';

/**
 * Two providers as one: the second sends where the first is unavailable. Other refusals of the first are final. The provider
 * that sent a code checks it. If the first sends a code but its answer is lost, the fan gets two codes; only the second's is accepted.
 */
export function createFallbackProvider(
  { log }: { log: Logger },
  first: VerificationProvider,
  second: VerificationProvider,
): VerificationProvider {
  return {
    name: `${first.name}, then ${second.name}`,
    forProduction: first.forProduction && second.forProduction,
    async send(phone) {
      try {
        return await first.send(phone);
      } catch (error) {
        if (!(error instanceof DomainError && error.code === 'verification_unavailable')) throw error;
      }
      log.warn({ first: first.name, second: second.name }, 'a code is sent by the fallback provider');
      return SECOND + (await second.send(phone));
    },
    check(phone, reference, code) {
      return reference.startsWith(SECOND)
        ? second.check(phone, reference.slice(SECOND.length), code)
        : first.check(phone, reference, code);
    },
  };
}

interface LogProviderOptions {
  log: Logger;
  secrets: DerivedKeys;
  inbox?: Inbox | undefined;
}

/**
 * The provider for development: writes the code to the log and the inbox instead of sending it. It keeps no state: the
 * reference is a hash of phone and code, keyed because six digits in a plain hash could be guessed.
 */
export function createLogProvider({ log, secrets, inbox }: LogProviderOptions): VerificationProvider {
  const referenceOf = (phone: string, code: string, { smsCode } = secrets) =>
    createHmac('sha256', smsCode).update(`${phone} ${code}`).digest('base64url');
  return {
    name: 'log',
    forProduction: false,
    async send(phone) {
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      log.info({ phone, code }, 'verification code (development provider: nothing was sent)');
      await inbox?.keep(phone, code);
      return referenceOf(phone, code);
    },
    async check(phone, reference, code) {
      const sent = Buffer.from(reference);
      return bothKeys(secrets).some((keys) => {
        const given = Buffer.from(referenceOf(phone, code, keys));
        return given.length === sent.length && timingSafeEqual(given, sent);
      });
    },
  };
}
