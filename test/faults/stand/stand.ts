import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOCAL_PROGRAM_ID } from '@fan-api/ticket-program/local-keys';
import type { StarterKit } from '../../../src/sandbox/starter-kit.ts';
import { answers, type Child, freePorts, type NetworkDelays, startChild, startNetwork } from '../../support/child.ts';
import { openPostgres, type Postgres, type PostgresPlace } from '../../support/postgres.ts';
import { type RpcProxy, startRpcProxy } from '../../support/rpc-proxy.ts';
import { openWire, type Wire } from '../../support/wire.ts';

/** A process of the service. */
export interface Service {
  port: number;
  start(): Promise<void>;
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Resolves when it has ended: after how many milliseconds, and with which code (null: by a signal). */
  ended(): Promise<{ ms: number; code: number | null }>;
  isRunning(): boolean;
}

/** The real parts of one row: PostgreSQL behind a wire, a Solana network behind a proxy, and processes of the service. */
export interface Stand {
  folder: string;
  postgres: Postgres;
  replica: Postgres | undefined;
  /** The server that is written to now. */
  current: Postgres;
  wire: Wire;
  rpc: RpcProxy;
  /** The network itself, for the partner and the judge. */
  rpcUrl: string;
  services: Service[];
  kit: StarterKit;
  /** Addresses of the kit's permits. */
  permits: string[];
  /** What a row saw beyond the calls, for the table. */
  notes: string[];
  /** What a row saw that must not be. */
  problems: string[];
  close(): Promise<void>;
}

export interface StandOptions {
  processes?: number;
  replica?: boolean;
  /** More environment variables, of all or of each process. */
  env?: Record<string, string> | ((index: number) => Record<string, string>);
  /** How many slots the commitments of the network take: none unless given. */
  network?: NetworkDelays;
  /** Another file than `adapters/process/main.ts`, of all or of each process. */
  entry?: string | ((index: number) => string);
  /** Prepares where PostgreSQL keeps its data, and tidies up. */
  place?: (folder: string) => Promise<PostgresPlace & { folder?: string; close(): Promise<void> }>;
  /** Another server than one of its own. */
  server?: () => Promise<{ postgres: Postgres; close(): Promise<void> }>;
  /** Somebody else whom the service calls. @returns the variables that name them */
  beside?: () => Promise<{ env(origin: string): Record<string, string>; close(): Promise<void> }>;
  /** Stands between the wire and the service. @returns the address that the service connects to */
  pooler?: (databaseUrl: string, folder: string) => Promise<{ url: string; close(): Promise<void> }>;
}

const KIT_TRIES = 100;

/** Where the logs of the last run are. */
export const LOG_FOLDER = join(tmpdir(), 'fan-api-faults');

export async function openStand(name: string, options: StandOptions): Promise<Stand> {
  const folder = await mkdtemp(join(tmpdir(), 'faults-'));
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const step of closing.toReversed()) await step().catch((error: unknown) => console.error(name, error));
  };
  try {
    // as root, PostgreSQL runs as another user, who must be able to come in
    await chmod(folder, 0o755);
    const place = await options.place?.(folder);
    if (place) closing.push(place.close);
    const server = await options.server?.();
    const postgres = server?.postgres ?? (await openPostgres(place?.folder ?? join(folder, 'first'), place));
    closing.push(server?.close ?? (() => postgres.end()));
    const replica = options.replica ? await postgres.makeReplica(join(folder, 'second')) : undefined;
    if (replica) closing.push(() => replica.end());
    const wire = await openWire(postgres.url);
    closing.push(() => wire.close());
    const pooler = await options.pooler?.(wire.url, folder);
    if (pooler) closing.push(pooler.close);
    const { rpcUrl, network } = await startNetwork(await freePorts(2), folder, {
      confirmedAfter: 0,
      finalizedAfter: 0,
      ...options.network,
    });
    closing.push(() => network.kill('SIGTERM'));
    const rpc = await startRpcProxy(rpcUrl);
    closing.push(() => rpc.stop());

    await mkdir(LOG_FOLDER, { recursive: true });
    const beside = await options.beside?.();
    if (beside) closing.push(beside.close);
    const to = { database: pooler?.url ?? wire.url, rpc: rpc.url, ...(beside && { beside: beside.env }) };
    const services = await describeServices(name, folder, options, to);
    closing.push(async () => {
      for (const service of services) service.signal('SIGKILL');
      for (const service of services) await service.ended();
    });
    for (const service of services) await service.start();
    const kit = await readKit(join(folder, 'data', 'starter-kit.json'));
    const permits = await postgres.run<{ tix_permit_id: string }>('select tix_permit_id from permit order by id');
    return {
      ...{ folder, postgres, replica, current: postgres, wire, rpc, rpcUrl, services, kit, close },
      permits: permits.map(({ tix_permit_id }) => tix_permit_id),
      notes: [],
      problems: [],
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The service listens a moment before it writes the kit. */
async function readKit(file: string): Promise<StarterKit> {
  for (let tries = 1; ; tries++) {
    try {
      return JSON.parse(await readFile(file, 'utf8')) as StarterKit;
    } catch (error) {
      if (tries >= KIT_TRIES) throw error;
      await sleep(100);
    }
  }
}

/** They have one address, as behind a load balancer; the tokens of one are good in the others. */
async function describeServices(
  name: string,
  folder: string,
  options: StandOptions,
  to: { database: string; rpc: string; beside?: (origin: string) => Record<string, string> },
): Promise<Service[]> {
  const { processes = 1, env = {}, entry = 'adapters/process/main.ts' } = options;
  const first = await freePorts(processes);
  const origin = `http://127.0.0.1:${first}`;
  // the others are told once, for what they register
  const others = to.beside?.(origin) ?? {};
  const services: Service[] = [];
  for (let index = 0; index < processes; index++) {
    const all = {
      PORT: String(first + index),
      METRICS_PORT: String(await freePorts()),
      SANDBOX_RPC_URL: to.rpc,
      SANDBOX_PROGRAM_ID: LOCAL_PROGRAM_ID,
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: to.database,
      KEY_ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64url'),
      LOG_LEVEL: 'warn',
      ACCESS_TOKEN_TTL: '3600',
      FAN_RATE_LIMIT: '100000000',
      AUTH_URL: origin,
      API_URL: `${origin}/fan`,
      LOGIN_URL: `${origin}/login`,
      ADMIN_URL: `${origin}/admin`,
      ...others,
      ...(typeof env === 'function' ? env(index) : env),
    };
    const log = join(LOG_FOLDER, `${name.replaceAll(/\W+/g, '-')}.${index}.log`);
    await rm(log, { force: true });
    services.push(describeService(typeof entry === 'function' ? entry(index) : entry, first + index, all, log));
  }
  return services;
}

function describeService(entry: string, port: number, env: Record<string, string>, log: string): Service {
  let child: Child | undefined;
  return {
    port,
    isRunning: () => child?.isRunning() ?? false,
    async start() {
      // it listens; what it lacks is for `/readyz` to say
      const isReady = () => answers(`http://127.0.0.1:${port}/healthz`);
      child = await startChild(entry, { env, log, isReady });
    },
    signal: (signal) => child?.signal(signal),
    async ended() {
      const began = performance.now();
      const code = (await child?.ended()) ?? null;
      return { ms: performance.now() - began, code };
    },
  };
}
