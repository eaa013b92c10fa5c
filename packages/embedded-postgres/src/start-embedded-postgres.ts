import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { keptSecret } from './kept-secret.ts';
import { exists, type PostgresHome, preparePostgresHome } from './postgres-home.ts';

/**
 * The embedded default: a PostgreSQL server from npm, run by `pg_ctl` in `DATA_DIR/postgres`, on loopback and on a unix socket in that
 * folder, which only the server's user and root can reach. A server that outlived its process (kill -9) is found by its pid file and
 * taken over. A session-level advisory lock, which the server releases when the process ends, keeps a second process off the folder.
 */
export interface EmbeddedPostgres {
  /** URL of the database: over the unix socket where there is one, which takes a quarter less CPU per statement than TCP, at both ends. */
  url: string;
  /** A warning to log at start, for example that the data is elsewhere. */
  notice: string | undefined;
  /** Stops the server after its last transaction; safe to call twice. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Off only in tests: a crash of the machine then loses data. */
  fsync?: boolean;
  /** For commands beside a running process: use its server if it has one, and leave it running. */
  share?: boolean;
  /** Called when other processes are at work and this one only waits: for `initdb` or for the server. */
  onWait?: () => void;
}

/** How a running server is reached. */
interface Address {
  port: number;
  hasSocket: boolean;
}

const run = promisify(execFile);
const USER = 'fan_api';
const DATABASE = 'fan_api';
/** An arbitrary number. */
const OWNER_LOCK = 7_302_000;
const OWNER_LOCK_PATIENCE_MS = 3_000;
/** For a command: where another process has the lock, it uses that one's server. */
const SHARED_PATIENCE_MS = 300;
/** `sun_path` has 104 bytes on macOS and 108 on Linux, of which `/.s.PGSQL.65535` and a zero need 16. */
const LONGEST_SOCKET_FOLDER = 88;
/** The socket's folder as the server names it, which works in its data folder. */
const DATA_FOLDER = '.';

/**
 * Starts the server of a data folder, or takes over the one that is still running there.
 * @throws Error with a clear text where another process uses the folder or the platform has no server package
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  options: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  const home = await preparePostgresHome(dataDir);
  const password = await readPassword(home);
  if (!(await exists(join(home.dataDir, 'PG_VERSION')))) await initialise(home, password, options);
  const running = await findRunning(home);
  const { port, hasSocket } = running ?? (await start(home, options));
  const socket = hasSocket ? `?host=${encodeURIComponent(home.dataDir)}` : '';
  const url = (database: string) => `postgres://${USER}:${password}@127.0.0.1:${port}/${database}${socket}`;
  const patience = options.share ? SHARED_PATIENCE_MS : OWNER_LOCK_PATIENCE_MS;
  const owner = await own(url('postgres'), patience).catch((cause: unknown) => {
    throw running === undefined ? cause : notAnswering(home, cause);
  });
  if (!owner && options.share && running !== undefined) {
    return { url: url(DATABASE), notice: home.notice, stop: async () => {} };
  }
  if (!owner) throw inUse(home);
  const { rowCount } = await owner.query('select 1 from pg_database where datname = $1', [DATABASE]);
  if (rowCount === 0) await owner.query(`create database ${DATABASE}`);
  let stopping: Promise<void> | undefined;
  return {
    url: url(DATABASE),
    notice: home.notice,
    stop() {
      stopping ??= stop(home, owner);
      return stopping;
    },
  };
}

async function stop(home: PostgresHome, owner: pg.Client): Promise<void> {
  await owner.end();
  await pgCtl(home, ['stop', '-m', 'fast', '-w']);
}

/** The password of the server, made on first use; only the owner of the folder can read it. */
async function readPassword(home: PostgresHome): Promise<string> {
  return keptSecret(home.passwordFile, () => randomBytes(24).toString('base64url'), /^[\w-]{32}$/);
}

/**
 * Creates the data folder under a temporary name and renames it when complete: an interrupted initdb leaves nothing that
 * looks like a database, and two processes never write into one folder.
 */
async function initialise(
  home: PostgresHome,
  password: string,
  { fsync, onWait }: EmbeddedPostgresOptions,
): Promise<void> {
  const draft = `${home.dataDir}.${randomUUID()}.new`;
  const passwordFile = `${draft}-password`;
  await mkdir(draft, { mode: 0o700 });
  await home.own(draft);
  await writeFile(passwordFile, password, { mode: 0o600 });
  await home.own(passwordFile);
  onWait?.();
  try {
    await run(
      home.binary('initdb'),
      [
        '-D',
        draft,
        '-U',
        USER,
        '--auth=scram-sha-256',
        `--pwfile=${passwordFile}`,
        '--encoding=UTF8',
        '--locale=C',
        ...(fsync === false ? ['--no-sync'] : []),
      ],
      { ...home.identity, cwd: '/' },
    );
    await rename(draft, home.dataDir);
  } catch (error) {
    // Another process may have created it first.
    if (!(await exists(join(home.dataDir, 'PG_VERSION')))) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
  }
}

/** The live server on this folder, by its pid file: port in line 4, folder of its socket in line 5. Undefined when none is running. */
async function findRunning(home: PostgresHome): Promise<Address | undefined> {
  const pidFile = join(home.dataDir, 'postmaster.pid');
  if (!(await exists(pidFile))) return undefined;
  const alive = await pgCtl(home, ['status']).then(
    () => true,
    () => false,
  );
  if (!alive) return undefined;
  // a server that is still starting has not written its port yet: `pg_ctl start` by its owner is under way
  for (let waited = 0; waited < OWNER_LOCK_PATIENCE_MS; waited += 50) {
    const lines = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
    if (lines[3] && lines[7]?.trim() === 'ready') {
      return { port: Number(lines[3]), hasSocket: lines[4] === DATA_FOLDER && hasShortPath(home) };
    }
    await sleep(50);
  }
  throw new Error(`PostgreSQL in ${home.dataDir} is running but does not become ready; see ${home.logFile}`);
}

/** Longer paths are no addresses of sockets, and Windows has other rights on them. */
function hasShortPath({ dataDir }: PostgresHome): boolean {
  return process.platform !== 'win32' && Buffer.byteLength(dataDir) <= LONGEST_SOCKET_FOLDER;
}

async function start(home: PostgresHome, options: EmbeddedPostgresOptions): Promise<Address> {
  const port = await freePort();
  const hasSocket = hasShortPath(home);
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: hasSocket ? DATA_FOLDER : '',
    max_connections: '100',
    shared_buffers: '128MB',
    ...(options.fsync === false && { fsync: 'off', full_page_writes: 'off' }),
  };
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
  try {
    const started = pgCtl(home, ['start', '-w', '-t', '60', '-l', home.logFile, '-o', `-p ${port} ${flags.join(' ')}`]);
    options.onWait?.();
    await started;
  } catch (error) {
    // two processes may start on one folder at the same moment: the later one finds the server of the earlier
    const other = await findRunning(home);
    if (other !== undefined) return other;
    throw new Error(`PostgreSQL in ${home.dataDir} did not start; see ${home.logFile}`, { cause: error });
  }
  return { port, hasSocket };
}

/** Locks the folder for this process; undefined if another process has it. The server drops a killed process's lock with its connection. */
async function own(url: string, patience: number): Promise<pg.Client | undefined> {
  const client = new pg.Client({ connectionString: url, application_name: 'fan-api owner', keepAlive: true });
  client.on('error', () => {});
  await client.connect();
  for (let waited = 0; waited <= patience; waited += 100) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [OWNER_LOCK]);
    if (rows[0]?.locked) return client;
    await sleep(100);
  }
  await client.end();
  return undefined;
}

function inUse(home: PostgresHome): Error {
  return new Error(
    `Another process is using ${home.dataDir}. Stop it, set DATA_DIR to another folder, or run several processes over one PostgreSQL with DATABASE_URL.`,
  );
}

/** The pid file names a live process that is no PostgreSQL, for example after a crash of the machine or the container. */
function notAnswering(home: PostgresHome, cause: unknown): Error {
  const file = join(home.dataDir, 'postmaster.pid');
  return new Error(
    `${file} names a process that runs, but no PostgreSQL answers. Make sure that none runs on this folder, then delete the file.`,
    { cause },
  );
}

async function pgCtl(home: PostgresHome, args: string[]): Promise<void> {
  // pg_ctl's server inherits its streams: a pipe would keep this call waiting for as long as the server lives
  await new Promise<void>((resolve, reject) => {
    const child = execFile(home.binary('pg_ctl'), ['-D', home.dataDir, '-s', ...args], { ...home.identity, cwd: '/' });
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`pg_ctl ${args[0]} ended with code ${code}`)),
    );
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
