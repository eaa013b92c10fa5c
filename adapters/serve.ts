import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../src/config/config.ts';
import { putOnchain } from '../src/issuing/issue-turn.ts';
import { createContext, type Runtime } from '../src/runtime.ts';
import { provideStarterKit, type StarterKit } from '../src/sandbox/starter-kit.ts';
import { createApp } from './app.ts';
import { answerClientErrors, SERVER_OPTIONS } from './http/client-errors.ts';
import { errorShapes } from './http/error-shape.ts';
import { startMetrics } from './http/metrics.ts';
import { type Jobs, startJobs } from './jobs.ts';
import { type OpenChains, openChains } from './open-chains.ts';
import { createPlainPages } from './plain-pages/plain-pages.ts';
import { type OpenRuntime, openRuntime } from './runtime.ts';
import { syncChains } from './sync-chains.ts';

/** A running server. */
export interface Running {
  opened: OpenRuntime;
  kit: StarterKit | undefined;
  port: number;
  /** Finishes pending requests, within a few seconds, and closes everything. */
  stop(): Promise<void>;
}

/** How long pending answers may take at shutdown. */
const DRAIN_MS = 5_000;
const KEEP_ALIVE_MS = 65_000;

/** Starts the service: chains, HTTP server, metrics, jobs. */
export async function serve(config: Config, opened?: OpenRuntime): Promise<Running> {
  const openedRuntime = opened ?? (await openRuntime(config));
  const { runtime, databaseUrl } = openedRuntime;
  let server: Server | undefined;
  let metrics: Server | undefined;
  let jobs: Promise<Jobs> | undefined;
  let openedChains: OpenChains | undefined;
  let syncing: { stop(): Promise<void> } | undefined;
  async function stop(): Promise<void> {
    if (server) await drain(server);
    metrics?.close();
    await (await jobs?.catch(() => undefined))?.stop();
    await syncing?.stop();
    await openedChains?.close();
    await openedRuntime.close();
  }
  try {
    if (config.surfaces.has('fan') || config.surfaces.has('admin')) {
      openedChains = await openChains(runtime);
      runtime.chains = openedChains.chains;
    }
    const kit = await openSandbox(runtime);
    const app = await createApp(runtime, kit);
    server = createServer(SERVER_OPTIONS, app.callback());
    const pages = await createPlainPages(config);
    answerClientErrors(server, { log: runtime.log, shapeOf: errorShapes(config), pages });
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.listen(config.port, config.host);
    await once(server, 'listening');
    metrics = await startMetricsIfFree(runtime);
    // not awaited: the queue's own tables take a moment, and no request needs them
    jobs = startJobs(runtime, databaseUrl);
    syncing = syncChains(runtime);
    jobs.catch((err: unknown) => runtime.log.error({ err }, 'background jobs did not start'));
    return { opened: openedRuntime, kit, port: (server.address() as AddressInfo).port, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Of several processes on one machine, all but the first run without metrics. */
async function startMetricsIfFree({ config, log }: Runtime): Promise<Server | undefined> {
  return startMetrics(config.metricsPort).catch((err: NodeJS.ErrnoException) => {
    if (err.code !== 'EADDRINUSE') throw err;
    log.error({ port: config.metricsPort }, 'METRICS_PORT is in use: this process has no metrics');
    return undefined;
  });
}

/** The starter kit, on the chain too; where the chain is down, it comes there later. */
async function openSandbox(runtime: Runtime): Promise<StarterKit | undefined> {
  if (runtime.config.production) return undefined;
  const kit = await provideStarterKit(createContext(runtime, null));
  if (runtime.chains.sandbox !== undefined) {
    await putOnchain(createContext(runtime, null), 'sandbox').catch((err: unknown) => {
      runtime.log.error({ err }, 'the sandbox is not onchain yet');
    });
  }
  return kit;
}

async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(timer);
}
