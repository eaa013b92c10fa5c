import { Histogram } from 'prom-client';
import type { JsonRpc } from '../../../src/chain/gateway/json-rpc.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import type { Mode } from '../../../src/platform/mode.ts';
import type { VerificationProvider } from '../../../src/sign-in/verification/provider.ts';
import { inSpan } from './tracing.ts';

const codes = new Histogram({
  name: 'verification_call_duration_seconds',
  help: 'Time of a call to the provider of codes, by provider, call (send, check) and outcome (ok, wrong, or the code of the error)',
  labelNames: ['provider', 'call', 'outcome'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});
const rpcs = new Histogram({
  name: 'chain_rpc_duration_seconds',
  help: 'Time of a call to the Solana RPC node with its retries, by mode, method and result (ok, error, unreachable)',
  labelNames: ['mode', 'method', 'result'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
});

/** @param endOf how a call ended, by its answer or its error */
async function timed<T>(
  work: () => Promise<T>,
  observe: (end: string, seconds: number) => void,
  endOf: EndOf<T>,
): Promise<T> {
  const started = performance.now();
  const note = (end: string) => observe(end, (performance.now() - started) / 1_000);
  try {
    const answer = await work();
    note(endOf.answer(answer));
    return answer;
  } catch (error) {
    note(endOf.error(error));
    throw error;
  }
}

interface EndOf<T> {
  answer(answer: T): string;
  error(error: unknown): string;
}

/** Measures and traces the calls to a provider, without the number and the code. */
export function measuredProvider(provider: VerificationProvider): VerificationProvider {
  const measure = <T>(call: 'send' | 'check', work: () => Promise<T>) =>
    timed(
      () => inSpan(`sms ${call}`, { 'fan_api.provider': provider.name }, work),
      (outcome, seconds) => codes.observe({ provider: provider.name, call, outcome }, seconds),
      {
        answer: (answer) => (answer === false ? 'wrong' : 'ok'),
        error: (error) => (error instanceof DomainError ? error.code : 'failed'),
      },
    );
  return {
    ...provider,
    send: (phone) => measure('send', () => provider.send(phone)),
    check: (phone, reference, code) => measure('check', () => provider.check(phone, reference, code)),
  };
}

/** Measures and traces the calls to the node of a mode. Methods are names in our own code. */
export function measuredRpc(mode: Mode, rpc: JsonRpc): JsonRpc {
  return (method, params) => {
    const facts = { 'rpc.system.name': 'jsonrpc', 'rpc.method': method, 'fan_api.mode': mode };
    return timed(
      () =>
        inSpan(`rpc ${method}`, facts, async (note) => {
          const reply = await rpc(method, params);
          if ('error' in reply) note?.({ 'rpc.response.status_code': reply.error.code });
          return reply;
        }),
      (result, seconds) => rpcs.observe({ mode, method, result }, seconds),
      { answer: (reply) => ('error' in reply ? 'error' : 'ok'), error: () => 'unreachable' },
    );
  };
}
