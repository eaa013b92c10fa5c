import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/start-embedded-postgres.ts';

const IS_ROOT = process.getuid?.() === 0;
/** The user `nobody` of Debian and its like. */
const NOBODY = 65_534;
/** Each test brings up servers and processes; a busy machine takes its time. */
const PATIENCE_MS = 90_000;
/** Where durability is not what is proved. */
const QUICK = { fsync: false };

const servers: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];
const leftOver: string[] = [];
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const server of servers) await server.stop();
  for (const path of leftOver) await rm(path, { recursive: true, force: true });
});

/** A new folder; the data folder in it does not exist yet. */
async function makeFolder(name = 'data'): Promise<{ folder: string; dataDir: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'fan-api-embedded-'));
  leftOver.push(folder);
  await chmod(folder, 0o755);
  return { folder, dataDir: join(folder, name) };
}

async function start(dataDir: string, options = {}): Promise<EmbeddedPostgres> {
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

function spawnWriter(dataDir: string, args: string[] = [], own: object = {}): ChildProcess {
  const writer = join(import.meta.dirname, 'write-until-killed.ts');
  const options = { stdio: ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'], ...own };
  const child = spawn('node_modules/.bin/node', [writer, dataDir, ...args], options);
  children.push(child);
  return child;
}

async function linesOf(child: ChildProcess, seen: (count: number) => void = () => {}): Promise<number[]> {
  if (!child.stdout) throw new Error('the child has no output');
  const lines: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) seen(lines.push(Number(line)));
  return lines;
}

const pidOf = async (dataDir: string) =>
  (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0];

describe('D-004: the embedded PostgreSQL', { timeout: PATIENCE_MS }, async () => {
  const { dataDir } = await makeFolder();

  describe('while it runs', async () => {
    const server = await start(dataDir);

    it('prints no notice about a folder that it can reach', () => {
      expect(server.notice).toBeUndefined();
    });

    it('is durable (fsync, full_page_writes, synchronous_commit) and listens on loopback and in its own folder only', async () => {
      const [settings] = await query(
        server,
        `select current_setting('fsync') f, current_setting('full_page_writes') p, current_setting('synchronous_commit') c,
           current_setting('listen_addresses') l, current_setting('unix_socket_directories') u`,
      );
      expect(settings).toEqual({ f: 'on', p: 'on', c: 'on', l: '127.0.0.1', u: '.' });
    });

    it('is reached over a unix socket that only its user can reach, and over TCP', async () => {
      const socket = new URL(server.url).searchParams.get('host') ?? '';
      expect(socket).toBe(join(dataDir, 'postgres'));
      expect((await stat(socket)).mode & 0o777).toBe(0o700);
      const [over] = await query(server, 'select inet_server_addr() as address');
      expect(over).toEqual({ address: null });
      const overTcp = { ...server, url: Object.assign(new URL(server.url), { search: '' }).href };
      expect(await query(overTcp, 'select host(inet_server_addr()) as address')).toEqual([{ address: '127.0.0.1' }]);
    });

    it('lets nobody in without the password, which only the owner of the folder can read', async () => {
      const withoutPassword = Object.assign(new URL(server.url), { password: 'guess' }).href;
      const client = new pg.Client({ connectionString: withoutPassword });
      await expect(client.connect()).rejects.toThrow(/password authentication failed/);
      const file = join(dataDir, 'postgres-password');
      expect(decodeURIComponent(new URL(server.url).password)).toBe(await readFile(file, 'utf8'));
    });

    it('refuses a second process on the folder in clear words, and goes on', async () => {
      await expect(start(dataDir)).rejects.toThrow(
        /^Another process is using .*data\/postgres\. Stop it, set DATA_DIR to another folder, or .*DATABASE_URL\.$/,
      );
      expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    });

    it('is shared with a command beside it, which leaves it running', async () => {
      const command = await start(dataDir, { share: true });
      expect(command.url).toBe(server.url);
      await command.stop();
      expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    });

    it('can be stopped twice, and keeps its data until a command brings it up and stops it again', async () => {
      await query(server, 'create table kept (n int); insert into kept values (42)');
      await server.stop();
      await server.stop();
      const command = await start(dataDir, { share: true });
      expect(await query(command, 'select n from kept')).toEqual([{ n: 42 }]);
      await command.stop();
      await expect(query(command, 'select 1')).rejects.toThrow(/ECONNREFUSED|ENOENT/);
    });
  });

  it.runIf(IS_ROOT)('names the pid file of a crashed server where another process has its number now', async () => {
    const { uid, gid } = await stat(join(dataDir, 'postgres'));
    const other = spawn('sleep', ['60'], { uid, gid });
    children.push(other);
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    await writeFile(pidFile, `${other.pid}\n${dataDir}/postgres\n0\n1\n\n127.0.0.1\n\nready\n`);
    await chown(pidFile, uid, gid);
    await expect(start(dataDir)).rejects.toThrow(`${pidFile} names a process that runs, but no PostgreSQL answers.`);
    other.kill();
    await once(other, 'exit');
  });

  it('is taken over by the next start after kill -9, with everything that was acknowledged', async () => {
    const child = spawnWriter(dataDir);
    const printed = await linesOf(child, (count) => {
      if (count === 25) child.kill('SIGKILL');
    });
    const before = await pidOf(dataDir);
    const server = await start(dataDir);
    expect(await pidOf(dataDir)).toBe(before);
    const acknowledged = await query(server, 'select n from acknowledged');
    expect(acknowledged.map(({ n }) => n)).toEqual(expect.arrayContaining(printed));
    expect(printed.length).toBeGreaterThanOrEqual(25);
    await server.stop();
  });

  it('is reached over TCP where its path is too long for a socket; an initdb that was interrupted begins again', async () => {
    const long = (await makeFolder('long'.repeat(25))).dataDir;
    await mkdir(join(long, 'postgres'), { recursive: true });
    const server = await start(long, QUICK);
    expect(new URL(server.url).search).toBe('');
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it('is given to one of two processes at once on an empty folder, and the other is refused', async () => {
    const empty = (await makeFolder()).dataDir;
    const outcomes = await Promise.allSettled([start(empty, QUICK), start(empty, QUICK)]);
    const [refused] = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(String(refused?.reason)).toContain('Another process is using');
    const [server] = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    if (!server) throw new Error('nobody got the folder');
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await readdir(empty)).sort()).toEqual(['postgres', 'postgres-password']);
    await server.stop();
  });
});

describe.runIf(IS_ROOT)('as root', { timeout: PATIENCE_MS }, () => {
  it('the data of a folder that the user postgres cannot reach is under /var/lib/fan-api, until the folder is deleted', async () => {
    const { folder, dataDir } = await makeFolder();
    await chmod(folder, 0o700);
    const homeOf = async () => {
      const base = join('/var/lib/fan-api', await readFile(join(dataDir, 'postgres-folder'), 'utf8'));
      leftOver.push(base);
      return base;
    };
    const first = await start(dataDir, QUICK);
    expect(first.notice).toContain(`can't reach ${dataDir}: its data is in ${await homeOf()}/postgres`);
    await query(first, 'create table kept (n int); insert into kept values (7)');
    await first.stop();
    const second = await start(dataDir, QUICK);
    expect(await query(second, 'select n from kept')).toEqual([{ n: 7 }]);
    await second.stop();
    await rm(dataDir, { recursive: true });
    const third = await start(dataDir, QUICK);
    await homeOf();
    expect(await query(third, "select to_regclass('kept') as kept")).toEqual([{ kept: null }]);
    await third.stop();
  });

  it('an ordinary user has the same', async () => {
    const { folder, dataDir } = await makeFolder();
    await chown(folder, NOBODY, NOBODY);
    const own = { uid: NOBODY, gid: NOBODY, env: { PATH: process.env.PATH, HOME: folder } };
    for (const expected of [1, 11]) {
      const child = spawnWriter(dataDir, ['once'], own);
      const ended = once(child, 'exit');
      expect(await linesOf(child)).toEqual(Array.from({ length: 10 }, (_, i) => expected + i));
      expect(await ended).toEqual([0, null]);
    }
  });
});
