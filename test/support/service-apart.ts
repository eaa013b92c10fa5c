import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@fan-api/embedded-postgres';
import type { StarterKit } from '../../src/sandbox/starter-kit.ts';
import { answers, type Child, freePorts, type NetworkDelays, startChild, startNetwork } from './child.ts';

/** The service in a process of its own, which can be killed and started again; database and network live on. */
export interface ServiceApart {
  /** The environment of the service. */
  env: Record<string, string>;
  rpcUrl: string;
  kit: StarterKit;
  /** The one that runs now. */
  process: Child;
  /** After the process has ended. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  /** More environment variables. */
  env?: Record<string, string>;
  /** Of Node. */
  flags?: readonly string[];
  /** Of the local network: at once, unless given. */
  delays?: NetworkDelays;
  /** Another PostgreSQL than one of its own. */
  databaseUrl?: string;
  /** A file that runs everything within one process, as `npm start` does without a database. */
  embedded?: string;
}

/** Starts it over a PostgreSQL (fsync on) and a local network, on free ports. */
export async function startServiceApart(options: Options = {}): Promise<ServiceApart> {
  const { env: more = {}, flags = [], delays = { confirmedAfter: 0, finalizedAfter: 0 }, embedded } = options;
  const folder = await mkdtemp(join(tmpdir(), 'fan-api-apart-'));
  // as root, PostgreSQL runs as another user, who must be able to come in
  await chmod(folder, 0o755);
  // the last first
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  try {
    const [port, localnetPort] = [await freePorts(), await freePorts(2)];
    const env: Record<string, string> = {
      PORT: String(port),
      METRICS_PORT: String(await freePorts()),
      LOCALNET_PORT: String(localnetPort),
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'error',
      ACCESS_TOKEN_TTL: '3600',
      FAN_RATE_LIMIT: '100000000',
      ...more,
    };
    if (embedded === undefined) {
      const postgres = options.databaseUrl === undefined ? await startEmbeddedPostgres(folder) : undefined;
      closers.push(async () => postgres?.stop());
      const { rpcUrl, network } = await startNetwork(localnetPort, folder, delays);
      closers.push(() => network.kill('SIGTERM'));
      const databaseUrl = options.databaseUrl ?? postgres?.url;
      Object.assign(env, { DATABASE_URL: databaseUrl, KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64url') });
      Object.assign(env, { SANDBOX_RPC_URL: rpcUrl, SANDBOX_PUBLIC_RPC_URL: rpcUrl });
    }
    const kitFile = join(folder, 'data', 'starter-kit.json');
    const start = () =>
      startChild(embedded ?? 'adapters/process/main.ts', {
        env,
        flags,
        log: join(folder, 'service.log'),
        // it listens a moment before it writes the starter kit
        isReady: async () => existsSync(kitFile) && answers(`http://localhost:${port}/readyz`),
      });
    const service: ServiceApart = {
      env,
      rpcUrl: '',
      process: await start(),
      kit: JSON.parse(await readFile(kitFile, 'utf8')),
      async start() {
        service.process = await start();
      },
      stop,
    };
    closers.push(() => service.process.kill('SIGTERM'));
    return Object.assign(service, { rpcUrl: service.kit.rpc_url ?? env.SANDBOX_RPC_URL ?? '' });
  } catch (error) {
    await stop();
    throw error;
  }
}
