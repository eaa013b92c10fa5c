import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@fan-api/embedded-postgres';
import type { Figures } from '../figures.ts';
import { watchMemory } from '../memory.ts';
import { PATH_NAMES } from '../paths/all.ts';
import { measureInTurns } from '../rounds.ts';
import { openServer, type ServerOptions } from '../sides/open-server.ts';

/** Twice each path, of which the first warms up. */
const ROUNDS = 1;

/** The peak of a server's processes under all paths at once with nothing of its own embedded, and with everything. */
export async function measureMemory(tree: string): Promise<Required<Figures>['memory']> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fan-api-bench-postgres-'));
  await chmod(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres(dataDir);
  try {
    const own = await peakUnderLoad(tree, {
      env: { DATABASE_URL: postgres.url, KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64url') },
    });
    return { 'own database': own, 'all embedded': await peakUnderLoad(tree, { localnet: 'embedded' }) };
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function peakUnderLoad(tree: string, options: ServerOptions): Promise<number> {
  const server = await openServer('ours', tree, options);
  const memory = watchMemory(server.pid);
  try {
    for (const name of PATH_NAMES) await measureInTurns([server], name, ROUNDS);
    return memory.peak();
  } finally {
    memory.stop();
    await server.stop();
  }
}
