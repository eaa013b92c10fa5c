import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/start-embedded-postgres.ts';

const IS_ROOT = process.getuid?.() === 0;
/** The user `nobody` of Debian and its like. */
const NOBODY = 65_534;
/** Each test brings up servers and processes; a busy machine takes its time. */
const PATIENCE_MS = 90_000;

let folder: string;
let dataDir: string;
let servers: EmbeddedPostgres[];
let children: ChildProcess[];
let leftOver: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fan-api-embedded-'));
  await chmod(folder, 0o755);
  dataDir = join(folder, 'data');
  servers = [];
  children = [];
  leftOver = [folder];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const server of servers) await server.stop();
  for (const path of leftOver) await rm(path, { recursive: true, force: true });
});

async function start(options = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(dataDir, options);
  servers.push(server);
  return server;
}

async function query(server: EmbeddedPostgres, text: string) {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function acknowledgedIn(server: EmbeddedPostgres): Promise<number[]> {
  return (await query(server, 'select n from acknowledged order by n')).map(({ n }) => n);
}

function spawnWriter(args: string[], uid?: number): ChildProcess {
  const child = spawn(
    'node_modules/.bin/node',
    [join(import.meta.dirname, 'write-until-killed.ts'), dataDir, ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(uid !== undefined && { uid, gid: uid, env: { PATH: process.env.PATH, HOME: folder } }),
    },
  );
  children.push(child);
  return child;
}

/** Kills the writer once it has printed so many numbers. @returns what it had printed */
async function killAfter(count: number): Promise<number[]> {
  const child = spawnWriter([]);
  const printed: number[] = [];
  if (!child.stdout) throw new Error('the child has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    printed.push(Number(line));
    if (printed.length === count) child.kill('SIGKILL');
  }
  return printed;
}

describe('D-004, D-005: the embedded PostgreSQL', { timeout: PATIENCE_MS }, () => {
  it('starts on an empty folder and keeps its data over stop and start', async () => {
    const first = await start();
    await query(first, 'create table kept (n int); insert into kept values (42)');
    await first.stop();
    await first.stop();
    const second = await start();
    expect(await query(second, 'select n from kept')).toEqual([{ n: 42 }]);
  });

  it('is durable (fsync, full_page_writes, synchronous_commit) and listens on loopback and in its own folder only', async () => {
    const server = await start();
    const [settings] = await query(
      server,
      `select current_setting('fsync') f, current_setting('full_page_writes') p, current_setting('synchronous_commit') c,
         current_setting('listen_addresses') l, current_setting('unix_socket_directories') u`,
    );
    expect(settings).toEqual({ f: 'on', p: 'on', c: 'on', l: '127.0.0.1', u: '.' });
  });

  it('is reached over a unix socket that only its user can reach, and over TCP', async () => {
    const server = await start();
    const socket = new URL(server.url).searchParams.get('host') ?? '';
    expect(socket).toBe(join(dataDir, 'postgres'));
    expect((await stat(socket)).mode & 0o777).toBe(0o700);
    const [over] = await query(server, 'select inet_server_addr() as address');
    expect(over).toEqual({ address: null });
    const overTcp = { ...server, url: Object.assign(new URL(server.url), { search: '' }).href };
    expect(await query(overTcp, 'select host(inet_server_addr()) as address')).toEqual([{ address: '127.0.0.1' }]);
  });

  it('is reached over TCP where its path is too long for a socket', async () => {
    dataDir = join(folder, 'long'.repeat(25));
    const server = await start();
    expect(new URL(server.url).search).toBe('');
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('lets nobody in without the password, which only the owner of the folder can read', async () => {
    const server = await start();
    const withoutPassword = Object.assign(new URL(server.url), { password: 'guess' }).href;
    const client = new pg.Client({ connectionString: withoutPassword });
    await expect(client.connect()).rejects.toThrow(/password authentication failed/);
    const file = join(dataDir, 'postgres-password');
    expect(decodeURIComponent(new URL(server.url).password)).toBe(await readFile(file, 'utf8'));
  });

  it('kill -9: the next start takes the running server over, with everything that was acknowledged', async () => {
    const printed = await killAfter(25);
    const serverBefore = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0];
    const server = await start();
    const serverAfter = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0];
    expect(serverAfter).toBe(serverBefore);
    expect(await acknowledgedIn(server)).toEqual(expect.arrayContaining(printed));
    expect(printed.length).toBeGreaterThanOrEqual(25);
  });

  it('a second process on the folder is refused in clear words, and the first goes on', async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(
      /^Another process is using .*data\/postgres\. Stop it, set DATA_DIR to another folder, or .*DATABASE_URL\.$/,
    );
    expect(await query(first, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('a command beside a running process shares its server and leaves it running', async () => {
    const first = await start();
    const command = await start({ share: true });
    expect(command.url).toBe(first.url);
    await command.stop();
    expect(await query(first, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('a command where no process runs brings the server up and stops it again', async () => {
    const command = await start({ share: true });
    expect(await query(command, 'select 1 as one')).toEqual([{ one: 1 }]);
    await command.stop();
    await expect(query(command, 'select 1')).rejects.toThrow(/ECONNREFUSED|ENOENT/);
  });

  it('two processes at once on an empty folder: one gets it, the other is refused, nothing is broken', async () => {
    const outcomes = await Promise.allSettled([start(), start()]);
    const [refused] = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(String(refused?.reason)).toContain('Another process is using');
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [server] = servers;
    if (!server) throw new Error('nobody got the folder');
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres-password']);
  });

  it('an initdb that was interrupted is begun anew', async () => {
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    const server = await start();
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe.runIf(IS_ROOT)('as root', { timeout: PATIENCE_MS }, () => {
  it('a folder that the user postgres can not reach: the data lives under /var/lib/fan-api, and it is told', async () => {
    await chmod(folder, 0o700);
    const first = await start();
    const base = join('/var/lib/fan-api', await readFile(join(dataDir, 'postgres-folder'), 'utf8'));
    leftOver.push(base);
    expect(first.notice).toContain(`can't reach ${dataDir}: its data is in ${base}/postgres`);
    await query(first, 'create table kept (n int); insert into kept values (7)');
    await first.stop();
    const second = await start();
    expect(await query(second, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  it('whoever deletes the data folder begins anew, also where the data lived elsewhere', async () => {
    await chmod(folder, 0o700);
    const first = await start();
    leftOver.push(join('/var/lib/fan-api', await readFile(join(dataDir, 'postgres-folder'), 'utf8')));
    await query(first, 'create table kept (n int)');
    await first.stop();
    await rm(dataDir, { recursive: true });
    const second = await start();
    leftOver.push(join('/var/lib/fan-api', await readFile(join(dataDir, 'postgres-folder'), 'utf8')));
    expect(await query(second, "select to_regclass('kept') as kept")).toEqual([{ kept: null }]);
  });

  it('a folder that it can reach has nothing to tell', async () => {
    expect((await start()).notice).toBeUndefined();
  });

  it('a pid file left by a crash, whose number another process has by now, is told in clear words', async () => {
    await (await start()).stop();
    const { uid, gid } = await stat(join(dataDir, 'postgres'));
    const other = spawn('sleep', ['60'], { uid, gid });
    children.push(other);
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    await writeFile(pidFile, `${other.pid}\n${dataDir}/postgres\n0\n1\n\n127.0.0.1\n\nready\n`);
    await chown(pidFile, uid, gid);
    await expect(start()).rejects.toThrow(`${pidFile} names a process that runs, but no PostgreSQL answers.`);
    other.kill();
    await once(other, 'exit');
    expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('the same as an ordinary user', async () => {
    await chown(folder, NOBODY, NOBODY);
    for (const expected of [1, 11]) {
      const child = spawnWriter(['once'], NOBODY);
      const lines: string[] = [];
      if (!child.stdout) throw new Error('the child has no output');
      const ended = once(child, 'exit');
      for await (const line of createInterface({ input: child.stdout })) lines.push(line);
      expect(await ended).toEqual([0, null]);
      expect(lines.map(Number)).toEqual(Array.from({ length: 10 }, (_, i) => expected + i));
    }
  });
});
