import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';

/**
 * A secret that is created once and kept in a file with mode 600. The file is created atomically: concurrent processes read the same
 * secret, and a crash leaves none that is cut short.
 * @throws Error where the content does not match `valid`
 */
export async function keptSecret(file: string, make: () => string, valid: RegExp): Promise<string> {
  const known = await readFile(file, 'utf8').catch(missing);
  if (known === undefined) {
    const draft = `${file}.${randomUUID()}.new`;
    await writeFile(draft, make(), { mode: 0o600, flush: true });
    try {
      await link(draft, file);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    } finally {
      await rm(draft, { force: true });
    }
  }
  const secret = (known ?? (await readFile(file, 'utf8'))).trim();
  if (!valid.test(secret))
    throw new Error(`${file} does not hold the secret that belongs there; restore it from a backup.`);
  return secret;
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
