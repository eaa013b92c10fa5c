import cluster from 'node:cluster';
import { flushCompileCache } from 'node:module';
import type { Config } from '../../src/platform/config/config.ts';
import { inboxUrl } from '../fan-pages/login/inbox.ts';
import { servedDocsUrl } from '../http/help-link.ts';
import { playgroundUrl } from '../public/playground/surface.ts';
import type { BegunParts } from './begin-parts.ts';
import { type Running, serve } from './serve.ts';
import { consoleAddress, describeStarterKit, writeStarterKit } from './starter-kit-file.ts';
import { onStopSignals } from './stop-signals.ts';

/**
 * Serves until SIGINT or SIGTERM, and prints the starter kit.
 *
 * A worker treats every signal as the first: a terminal and systemd send theirs to all processes, so only the primary can recognise
 * a second one.
 */
export async function runProcess(config: Config, begun: BegunParts): Promise<void> {
  const { worker } = cluster;
  process.title = worker ? `fan-api: worker ${worker.id}` : 'fan-api';
  const running = await serve(config, { begun });
  const { log } = running.opened.runtime;
  const stop = async (signal: string) => {
    log.info({ signal }, 'stopping');
    const left = await running.stop();
    if (left.length > 0) log.error({ left }, 'stopped before these had ended');
    process.exit(left.length > 0 ? 1 : 0);
  };
  // Node would print such an error with every property that a library attached to it
  const die = (err: unknown) => {
    log.fatal({ err }, 'unexpected error: the process stops');
    process.exit(1);
  };
  process.on('uncaughtException', die);
  // before `ready` is printed: a caller that waits for that may stop the process immediately
  onStopSignals(stop, (signal) => {
    if (worker) return;
    log.warn({ signal }, 'stopped at once');
    process.exit(1);
  });
  process.on('SIGUSR2', () => {
    if (!worker) log.warn('SIGUSR2 restarts workers, and there are none: WORKERS is 1');
  });
  // the first worker is enough to print them
  if (worker === undefined || worker.id === 1) {
    for (const setting of config.formerSettings) {
      log.warn({ setting }, 'a setting of an earlier release has no effect: see CHANGELOG.md');
    }
    await printStarterKit(config, running);
  }
  log.info({ port: running.port, readyAfterMs: Math.round(performance.now()) }, 'ready');
  worker?.send('ready');
  // stores the compiled code, even if this run is killed later
  flushCompileCache();
}

async function printStarterKit(config: Config, { kit, opened: { runtime } }: Running): Promise<void> {
  if (kit === undefined) return;
  const file = await writeStarterKit(config.dataDir, kit);
  const addresses = {
    docs: servedDocsUrl(config),
    playground: playgroundUrl(runtime),
    inbox: inboxUrl(config),
    console: await consoleAddress(runtime),
  };
  process.stdout.write(describeStarterKit(kit, file, addresses));
}
