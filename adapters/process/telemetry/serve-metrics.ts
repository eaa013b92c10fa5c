import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Logger } from 'pino';
import { collectDefaultMetrics, register } from 'prom-client';
import type { Config } from '../../../src/platform/config/config.ts';
import type { Runtime } from '../../../src/runtime.ts';
import { provideGauges } from './gauges.ts';

type Address = Pick<Config, 'metricsPort' | 'metricsHost'>;

/** Adds what a serving process has beyond its counters: the figures of Node, and gauges that are read at each scrape. */
export function provideMetrics(runtime: Pick<Runtime, 'config' | 'pool'>): void {
  collectDefaultMetrics();
  provideGauges(runtime);
}

/**
 * Serves metrics on a port of their own, by default on loopback: they are not for the public.
 * @param read all of them as text; by default those of this process
 */
export async function startMetrics(
  { metricsPort, metricsHost }: Address,
  read = () => register.metrics(),
): Promise<Server> {
  const server = createServer(async (_, response) => {
    try {
      const body = await read();
      response.setHeader('Content-Type', register.contentType).end(body);
    } catch (error) {
      response.writeHead(500).end(`${error instanceof Error ? error.message : 'failed'}\n`);
    }
  });
  server.listen(metricsPort, metricsHost);
  await once(server, 'listening');
  return server;
}

/** Of several processes on one machine, all but the first run without metrics. */
export async function startMetricsIfFree(
  address: Address,
  log: Logger,
  read?: () => Promise<string>,
): Promise<Server | undefined> {
  return startMetrics(address, read).catch((err: NodeJS.ErrnoException) => {
    if (err.code !== 'EADDRINUSE') throw err;
    log.error({ port: address.metricsPort }, 'METRICS_PORT is in use: this process has no metrics');
    return undefined;
  });
}
