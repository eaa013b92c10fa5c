import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LocalnetError } from './localnet-error.ts';

interface Holder {
  pid: number;
  /** Start time of the process, if the system reports it: a later process may have the same number. */
  birth: string | null;
}

/**
 * Claims a folder for this process until the returned function is called. The claim of a process that was killed is
 * taken over. Two writers in one folder would destroy it.
 * @throws LocalnetError folder_in_use
 */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'lock');
  const mine = JSON.stringify({ pid: process.pid, birth: birthOf(process.pid) } satisfies Holder);
  while (!create(path, mine)) takeOver(folder, path);
  return () => rmSync(path, { force: true });
}

/** Creates the file with its content in one step, so that it is never seen empty. False if it exists already. */
function create(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes the claim of a dead process. The rename makes sure that only one of several claimants removes the claim it checked. */
function takeOver(folder: string, path: string): void {
  const judged = read(path);
  if (judged === undefined) return;
  refuseLiving(judged, folder);
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const removed = read(aside) ?? judged;
  if (removed === judged) {
    rmSync(aside, { force: true });
  } else {
    renameSync(aside, path);
    refuseLiving(removed, folder);
  }
}

function refuseLiving(content: string, folder: string): void {
  const { pid, birth } = JSON.parse(content) as Holder;
  if (!isRunning(pid) || birthOf(pid) !== birth) return;
  throw new LocalnetError(
    'folder_in_use',
    `the local network in ${folder} is in use by process ${pid}; stop it, or choose another DATA_DIR`,
  );
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Field 22 of Linux' process status; the name before it may contain blanks, but ends at the last parenthesis. */
function birthOf(pid: number): string | null {
  const status = read(`/proc/${pid}/stat`);
  return status?.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
