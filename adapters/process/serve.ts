import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { putOnchain } from '../../src/inventory/issuing/issue-turn.ts';
import { storeIssueWhen } from '../../src/inventory/issuing/issue-when.ts';
import { createDeliverer, type Deliverer } from '../../src/partners/notification/deliver-notifications.ts';
import type { Config } from '../../src/platform/config/config.ts';
import { usesChains } from '../../src/platform/config/values.ts';
import { createContext, type Runtime } from '../../src/runtime.ts';
import { provideStarterKit, type StarterKit } from '../../src/sandbox/starter-kit.ts';
import { createApp } from '../app.ts';
import { answerClientErrors, SERVER_OPTIONS } from '../http/client-errors.ts';
import { drain } from '../http/drain.ts';
import { closeIdleConnections } from '../http/idle-connections.ts';
import type { BegunParts } from './begin-parts.ts';
import { type Jobs, keepStartingJobs } from './jobs.ts';
import { type OpenChains, openChains } from './open-chains.ts';
import { type OpenRuntime, openRuntime } from './runtime.ts';
import { syncChains } from './sync-chains.ts';
import { provideMetrics, startMetricsIfFree } from './telemetry/serve-metrics.ts';
import { startTracing } from './telemetry/start-tracing.ts';
import type { Tracing } from './telemetry/tracing.ts';
import { answerMetrics } from './workers/collect-metrics.ts';
import { beat } from './workers/end-hung.ts';

/** A part of a process that has to end when the process stops. */
interface Part {
  /** For the log. */
  name: string;
  end(): Promise<unknown>;
}

/** A running server. */
export interface Running {
  opened: OpenRuntime;
  kit: StarterKit | undefined;
  port: number;
  /** Runs work while nothing syncs with the chain. */
  withoutSync(work: () => Promise<void>): Promise<void>;
  /**
   * Finishes the pending calls and closes everything, within `SHUTDOWN_TIMEOUT`.
   * @returns names of the parts that have not ended by then
   */
  stop(): Promise<string[]>;
}

/** Starts the service: chains, HTTP server, metrics, jobs. @param parts that are already open or begun */
export async function serve(
  config: Config,
  { opened, begun = {} }: { opened?: OpenRuntime; begun?: BegunParts } = {},
): Promise<Running> {
  const openedRuntime = opened ?? (await openRuntime(config, begun));
  const { runtime, databaseUrl } = openedRuntime;
  let traces: Tracing | undefined;
  let server: Server | undefined;
  let metrics: Server | undefined;
  let jobs: Jobs | undefined;
  let openedChains: OpenChains | undefined;
  let syncing: { stop(): Promise<void> } | undefined;
  let deliverer: Deliverer | undefined;
  async function stop(): Promise<string[]> {
    const parts: Part[] = [
      { name: 'calls under way', end: async () => server && (await drain(server)) },
      { name: 'metrics', end: async () => metrics?.close() },
      { name: 'jobs', end: async () => jobs?.stop() },
      { name: 'notifications', end: async () => deliverer?.stop() },
      { name: 'syncing with the chain', end: async () => syncing?.stop() },
      { name: 'chains', end: async () => openedChains?.close() },
      { name: 'database', end: () => openedRuntime.close() },
    ];
    // last: it waits long for a collector that is down
    const tracing = traces;
    if (tracing) parts.push({ name: 'traces', end: () => tracing.stop() });
    return endParts(parts, AbortSignal.timeout(config.shutdownTimeout * 1_000), runtime.log);
  }
  try {
    traces = await startTracing(runtime);
    if (usesChains(config.surfaces)) {
      openedChains = await openChains(runtime, begun);
      runtime.chains = openedChains.chains;
    }
    const kit = await openSandbox(runtime);
    const app = await createApp(runtime, kit);
    server = createServer(SERVER_OPTIONS, app.callback());
    answerClientErrors(server, runtime.log);
    server.keepAliveTimeout = config.keepAliveTimeout * 1_000;
    closeIdleConnections(server);
    server.listen(config.port, config.host);
    await once(server, 'listening');
    provideMetrics(runtime);
    if (cluster.isWorker) {
      answerMetrics();
      beat();
    } else metrics = await startMetricsIfFree(config, runtime.log);
    await storeIssueWhen(runtime);
    jobs = keepStartingJobs(runtime, databaseUrl);
    syncing = syncChains(runtime);
    deliverer = createDeliverer(() => createContext(runtime, null));
    void deliverer.run();
    const withoutSync = async (work: () => Promise<void>) => {
      await syncing?.stop();
      await work().finally(() => {
        syncing = syncChains(runtime);
      });
    };
    return { opened: openedRuntime, kit, port: (server.address() as AddressInfo).port, withoutSync, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Makes the starter kit, also onchain; if the chain is down, that follows later. */
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

/**
 * Ends parts one after the other. A part that fails is skipped; one that hangs delays the others until the deadline at most.
 * @param deadline the end of the time that all have together
 * @returns the names of those that have not ended
 */
async function endParts(parts: readonly Part[], deadline: AbortSignal, log: Runtime['log']): Promise<string[]> {
  const over = new Promise<'over'>((resolve) => {
    deadline.addEventListener('abort', () => resolve('over'), { once: true });
  });
  const left: string[] = [];
  const outcomeOf = ({ name, end }: Part) =>
    end().then(
      () => 'ended',
      (err: unknown) => log.error({ err }, `${name}: failed to end`),
    );
  for (const part of parts) {
    const outcome = deadline.aborted ? 'over' : await Promise.race([outcomeOf(part), over]);
    if (outcome !== 'ended') left.push(part.name);
  }
  return left;
}
