import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Logger } from 'pino';
import { bothKeys, type DerivedKeys } from '../../keys/seal.ts';
import type { Inbox } from './inbox.ts';
import type { VerificationProvider } from './provider.ts';

export interface LogProviderOptions {
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
