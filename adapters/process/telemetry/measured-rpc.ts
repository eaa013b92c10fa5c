import { Histogram } from 'prom-client';
import type { JsonRpc } from '../../../src/chain/gateway/json-rpc.ts';
import type { Mode } from '../../../src/platform/mode.ts';
import { inSpan } from './tracing.ts';

const duration = new Histogram({
  name: 'chain_rpc_duration_seconds',
  help: 'Time of a call to the Solana RPC node with its retries, by mode, method and result (ok, error, unreachable)',
  labelNames: ['mode', 'method', 'result'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
});

/** Measures and traces the calls to the node of a mode. Methods are names in our own code. */
export function measuredRpc(mode: Mode, rpc: JsonRpc): JsonRpc {
  return async (method, params) => {
    const started = performance.now();
    let result = 'unreachable';
    try {
      return await inSpan(
        `rpc ${method}`,
        { 'rpc.system.name': 'jsonrpc', 'rpc.method': method, 'fan_api.mode': mode },
        async (note) => {
          const reply = await rpc(method, params);
          result = 'error' in reply ? 'error' : 'ok';
          if ('error' in reply) note?.({ 'rpc.response.status_code': reply.error.code });
          return reply;
        },
      );
    } finally {
      duration.observe({ mode, method, result }, (performance.now() - started) / 1_000);
    }
  };
}
