import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, register } from 'prom-client';
import type { Runtime } from '../../src/runtime.ts';
import { provideGauges } from './gauges.ts';

/** Serves the metrics of this process on a port of their own, by default on loopback: they are not for the public. */
export async function startMetrics(runtime: Pick<Runtime, 'config' | 'pool'>): Promise<Server> {
  const { metricsPort, metricsHost } = runtime.config;
  const server = createServer(async (_, response) => {
    try {
      const body = await register.metrics();
      response.setHeader('Content-Type', register.contentType).end(body);
    } catch (error) {
      response.writeHead(500).end(`${error instanceof Error ? error.message : 'failed'}\n`);
    }
  });
  server.listen(metricsPort, metricsHost);
  await once(server, 'listening');
  collectDefaultMetrics();
  provideGauges(runtime);
  return server;
}
