import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Fault } from '../fault.ts';
import type { Stand } from '../stand/stand.ts';

/** A full disk: a small file system in memory that something else fills. */
export const DISK_FAULTS: readonly Fault[] = [
  {
    name: 'the disk of PostgreSQL’s tables full',
    hits: 'everything',
    ready: 'either',
    holdMs: 20_000,
    skip: whyNoMount,
    stand: {
      async place(folder) {
        const disk = await mountDisk(folder, '200m');
        const walFolder = join(folder, 'wal');
        await mkdir(walFolder);
        return { folder: join(disk, 'first'), walFolder, close: () => unmount(disk) };
      },
    },
    async inject(stand) {
      // without room in the pages that there are
      await stand.postgres.run('vacuum full');
      await fill(stand);
    },
    heal: ({ folder }) => rm(ballast(folder)),
  },
  {
    name: 'the disk of PostgreSQL’s write-ahead log full',
    hits: 'everything',
    ready: 'no',
    holdMs: 14_000,
    skip: whyNoMount,
    stand: {
      async place(folder) {
        const disk = await mountDisk(folder, '128m');
        return {
          walFolder: disk,
          settings: { min_wal_size: '32MB', max_wal_size: '64MB' },
          close: () => unmount(disk),
        };
      },
    },
    async inject(stand) {
      // as a replica that is gone for long: no file of the log is used again
      await stand.postgres.run(`select pg_create_physical_replication_slot('gone', true)`);
      await fill(stand);
    },
    pulse: {
      everyMs: 300,
      run: async ({ postgres }) => void (await postgres.run('select pg_switch_wal()').catch(() => undefined)),
    },
    async heal({ folder, postgres }) {
      await rm(ballast(folder));
      await sleep(1_000);
      if (!(await postgres.isRunning())) await postgres.start();
      await postgres.run(`select pg_drop_replication_slot('gone')`);
    },
  },
];

const run = promisify(execFile);
const PIECE = Buffer.alloc(1024 * 1024);

function diskOf(folder: string): string {
  return join(folder, 'disk');
}

function ballast(folder: string): string {
  return join(diskOf(folder), 'ballast');
}

async function mountDisk(folder: string, size: string): Promise<string> {
  const disk = diskOf(folder);
  await mkdir(disk);
  await run('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', disk]);
  return disk;
}

async function unmount(disk: string): Promise<void> {
  await run('umount', ['-l', disk]);
}

/** Writes until nothing more goes in. */
async function fill({ folder }: Stand): Promise<void> {
  const file = await open(ballast(folder), 'w');
  try {
    for (;;) await file.write(PIECE);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    await file.close();
  }
}

async function whyNoMount(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'faults-mount-'));
  try {
    await unmount(await mountDisk(folder, '1m'));
    await rmdir(diskOf(folder));
    return undefined;
  } catch {
    return 'this machine does not permit to mount a small file system';
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
