import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedPostgres } from '@fan-api/embedded-postgres';
import { keptSecret } from '@fan-api/embedded-postgres/kept-secret';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { createCodeLimiters } from '../src/abuse/code-limiters.ts';
import { createActivityLog } from '../src/activity/activity-log.ts';
import type { Config } from '../src/config/config.ts';
import { migrate, openOrm, poolOf } from '../src/database/orm.ts';
import { createKeyRing, type KeyRing } from '../src/keys/key-ring.ts';
import { maintainKeys } from '../src/keys/rotate-keys.ts';
import { deriveKeys } from '../src/keys/seal.ts';
import { createContext, type Runtime } from '../src/runtime.ts';
import { chooseProvider } from '../src/verification/choose-provider.ts';
import { createInbox } from '../src/verification/inbox.ts';
import { createLocalSigner } from '../src/wallet/signer.ts';
import { createLog } from './log.ts';

export interface OpenRuntime {
  runtime: Runtime;
  databaseUrl: string;
  close(): Promise<void>;
}

/**
 * Opens the database (by default a server of its own), migrates it, and makes the first signing key. For the server and for
 * commands.
 * @param options.share for a command: works beside a server that runs on the same data folder
 */
export async function openRuntime(
  config: Config,
  options: { log?: Logger; share?: boolean } = {},
): Promise<OpenRuntime> {
  const { log = createLog(config.logLevel), share = false } = options;
  const embedded = config.databaseUrl === undefined ? await startEmbedded(config.dataDir, share) : undefined;
  if (embedded?.notice) log.warn(embedded.notice);
  const databaseUrl = config.databaseUrl ?? embedded?.url ?? '';
  let orm: MikroORM | undefined;
  try {
    const ormLog = (message: string) => log.debug(message);
    await migrate(databaseUrl, ormLog);
    orm = await openOrm(databaseUrl, config.databasePool, ormLog);
    const pool = await poolOf(orm);
    const secrets = deriveKeys(config.keyEncryptionKey ?? (await ownKeyEncryptionKey(config.dataDir)));
    const keys = createKeyRing({ pool, secrets });
    const inbox = config.production ? undefined : createInbox(pool);
    const verification = await chooseProvider(config, { log, secrets, inbox });
    const signer = createLocalSigner({ pool, secrets });
    const runtime: Runtime = {
      config,
      orm,
      pool,
      keys,
      secrets,
      verification,
      codeLimiters: createCodeLimiters({ pool, secrets }, config.codeLimits),
      chains: {},
      signer,
      activity: createActivityLog({ pool, log }),
      log,
      now: () => new Date(),
    };
    await maintainKeys(createContext(runtime, null));
    await checkKeyEncryptionKey(keys);
    return {
      runtime,
      databaseUrl,
      async close() {
        await runtime.activity.close();
        await orm?.close();
        await embedded?.stop();
      },
    };
  } catch (error) {
    await orm?.close();
    await embedded?.stop();
    throw error;
  }
}

/** Without configuration the key is made once and kept beside the data, readable by its owner only. */
async function ownKeyEncryptionKey(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  return keptSecret(join(dataDir, 'key-encryption-key'), () => randomBytes(32).toString('base64url'), /^[\w-]{43}$/);
}

/** Otherwise a wrong key would fail at the first sign-in, and a rotation with it would lock out the other processes. */
async function checkKeyEncryptionKey(keys: KeyRing): Promise<void> {
  try {
    await keys.current();
  } catch (cause) {
    throw new Error(
      'KEY_ENCRYPTION_KEY does not open the signing key of this database: it was sealed with another one.',
      { cause },
    );
  }
}

/** Loaded only where it is used: a production install has no PostgreSQL server. */
async function startEmbedded(dataDir: string, share: boolean): Promise<EmbeddedPostgres> {
  const { startEmbeddedPostgres } = await import('@fan-api/embedded-postgres');
  return startEmbeddedPostgres(dataDir, { share });
}
