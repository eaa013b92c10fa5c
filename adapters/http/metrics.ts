import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Histogram, register } from 'prom-client';
import type { Config } from '../../src/config/config.ts';
import type { Handler } from './request-state.ts';

const duration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from a request to its answer, by route and status',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});

/** Measures every request. */
export function countRequests(): Handler {
  return async (ctx, next) => {
    const started = performance.now();
    try {
      await next();
    } finally {
      // never the path itself: callers could make any number of series
      const route = typeof ctx._matchedRoute === 'string' ? ctx._matchedRoute : 'other';
      const seconds = (performance.now() - started) / 1000;
      duration.observe({ method: ctx.method, route, status: ctx.status }, seconds);
    }
  };
}

/**
 * Serves the metrics on a port of their own, on loopback: they are not for the public.
 * @param read all of them as text; by default those of this process
 */
export async function startMetrics(port: number, read = () => register.metrics()): Promise<Server> {
  collectDefaultMetrics();
  const server = createServer(async (_, response) => {
    response.setHeader('Content-Type', register.contentType);
    response.end(await read());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Of several processes on one machine, all but the first run without metrics. */
export async function startMetricsIfFree(
  { metricsPort: port }: Config,
  log: Logger,
  read?: () => Promise<string>,
): Promise<Server | undefined> {
  return startMetrics(port, read).catch((err: NodeJS.ErrnoException) => {
    if (err.code !== 'EADDRINUSE') throw err;
    log.error({ port }, 'METRICS_PORT is in use: this process has no metrics');
    return undefined;
  });
}
