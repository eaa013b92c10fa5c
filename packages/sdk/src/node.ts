/**
 * The SDK on a server: tokens in files that processes of one machine share.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredTokens, TokenStore } from './token-store.ts';

/**
 * Keeps tokens in a folder, readable by this user only. A version is a file of its own, made by `link`, which fails where it exists: so
 * one of all processes writes it, and none can leave a lock behind. The folder must be on a local file system.
 * @param folder is made where it is missing
 */
export function fileTokenStore(folder: string): TokenStore {
  const made = mkdir(folder, { recursive: true, mode: 0o700 });
  // the calls report its failure
  made.catch(() => undefined);

  /** Numbers of the versions that are there, in rising order. */
  async function versionsOf(name: string): Promise<number[]> {
    await made;
    const found = (await readdir(folder)).filter((file) => file.startsWith(`${name}.`));
    const numbers = found.flatMap((file) => /\.(\d+)\.json$/.exec(file)?.[1] ?? []).map(Number);
    return numbers.sort((a, b) => a - b);
  }
  const fileOf = (name: string, version: number) => join(folder, `${name}.${version}.json`);

  async function read(name: string): Promise<StoredTokens | undefined> {
    for (;;) {
      const version = (await versionsOf(name)).at(-1);
      if (version === undefined) return undefined;
      const text = await readFile(fileOf(name, version), 'utf8').catch(missing);
      // undefined: a newer one has taken its place meanwhile
      if (text !== undefined) return JSON.parse(text) as StoredTokens;
    }
  }

  return {
    read: (key) => read(nameOf(key)),
    async compareAndSet(key, expected, next) {
      const name = nameOf(key);
      if (((await versionsOf(name)).at(-1) ?? 0) !== expected) return false;
      const draft = join(folder, `${randomUUID()}.draft`);
      await writeDurably(draft, JSON.stringify(next));
      try {
        await link(draft, fileOf(name, next.version));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      } finally {
        await rm(draft, { force: true });
      }
      return isNewest(name, next.version);
    },
  };

  /**
   * Removes older versions. If the written one is not the newest, another process has replaced it meanwhile, or its number had been used
   * before and removed: then the write does not count.
   */
  async function isNewest(name: string, written: number): Promise<boolean> {
    const versions = await versionsOf(name);
    const newest = versions.at(-1);
    for (const version of versions.filter((other) => other < written || (other === written && written !== newest))) {
      await rm(fileOf(name, version), { force: true });
    }
    return newest === written;
  }
}

/** Any key as the name of a file. */
function nameOf(key: string): string {
  return Buffer.from(key).toString('hex') || '-';
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
