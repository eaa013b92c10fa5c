import { openChains } from '../../../adapters/process/open-chains.ts';
import { openRuntime } from '../../../adapters/process/runtime.ts';
import { type Config, readConfig } from '../../../src/platform/config/config.ts';
import { createContext, type ServiceContext } from '../../../src/runtime.ts';
import type { StarterKit } from '../../../src/sandbox/starter-kit.ts';
import type { Load } from '../load.ts';
import { type PathName, pathOf } from '../paths/all.ts';
import { type Market, openMarket } from './market.ts';

/** What prepares the requests of a server: it works on the server's database and cluster, with the server's own code. */
export interface Stage {
  config: Config;
  kit: StarterKit;
  databaseUrl: string;
  /** Process of a connection to the database. */
  backend: number;
  /** A context for one piece of work. */
  context(): ServiceContext;
  /** The permits, marketplace and fans of the benches of listings and claims, opened on first use. */
  market(): Promise<Market>;
  /** @param count how many requests, where each may be sent once */
  prepare(path: PathName, count: number): Promise<Load>;
  close(): Promise<void>;
}

/** @param env the environment of the server */
export async function openStage(env: Record<string, string>, kit: StarterKit): Promise<Stage> {
  const config = readConfig(env);
  const { runtime, databaseUrl, close } = await openRuntime({ ...config, logLevel: 'silent' }, { share: true });
  const context = () => createContext(runtime, null);
  const { rows } = await context().pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  let market: Promise<Market> | undefined;
  const stage: Stage = {
    config,
    kit,
    databaseUrl,
    backend: rows[0]?.pid ?? 0,
    context,
    market() {
      market ??= openChains(runtime).then(({ chains }) => openMarket(createContext({ ...runtime, chains }, null), kit));
      return market;
    },
    prepare: (path, count) => pathOf(path).prepare(stage, count),
    close,
  };
  return stage;
}
