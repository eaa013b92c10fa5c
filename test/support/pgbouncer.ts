import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from './child.ts';

/** PgBouncer programs: of the path, or those that `PGBOUNCER` names, with a colon between. */
export const PROGRAMS = (process.env.PGBOUNCER ?? 'pgbouncer').split(':').flatMap((program) => {
  const version = versionOf(program);
  return version === undefined ? [] : [{ program, version }];
});

/** @returns the number after `1.`; undefined where there is no such program */
function versionOf(program: string): number | undefined {
  try {
    const [, version] = /PgBouncer 1\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? [];
    return version === undefined ? undefined : Number(version);
  } catch {
    return undefined;
  }
}

export interface Bouncer {
  /** The database behind it. */
  url: string;
  kill(): Promise<void>;
  /** Again, after it was killed. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Puts PgBouncer before a database. @param settings of its `[pgbouncer]` section */
export async function startBouncer(
  program: string,
  databaseUrl: string,
  settings: Record<string, string | number>,
): Promise<Bouncer> {
  const { username, password, hostname, port: serverPort, pathname } = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  // as root, it wants to be another user
  await chmod(folder, 0o755);
  const users = join(folder, 'users.txt');
  await writeFile(users, `"${username}" "${password}"\n`, { mode: 0o644 });
  const port = await freePorts();
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: users,
    max_client_conn: 200,
    ...settings,
  };
  const file = join(folder, 'pgbouncer.ini');
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  await writeFile(
    file,
    ['[databases]', `* = host=${hostname} port=${serverPort}`, '[pgbouncer]', ...lines, ''].join('\n'),
  );
  const asOther = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  let child: ChildProcess;
  async function start(): Promise<void> {
    child = spawn(program, ['-q', ...asOther, file], { stdio: ['ignore', 'inherit', 'inherit'] });
    await untilListening(child, port);
  }
  async function end(...signals: NodeJS.Signals[]): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    for (const signal of signals) child.kill(signal);
    await ended;
  }
  await start();
  return {
    url: `postgres://${username}${password === '' ? '' : `:${password}`}@127.0.0.1:${port}${pathname}`,
    kill: () => end('SIGKILL'),
    start,
    async stop() {
      await end('SIGINT', 'SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with code ${child.exitCode}`);
    const socket = createConnection(port, '127.0.0.1');
    const isUp = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isUp) return;
    await sleep(50);
  }
  throw new Error('PgBouncer does not listen');
}
