import { flushCompileCache } from 'node:module';
import { ConfigError, readConfig } from '../src/config/config.ts';
import { inboxUrl } from './login/inbox.ts';
import { playgroundUrl } from './playground/surface.ts';
import { serve } from './serve.ts';
import { consoleAddress, describeStarterKit, writeStarterKit } from './starter-kit-file.ts';

/** A terminal and systemd signal every process of a group, and npm passes its own signal on: the two are one. */
const ONE_SIGNAL_MS = 1_000;

/** `npm start`: reads the environment, serves until SIGINT or SIGTERM, and prints the starter kit. */
try {
  const config = readConfig(process.env);
  const running = await serve(config);
  const { log } = running.opened.runtime;
  let firstSignalAt: number | undefined;
  const stop = async (signal: string) => {
    if (firstSignalAt !== undefined) {
      if (performance.now() - firstSignalAt < ONE_SIGNAL_MS) return;
      log.warn({ signal }, 'stopped at once');
      process.exit(1);
    }
    firstSignalAt = performance.now();
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
  // before `ready` is printed: a caller that waits for that may stop the process at once
  process.on('SIGINT', () => void stop('SIGINT'));
  process.on('SIGTERM', () => void stop('SIGTERM'));
  if (running.kit) {
    const file = await writeStarterKit(config.dataDir, running.kit);
    const { runtime } = running.opened;
    const addresses = {
      playground: playgroundUrl(runtime),
      inbox: inboxUrl(config),
      console: await consoleAddress(runtime),
    };
    process.stdout.write(describeStarterKit(running.kit, file, addresses));
  }
  log.info({ port: running.port, readyAfterMs: Math.round(performance.now()) }, 'ready');
  // keeps what was compiled, also where this run is killed
  flushCompileCache();
} catch (error) {
  process.stderr.write(error instanceof ConfigError ? `${error.message}\n` : `${describeStartError(error)}\n`);
  process.exit(1);
}

/** The message of an error and of its cause; the stack only of unexpected errors. */
function describeStartError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE' && 'port' in error) {
    return `Port ${String(error.port)} is in use by another process. Stop it, or set PORT (or METRICS_PORT) to a free one.`;
  }
  const cause = error.cause instanceof Error ? `\n  because: ${error.cause.message}` : '';
  return error.name === 'Error' ? `${error.message}${cause}` : `${error.stack ?? error.message}${cause}`;
}
