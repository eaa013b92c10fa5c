import type { Logger } from 'pino';
import { DomainError } from '../../platform/errors.ts';
import type { VerificationProvider } from './provider.ts';

/** Prefix of the second provider's references. The first's have none, so that a fallback can be added and removed. */
const SECOND = 'fallback:';

/**
 * Two providers as one: the second sends where the first is unavailable. Other refusals of the first are final. The sender
 * of a code checks it. If the first sent a code without confirming it, the fan gets two; the newer one is right.
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
