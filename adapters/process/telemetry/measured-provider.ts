import { Histogram } from 'prom-client';
import { DomainError } from '../../../src/platform/errors.ts';
import type { VerificationProvider } from '../../../src/sign-in/verification/provider.ts';
import { inSpan } from './tracing.ts';

const duration = new Histogram({
  name: 'verification_call_duration_seconds',
  help: 'Time of a call to the provider of codes, by provider, call (send, check) and outcome (ok, wrong, or the code of the error)',
  labelNames: ['provider', 'call', 'outcome'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/** Measures and traces the calls to a provider, without the number and the code. */
export function measuredProvider(provider: VerificationProvider): VerificationProvider {
  const measure = async <T>(call: 'send' | 'check', work: () => Promise<T>): Promise<T> => {
    const started = performance.now();
    let outcome = 'failed';
    try {
      const answer = await inSpan(`sms ${call}`, { 'fan_api.provider': provider.name }, work);
      outcome = answer === false ? 'wrong' : 'ok';
      return answer;
    } catch (error) {
      if (error instanceof DomainError) outcome = error.code;
      throw error;
    } finally {
      duration.observe({ provider: provider.name, call, outcome }, (performance.now() - started) / 1_000);
    }
  };
  return {
    ...provider,
    send: (phone) => measure('send', () => provider.send(phone)),
    check: (phone, reference, code) => measure('check', () => provider.check(phone, reference, code)),
  };
}
