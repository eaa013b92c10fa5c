import { randomInt } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@fan-api/embedded-postgres';
import pg from 'pg';
import type { StarterKit } from '../../../src/sandbox/starter-kit.ts';
import { type Child, freePortPair, startChild } from './child-process.ts';
import { type NetworkDelays, startNetwork } from './start-network.ts';

/**
 * The service in a process of its own, to be killed, over a real PostgreSQL (fsync on) and a local network in another process, which
 * live on.
 */
export interface KilledService {
  /** The environment of the service. */
  env: Record<string, string>;
  rpcUrl: string;
  rows<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  kit(): Promise<StarterKit>;
  /** Kills it at random moments, with `afterKill` before it is started again. */
  killOver(times: number, afterKill?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** Starts everything. @param delays of the local network */
export async function startKilledService(
  delays: NetworkDelays,
  settings: Record<string, string> = {},
): Promise<KilledService> {
  const folder = await mkdtemp(join(tmpdir(), 'kill-'));
  // as root, PostgreSQL runs as another user, who must be able to come in
  await chmod(folder, 0o755);
  const postgres = await startEmbeddedPostgres(folder);
  const database = new pg.Pool({ connectionString: postgres.url, max: 2 });
  const [port, localnetPort] = [await freePortPair(), await freePortPair()];
  const { rpcUrl, network: localnet } = await startNetwork(localnetPort, folder, delays);
  const kitFile = join(folder, 'data', 'starter-kit.json');
  const env = {
    PORT: String(port),
    METRICS_PORT: '0',
    SANDBOX_RPC_URL: rpcUrl,
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: postgres.url,
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64url'),
    LOG_LEVEL: 'error',
    ACCESS_TOKEN_TTL: '3600',
    FAN_RATE_LIMIT: '100000000',
    ...settings,
  };
  const start = (): Promise<Child> =>
    startChild('adapters/process/main.ts', env, async () => {
      await readFile(kitFile);
      return (await fetch(`http://localhost:${port}/readyz`)).ok;
    });
  let server = await start();
  return {
    env,
    rpcUrl,
    async rows<Row extends object>(text: string, values: unknown[] = []) {
      return (await database.query<Row & Record<string, unknown>>(text, values)).rows;
    },
    kit: async () => JSON.parse(await readFile(kitFile, 'utf8')),
    async killOver(times, afterKill) {
      for (let kill = 0; kill < times; kill++) {
        await sleep(randomInt(300, 2_500));
        await server.kill('SIGKILL');
        await afterKill?.();
        server = await start();
      }
    },
    async stop() {
      await server.kill('SIGTERM');
      await localnet.kill('SIGTERM');
      await database.end();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until a count is 0. @returns after how many seconds, however many are left */
export async function untilNone(count: () => Promise<number>, withinMs: number): Promise<number> {
  const began = performance.now();
  while ((await count()) > 0 && performance.now() - began < withinMs) await sleep(1_000);
  return Math.round((performance.now() - began) / 1000);
}
