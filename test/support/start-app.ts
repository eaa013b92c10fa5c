import { createServer } from 'node:http';
import type { DestinationStream } from 'pino';
import { createApp } from '../../adapters/app.ts';
import { answerClientErrors, SERVER_OPTIONS } from '../../adapters/http/client-errors.ts';
import { closeIdleConnections } from '../../adapters/http/idle-connections.ts';
import { createLog } from '../../adapters/process/log.ts';
import { openRuntime } from '../../adapters/process/runtime.ts';
import type { CodeLimits, Config } from '../../src/platform/config/config.ts';
import { readConfig } from '../../src/platform/config/read-config.ts';
import { createContext, type Runtime, type ServiceContext } from '../../src/runtime.ts';
import { provideStarterKit, type StarterKit } from '../../src/sandbox/starter-kit.ts';
import { createDatabase } from './database.ts';
import { listen } from './listen.ts';

/** The whole service on a free port, over a database of its own, with a clock that the test can move. */
export interface TestApp {
  runtime: Runtime;
  config: Config;
  kit: StarterKit;
  /** Origin of every surface: `http://localhost:<port>`. */
  origin: string;
  /** Moves the clock of the service on by some seconds. */
  advance(seconds: number): void;
  /** Sets the clock back to the real time. */
  resetClock(): void;
  /** A context for calling domain functions directly. */
  context(): ServiceContext;
  stop(): Promise<void>;
}

export interface TestAppOptions {
  /** More environment variables, or how they follow from the port. */
  env?: Record<string, string> | ((port: number) => Record<string, string>);
  /** Other limits on codes by SMS than the wide ones of tests. */
  codeLimits?: Partial<CodeLimits>;
  /** Refused token requests per minute and address, instead of the service's own. */
  tokenFailureLimit?: number;
  /** Share a database with another app (many processes over one PostgreSQL). */
  databaseUrl?: string;
  /** Where the log goes, with all its levels; standard output by default. */
  logTo?: DestinationStream;
  /** Seconds that the clock of its machine is ahead of the right time. */
  clockAhead?: number;
}

/** 32 bytes; the same in every app, as in processes over one database. */
export const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64url');

/** All tests come from one address; those of the limits themselves set their own. */
const WIDE_LIMITS: Partial<CodeLimits> = { perPhone: 1000, perRange: 1000, perAddress: 1000, breakerPercent: 0 };

export async function startApp(options: TestAppOptions = {}): Promise<TestApp> {
  // callers share this thread: where it stands still for a while, a connection that ends meanwhile would fail their next call
  const server = createServer({ ...SERVER_OPTIONS, keepAliveTimeout: 120_000 });
  const { port, stop } = await listen(server, '::');
  const database = options.databaseUrl === undefined ? await createDatabase() : undefined;
  const config = readConfig({
    PORT: String(port),
    DATABASE_URL: options.databaseUrl ?? database?.url,
    KEY_ENCRYPTION_KEY,
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    ...(typeof options.env === 'function' ? options.env(port) : options.env),
  });
  Object.assign(config.codeLimits, WIDE_LIMITS, options.codeLimits);
  config.tokenFailureLimit = options.tokenFailureLimit ?? config.tokenFailureLimit;
  // one process sees what it armed at once
  config.simulationSpreadMs = 0;
  const log = options.logTo ? createLog('trace', options.logTo) : createLog(config.logLevel);
  const { clockAhead } = options;
  const wallClock = () => Date.now() + (clockAhead ?? 0) * 1000;
  const opened = await openRuntime(config, { log, wallClock });
  // the time of this process, so that a test can set it, but where the test is about clocks
  const time = clockAhead === undefined ? () => new Date() : opened.runtime.now;
  let aheadMs = 0;
  const runtime = Object.assign(opened.runtime, { now: () => new Date(time().getTime() + aheadMs) });
  const kit = await provideStarterKit(createContext(runtime, null));
  if (!kit) throw new Error('a test database begins with the starter kit');
  answerClientErrors(server, log);
  closeIdleConnections(server);
  server.on('request', (await createApp(runtime, kit)).callback());
  return {
    runtime,
    config,
    kit,
    origin: `http://localhost:${port}`,
    advance: (seconds) => {
      aheadMs += seconds * 1000;
    },
    resetClock: () => {
      aheadMs = 0;
    },
    context: () => createContext(runtime, null),
    async stop() {
      await stop();
      await opened.close();
      await database?.drop();
    },
  };
}
