import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../src/entities/migrate.ts';
import { INSTALLED_PROGRAMS, openPostgres, type Postgres } from './postgres.ts';

/** Why no Citus can be started here; undefined where one can. */
export const NO_CITUS = whyNot();

function whyNot(): string | undefined {
  const missing = `no PostgreSQL with citus in ${INSTALLED_PROGRAMS}: set PG_BIN to the folder of its programs`;
  try {
    const folder = execFileSync(join(INSTALLED_PROGRAMS, 'pg_config'), ['--pkglibdir'], { encoding: 'utf8' }).trim();
    return existsSync(join(folder, 'citus.so')) ? undefined : missing;
  } catch {
    return missing;
  }
}

/** What every node needs. `logical`: a shard moves while it is written. */
const SETTINGS = {
  shared_preload_libraries: 'citus',
  max_prepared_transactions: '200',
  max_connections: '200',
  wal_level: 'logical',
};

/** All of the log on one worker. By its `id` over all of them, pages that read it are refused (docs/runbook/scaling.md). */
export const MOVE_LOG = `select create_distributed_table('request_log', null)`;

/** The counts of the charts, to the log: one statement writes all three. Only after `MOVE_LOG`. */
export const MOVE_COUNTS = ['traffic', 'latency']
  .map((table) => `select create_distributed_table('${table}', null, colocate_with => 'request_log')`)
  .join('; ');

/** Where the log is: the worker's port, and the number of its first shard. */
const PLACE_OF_LOG = `select nodeport as port, shardid::int as shard from citus_shards where table_name = 'request_log'::regclass`;

/** A coordinator, which the service connects to, and its workers. */
export interface Citus {
  coordinator: Postgres;
  workers: Postgres[];
  /** Starts one more worker, without shards. */
  addWorker(): Promise<Postgres>;
  /** The worker that has the log, and the number of its shard. */
  placeOfLog(): Promise<{ worker: Postgres; shard: number }>;
  close(): Promise<void>;
}

/** Starts the nodes on free ports of this machine, without the schema. */
export async function startCitus(workers = 2): Promise<Citus> {
  const folder = await mkdtemp(join(tmpdir(), 'fan-api-citus-'));
  // as root, PostgreSQL runs as another user, who must be able to come in
  await chmod(folder, 0o755);
  const nodes: Postgres[] = [];
  const startNode = async () => {
    const place = { programs: INSTALLED_PROGRAMS, settings: SETTINGS };
    const node = await openPostgres(join(folder, `node-${nodes.length}`), place);
    nodes.push(node);
    await node.run('create extension citus');
    return node;
  };
  const close = async () => {
    for (const node of nodes) await node.end();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const coordinator = await startNode();
    await coordinator.run(`select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
    const citus: Citus = {
      coordinator,
      workers: [],
      async addWorker() {
        const worker = await startNode();
        await coordinator.run(`select citus_add_node('127.0.0.1', ${worker.port})`);
        citus.workers.push(worker);
        return worker;
      },
      async placeOfLog() {
        const [place] = await coordinator.run<{ port: number; shard: number }>(PLACE_OF_LOG);
        const worker = citus.workers.find(({ port }) => port === place?.port);
        if (worker === undefined) throw new Error('the log is on no worker');
        return { worker, shard: place?.shard ?? 0 };
      },
      close,
    };
    for (let count = 0; count < workers; count += 1) await citus.addWorker();
    return citus;
  } catch (error) {
    await close();
    throw error;
  }
}

/** As `startCitus`, with the schema, and the log on a worker. */
export async function startWithLogMoved(): Promise<Citus> {
  const citus = await startCitus();
  await migrate(citus.coordinator.url, () => {});
  await citus.coordinator.run(MOVE_LOG);
  return citus;
}
