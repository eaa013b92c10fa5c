import { Histogram } from 'prom-client';

const duration = new Histogram({
  name: 'signing_duration_seconds',
  help: 'Time for one signature, with the opening of its key, by kind (jwt, solana)',
  labelNames: ['kind'],
  buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
});

/** Measures one signature. A failed signature counts too, so that a vault that does not answer shows. */
export async function timeSigning<T>(kind: 'jwt' | 'solana', sign: () => Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    return await sign();
  } finally {
    duration.observe({ kind }, (performance.now() - started) / 1_000);
  }
}
