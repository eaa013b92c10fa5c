import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Histogram, register } from 'prom-client';
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

/** Serves the metrics on a port of their own, on loopback: they are not for the public. */
export async function startMetrics(port: number): Promise<Server> {
  collectDefaultMetrics();
  const server = createServer(async (_, response) => {
    response.setHeader('Content-Type', register.contentType);
    response.end(await register.metrics());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
