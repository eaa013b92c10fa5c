import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@fan-api/embedded-postgres';

/** A PostgreSQL that belongs to no server, as the environment variables that name it. */
export interface OwnDatabase {
  env: { DATABASE_URL: string; KEY_ENCRYPTION_KEY: string };
  stop(): Promise<void>;
}

export async function startOwnDatabase(): Promise<OwnDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fan-api-bench-postgres-'));
  // as root, PostgreSQL runs as another user, who must be able to come in
  await chmod(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres(dataDir);
  return {
    env: { DATABASE_URL: postgres.url, KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64url') },
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
