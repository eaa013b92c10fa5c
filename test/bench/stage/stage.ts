import { openChains } from '../../../adapters/open-chains.ts';
import { openRuntime } from '../../../adapters/runtime.ts';
import { type Config, readConfig } from '../../../src/config/config.ts';
import { createContext, type ServiceContext } from '../../../src/runtime.ts';
import type { StarterKit } from '../../../src/sandbox/starter-kit.ts';
import { type Market, openMarket } from './market.ts';

/** What prepares the requests of a server: it works on the server's database and cluster, with the server's own code. */
export interface Stage {
  config: Config;
  kit: StarterKit;
  databaseUrl: string;
  /** A context for one piece of work. */
  context(): ServiceContext;
  /** The permits, marketplace and fans of the benches of listings and claims, opened on first use. */
  market(): Promise<Market>;
}

/** @param env the environment of the server */
export async function openStage(env: Record<string, string>, kit: StarterKit): Promise<Stage> {
  const config = readConfig(env);
  const { runtime, databaseUrl } = await openRuntime({ ...config, logLevel: 'silent' }, { share: true });
  let market: Promise<Market> | undefined;
  return {
    config,
    kit,
    databaseUrl,
    context: () => createContext(runtime, null),
    market() {
      market ??= openChains(runtime).then(({ chains }) => openMarket(createContext({ ...runtime, chains }, null), kit));
      return market;
    },
  };
}
