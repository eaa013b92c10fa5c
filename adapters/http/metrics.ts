import { createServer, type Server } from 'node:http';
import type { Context, Middleware } from 'koa';
import { collectDefaultMetrics, Histogram, register } from 'prom-client';

const duration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from a request to its answer, by route and status',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});

/** Measures every request. */
export function countRequests(): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    try {
      await next();
    } finally {
      duration.observe(
        { method: ctx.method, route: routeOf(ctx), status: ctx.status },
        (performance.now() - started) / 1000,
      );
    }
  };
}

/** The matched route, never the path itself: paths are without number, and so would the series be. */
function routeOf(ctx: Context): string {
  const { _matchedRoute: matched } = ctx as { _matchedRoute?: unknown };
  return typeof matched === 'string' ? matched : 'other';
}

/** Serves the metrics on a port of their own, on loopback unless a host is given: they are not for the public. */
export async function startMetrics(port: number, host = '127.0.0.1'): Promise<Server> {
  collectDefaultMetrics();
  const server = createServer(async (_, response) => {
    response.setHeader('Content-Type', register.contentType);
    response.end(await register.metrics());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}
