import type { EmbeddedPostgres, EmbeddedPostgresOptions } from '@fan-api/embedded-postgres';
import type { Localnet } from '@fan-api/localnet';
import type { Config } from '../../src/platform/config/config.ts';
import { usesChains } from '../../src/platform/config/values.ts';
import { createLog } from './log.ts';

/** Parts of a start that run outside the main thread while it loads the service. Absent where the process has none. */
export interface BegunParts {
  embedded?: Promise<EmbeddedPostgres>;
  /** Resolves when PostgreSQL starts without further work of this process: loading the service would delay the steps before. */
  launched?: Promise<void>;
  /** Rejects where another process uses the network's folder or port: `openLocalnet` decides then. */
  localnet?: Promise<Localnet>;
}

/**
 * Begins to start the embedded PostgreSQL and the local network. Loading the service takes 0.6 s of one core; both are ready by then.
 * Errors are thrown where a part is awaited.
 */
export function beginParts(config: Config): BegunParts {
  const parts: BegunParts = {};
  if (config.databaseUrl === undefined) {
    const launched = Promise.withResolvers<void>();
    parts.embedded = startEmbedded(config.dataDir, { onWait: launched.resolve });
    parts.launched = launched.promise;
    parts.embedded.then(() => launched.resolve(), launched.resolve);
  }
  if (config.localnet && usesChains(config.surfaces)) parts.localnet = beginLocalnet(config);
  for (const part of [parts.embedded, parts.localnet]) part?.catch(() => {});
  return parts;
}

async function beginLocalnet(config: Config): Promise<Localnet> {
  const { beginLocalnet: begin } = await import('./open-localnet.ts');
  return begin(config, createLog(config.logLevel));
}

/** The database of `DATA_DIR`. Loaded only where it is used: a production install has no PostgreSQL server. */
export async function startEmbedded(dataDir: string, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { startEmbeddedPostgres } = await import('@fan-api/embedded-postgres');
  return startEmbeddedPostgres(dataDir, options);
}
