import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../../src/platform/config/config.ts';
import type { Postgres } from '../support/postgres.ts';
import { startServiceApart } from '../support/service-apart.ts';
import type { Load } from './load.ts';
import type { PathName } from './paths.ts';
import { parentOf } from './process-figures.ts';
import { openStage, type Stage } from './stage.ts';

/** One of those that are measured in turns: our server, the floor, the peer. */
export interface Side {
  name: 'ours' | 'floor' | 'peer';
  /** Of its HTTP server. */
  origin: string;
  /** Its process; its CPU time is that of the whole tree. */
  pid: number;
  /** The first process of its PostgreSQL. */
  database: number;
  /** All nodes of a database that has several, the one that the service connects to first. */
  nodes?: readonly Postgres[];
  /** @param count how many requests, where each may be sent once. @returns undefined where the side does not have the path */
  prepare(path: PathName, count: number): Promise<Load | undefined>;
  stop(): Promise<void>;
}

/** The real server in a process of its own, and what prepares its requests. */
export interface Server extends Side {
  config: Config;
  stage: Stage;
  rpcUrl: string;
  prepare(path: PathName, count: number): Promise<Load>;
}

interface ServerOptions {
  /** Beside the server, so that their CPU time and memory are not the server's; or all within it, as `npm start` has it. */
  parts?: 'apart' | 'embedded';
  /** More environment variables. */
  env?: Record<string, string>;
  /** Another PostgreSQL than one of its own. */
  databaseUrl?: string;
}

/** What `npm start` gives Node. */
const flags = /exec node (.*) adapters\/process\/main\.ts/.exec(packageJson.scripts.start)?.[1]?.split(' ') ?? [];

/** Starts the server on free ports, over a database of its own. @throws Error where it does not become ready */
export async function openServer({ parts = 'apart', env = {}, databaseUrl }: ServerOptions = {}): Promise<Server> {
  const service = await startServiceApart({
    env,
    flags,
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(parts === 'embedded' && { embedded: 'test/bench/embedded-main.ts' }),
  });
  const stage = await openStage(service.env, service.kit);
  return {
    name: 'ours',
    origin: new URL(stage.config.authUrl).origin,
    pid: service.process.pid,
    database: await parentOf(stage.backend),
    config: stage.config,
    stage,
    rpcUrl: service.rpcUrl,
    prepare: stage.prepare,
    async stop() {
      await stage.close();
      await service.stop();
    },
  };
}
