import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Fault } from '../fault.ts';
import { freePort } from '../stand/ports.ts';

/** PgBouncer in transaction mode, as `PGBOUNCER` or the path names it. */
const PROGRAM = process.env.PGBOUNCER ?? 'pgbouncer';
const OLDEST = [1, 21] as const;

interface Pooler {
  process: ChildProcess;
  start(): Promise<void>;
}

/** By the folder of their stand. */
const poolers = new Map<string, Pooler>();

export const POOLER_FAULTS: readonly Fault[] = [
  {
    name: 'through PgBouncer in transaction mode: PostgreSQL killed, back after 5 s',
    hits: 'everything',
    ready: 'no',
    holdMs: 5_000,
    skip: whyNoPooler,
    stand: { processes: 2, pooler: startPooler },
    inject: ({ postgres }) => postgres.kill(),
    heal: ({ postgres }) => postgres.start(),
  },
  {
    name: 'PgBouncer killed, back after 3 s',
    hits: 'everything',
    ready: 'either',
    holdMs: 3_000,
    skip: whyNoPooler,
    stand: { processes: 2, pooler: startPooler },
    async inject({ folder }) {
      poolers.get(folder)?.process.kill('SIGKILL');
    },
    heal: async ({ folder }) => poolers.get(folder)?.start(),
  },
];

/** @param target port of PostgreSQL */
async function startPooler(target: number, folder: string): Promise<{ port: number; close(): Promise<void> }> {
  const home = join(folder, 'pooler');
  const port = await freePort();
  await mkdir(home);
  const users = join(home, 'users.txt');
  const file = join(home, 'pgbouncer.ini');
  await writeFile(users, '"fan_api" ""\n');
  await writeFile(
    file,
    `[databases]
fan_api = host=127.0.0.1 port=${target} dbname=fan_api user=fan_api
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
auth_file = ${users}
pool_mode = transaction
max_prepared_statements = 200
default_pool_size = 15
max_client_conn = 200
server_login_retry = 1
`,
  );
  const identity = await ownUser(home);
  const start = async () => {
    const child = spawn(PROGRAM, ['-q', file], { ...identity, stdio: ['ignore', 'ignore', 'ignore'] });
    poolers.set(folder, { process: child, start });
    while (!(await listens(port))) {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended with code ${child.exitCode}`);
      await sleep(50);
    }
  };
  await start();
  return {
    port,
    async close() {
      const child = poolers.get(folder)?.process;
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** PgBouncer refuses to run as root, as PostgreSQL does. */
async function ownUser(folder: string): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const ask = async (flag: string) => Number((await promisify(execFile)('id', [flag, 'postgres'])).stdout);
  const [uid, gid] = [await ask('-u'), await ask('-g')];
  await chown(folder, uid, gid);
  return { uid, gid };
}

async function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function whyNoPooler(): Promise<string | undefined> {
  const said = await promisify(execFile)(PROGRAM, ['--version']).catch(() => undefined);
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(said?.stdout ?? '') ?? [];
  if (major === undefined) return 'there is no PgBouncer here: set PGBOUNCER to one';
  const isOld = Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]);
  return isOld ? `PgBouncer ${major}.${minor} is older than ${OLDEST.join('.')}` : undefined;
}
