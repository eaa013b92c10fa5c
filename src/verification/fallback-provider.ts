import type { Logger } from 'pino';
import { DomainError } from '../errors.ts';
import type { VerificationProvider } from './provider.ts';

/** Marks references of the second provider. Those of the first are kept as they are, so that a fallback can come and go. */
const SECOND = 'fallback:';

/**
 * Two providers as one: the second sends where the first can't. A refusal of the first (not a phone number, too many
 * codes) is final. A code is checked by whoever sent it. A fan may get two codes where the first provider sent one and
 * did not say so; then the newer one is right.
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
      log.warn({ first: first.name, second: second.name }, 'a code goes out by the fallback provider');
      return SECOND + (await second.send(phone));
    },
    check(phone, reference, code) {
      return reference.startsWith(SECOND)
        ? second.check(phone, reference.slice(SECOND.length), code)
        : first.check(phone, reference, code);
    },
  };
}
