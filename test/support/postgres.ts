import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type PostgresHome, preparePostgresHome } from '../../packages/embedded-postgres/src/postgres-home.ts';
import { freePorts } from './child.ts';

/** A real PostgreSQL (fsync on) that can be stopped, killed, frozen, and copied. */
export interface Postgres {
  port: number;
  /** A superuser's URL of the service's database. */
  url: string;
  start(): Promise<void>;
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** `kill -9` of the postmaster; its children end when they notice. */
  kill(): Promise<void>;
  /** SIGSTOP for all of its processes: connections stay open, and nothing is answered. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  isRunning(): Promise<boolean>;
  /** Its first process. */
  postmaster(): Promise<number>;
  /** Ends it for good, whatever its state. */
  end(): Promise<void>;
  /** A statement on a connection of its own. */
  run<Row extends object>(text: string): Promise<Row[]>;
  /** A synchronous hot standby of this server, which is stopped for the copy. */
  makeReplica(folder: string): Promise<Postgres>;
}

export interface PostgresPlace {
  /** Folder of the programs of another PostgreSQL than the embedded one. */
  programs?: string;
  /** For the write-ahead log, where it is not to be in the folder. */
  walFolder?: string;
  settings?: Record<string, string>;
}

/** Programs of a PostgreSQL of this machine: in `PG_BIN`, or where Debian has them. */
export const INSTALLED_PROGRAMS = process.env.PG_BIN ?? '/usr/lib/postgresql/15/bin';

const run = promisify(execFile);
const USER = 'fan_api';
const RESTART_WITHIN_MS = 30_000;
const CAUGHT_UP_TRIES = 100;

/** Creates a server in a folder, and starts it. */
export async function openPostgres(folder: string, place: PostgresPlace = {}): Promise<Postgres> {
  const { programs } = place;
  const found = await reachable(folder);
  const home = programs === undefined ? found : { ...found, binary: (name: string) => join(programs, name) };
  const wal = place.walFolder === undefined ? [] : ['--waldir', join(place.walFolder, 'wal')];
  await mkdir(home.dataDir, { mode: 0o700 });
  await home.own(home.dataDir);
  if (place.walFolder !== undefined) {
    await chmod(place.walFolder, 0o755);
    await mkdir(join(place.walFolder, 'wal'), { mode: 0o700 });
    await home.own(join(place.walFolder, 'wal'));
  }
  const choices = ['-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C', ...wal];
  await run(home.binary('initdb'), ['-D', home.dataDir, ...choices], { ...home.identity, cwd: '/' });
  const postgres = await describe(home, place.settings ?? {});
  await postgres.start();
  await query(`postgres://${USER}@127.0.0.1:${postgres.port}/postgres`, `create database ${USER}`);
  return postgres;
}

/** As root, PostgreSQL runs as another user, who must be able to come in. */
async function reachable(folder: string): Promise<PostgresHome> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  return preparePostgresHome(folder);
}

async function describe(home: PostgresHome, settings: Record<string, string>): Promise<Postgres> {
  const port = await freePorts();
  const url = `postgres://${USER}@127.0.0.1:${port}/${USER}`;
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '60',
    shared_buffers: '64MB',
    ...settings,
  };
  const flags = Object.entries(all).map(([name, value]) => `-c ${name}='${value}'`);
  const start = async () => {
    const options = ['-w', '-t', '20', '-l', home.logFile, '-o', `-p ${port} ${flags.join(' ')}`];
    // the children of a killed postmaster hold its memory until they notice
    for (const end = performance.now() + RESTART_WITHIN_MS; ; await sleep(200)) {
      const failed = await pgCtl(home, ['start', ...options]).catch((error: Error) => error);
      if (!failed) return;
      if (performance.now() < end) continue;
      const log = await readFile(home.logFile, 'utf8').catch(() => 'no log');
      throw new Error(`${failed.message}; the log ends with: ${log.slice(-500)}`);
    }
  };
  const stop = (mode: 'fast' | 'immediate') => pgCtl(home, ['stop', '-m', mode, '-w', '-t', '30']);
  return {
    port,
    url,
    start,
    stop,
    async kill() {
      process.kill(await postmasterOf(home), 'SIGKILL');
    },
    async freeze() {
      for (const pid of await processesOf(home)) signal(pid, 'SIGSTOP');
    },
    async thaw() {
      for (const pid of (await processesOf(home)).toReversed()) signal(pid, 'SIGCONT');
    },
    isRunning: () => isRunning(home),
    postmaster: () => postmasterOf(home),
    async end() {
      for (const pid of await processesOf(home).catch(() => [])) signal(pid, 'SIGKILL');
      while (await isRunning(home)) await sleep(50);
    },
    run: (text) => query(url, text),
    async makeReplica(folder) {
      const copy = await reachable(folder);
      await stop('fast');
      await run('cp', ['-a', home.dataDir, copy.dataDir]);
      await start();
      await writeFile(join(copy.dataDir, 'standby.signal'), '');
      await home.own(join(copy.dataDir, 'standby.signal'));
      const conninfo = `host=127.0.0.1 port=${port} user=${USER} application_name=replica`;
      await appendFile(join(copy.dataDir, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
      const replica = await describe(copy, settings);
      await replica.start();
      // from now on a commit is answered once the replica has it
      await query(url, `alter system set synchronous_standby_names = '*'`);
      await query(url, 'select pg_reload_conf()');
      await untilFollowed(url);
      return replica;
    },
  };
}

async function postmasterOf(home: PostgresHome): Promise<number> {
  const [pid] = (await readFile(join(home.dataDir, 'postmaster.pid'), 'utf8')).split('\n');
  return Number(pid);
}

async function processesOf(home: PostgresHome): Promise<number[]> {
  const pid = await postmasterOf(home);
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.trim().split(/\s+/).filter(Boolean).map(Number)];
}

async function isRunning(home: PostgresHome): Promise<boolean> {
  return pgCtl(home, ['status']).then(
    () => true,
    () => false,
  );
}

/** A process may have ended by itself meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 60_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row & Record<string, unknown>>(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function untilFollowed(url: string): Promise<void> {
  const isFollowed = `select exists (
    select 1 from pg_stat_replication where sync_state = 'sync' and state = 'streaming') as yes`;
  for (let tries = 0; tries < CAUGHT_UP_TRIES; tries++) {
    const [row] = await query<{ yes: boolean }>(url, isFollowed);
    if (row?.yes) return;
    await sleep(100);
  }
  throw new Error('the replica does not follow');
}

async function pgCtl(home: PostgresHome, args: string[]): Promise<void> {
  // its server inherits its streams: a pipe would keep this call waiting for as long as the server lives
  await new Promise<void>((resolve, reject) => {
    // a server that connects to another one looks for certificates there, and must not in the home of root
    const env = { ...process.env, HOME: home.dataDir };
    const options = { ...home.identity, env, cwd: '/' };
    const child = execFile(home.binary('pg_ctl'), ['-D', home.dataDir, '-s', ...args], options);
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`pg_ctl ${args[0]}: exit code ${code}`))));
  });
}
