import type { Config } from '../../platform/config/config.ts';
import { createFallbackProvider } from './fallback-provider.ts';
import { createLogProvider, type LogProviderOptions } from './log-provider.ts';
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
