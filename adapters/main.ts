import { flushCompileCache } from 'node:module';
import { ConfigError, readConfig } from '../src/config/config.ts';
import { consoleAddress } from './admin/console-address.ts';
import { inboxUrl } from './login/inbox.ts';
import { playgroundUrl } from './playground/surface.ts';
import { serve } from './serve.ts';
import { describeStarterKit, writeStarterKit } from './starter-kit-file.ts';

/** `npm start`: reads the environment, serves until SIGINT or SIGTERM, and says what a newcomer needs to know. */
try {
  const config = readConfig(process.env);
  const running = await serve(config);
  const { log } = running.opened.runtime;
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    await running.stop();
    process.exit(0);
  };
  // Node would print such an error with all that a library hangs on it
  const die = (err: unknown) => {
    log.fatal({ err }, 'the process ends: an error that nobody expected');
    process.exit(1);
  };
  process.on('uncaughtException', die);
  // before anybody is told that it is ready: whoever waits for that may end it at once
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
  // what was compiled is kept at once, also for a first run that is killed
  flushCompileCache();
} catch (error) {
  process.stderr.write(error instanceof ConfigError ? `${error.message}\n` : `${explain(error)}\n`);
  process.exit(1);
}

/** The message of an error and of what caused it; the stack only where it may be a fault of ours. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE' && 'port' in error) {
    return `Port ${String(error.port)} is in use: another server runs there. Stop it, or set PORT (or METRICS_PORT) to a free one.`;
  }
  const cause = error.cause instanceof Error ? `\n  because: ${error.cause.message}` : '';
  return error.name === 'Error' ? `${error.message}${cause}` : `${error.stack ?? error.message}${cause}`;
}
