import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { keptSecret } from '@fan-api/embedded-postgres/kept-secret';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { createSigner } from '../../src/chain/wallet/signer.ts';
import { poolOf } from '../../src/entities/orm.ts';
import { admitKey } from '../../src/keys/admit-key.ts';
import { awsKmsVault, checkVault } from '../../src/keys/aws-kms.ts';
import { createKeyRing } from '../../src/keys/key-ring.ts';
import { maintainKeys } from '../../src/keys/rotate-keys.ts';
import { type DerivedKeys, deriveKeys } from '../../src/keys/seal.ts';
import { type Custody, createCustody, databaseVault } from '../../src/keys/vault.ts';
import { createSimulatedClients } from '../../src/partners/client/simulated-clients.ts';
import type { Config } from '../../src/platform/config/config.ts';
import { createClock } from '../../src/platform/database/clock.ts';
import { chooseSender } from '../../src/platform/mail/choose-sender.ts';
import { createActivityLog } from '../../src/record/activity/activity-log.ts';
import { createContext, type Runtime } from '../../src/runtime.ts';
import { createCodeLimiters } from '../../src/sign-in/abuse/code-limiters.ts';
import { chooseProvider } from '../../src/sign-in/verification/choose-provider.ts';
import { createInbox } from '../../src/sign-in/verification/inbox.ts';
import { hostedLanguages } from '../fan-pages/page-kit/texts/read-catalogues.ts';
import { type BegunParts, startEmbedded } from './begin-parts.ts';
import { keepClock } from './keep-clock.ts';
import { createLog } from './log.ts';
import { openDatabase } from './open-database.ts';
import { measuredProvider } from './telemetry/measured-calls.ts';

/** Arming a failure waits a little longer (`config.simulationSpreadMs`). */
const READ_SIMULATED_MS = 1_000;

export interface OpenRuntime {
  runtime: Runtime;
  databaseUrl: string;
  close(): Promise<void>;
}

/**
 * Opens the database (by default a server of its own), migrates it where that is allowed, and makes the first signing key. For the
 * server and for commands.
 * @param options.share for a command: works beside a server that runs on the same data folder
 * @param options.wallClock milliseconds since the epoch; the machine's by default
 * @param options.embedded its database server, if its start has already begun
 */
export async function openRuntime(
  config: Config,
  options: { log?: Logger; share?: boolean; wallClock?: () => number } & Pick<BegunParts, 'embedded'> = {},
): Promise<OpenRuntime> {
  const { log = createLog(config.logLevel), share = false, wallClock } = options;
  const embedded =
    config.databaseUrl === undefined ? await (options.embedded ?? startEmbedded(config.dataDir, { share })) : undefined;
  if (embedded?.notice) log.warn(embedded.notice);
  const databaseUrl = config.databaseUrl ?? embedded?.url ?? '';
  let orm: MikroORM | undefined;
  try {
    orm = await openDatabase(config, databaseUrl, log, share ? 'command' : 'requests');
    const pool = await poolOf(orm);
    const clock = createClock(pool, wallClock);
    await clock.measure();
    const keyEncryptionKey = config.keyEncryptionKey ?? (await ownKeyEncryptionKey(config.dataDir));
    const secrets = deriveKeys(keyEncryptionKey, config.keyEncryptionKeyFallback);
    const keys = createKeyRing({ pool, secrets });
    const simulatedClients = createSimulatedClients({ pool });
    await simulatedClients.read();
    const inbox = config.production ? undefined : createInbox(pool);
    const verification = await chooseProvider(config, { log, secrets, inbox }, measuredProvider);
    const custody = await openCustody(config, secrets);
    const signer = createSigner({ pool, custody });
    const runtime: Runtime = {
      config,
      orm,
      pool,
      keys,
      simulatedClients,
      tokenClock: simulatedClients,
      secrets,
      custody,
      mail: chooseSender(config, { pool, log }),
      verification,
      codeLimiters: createCodeLimiters({ pool, secrets }, config.codeLimits),
      chains: {},
      uiLocales: hostedLanguages(),
      signer,
      activity: createActivityLog({ pool, log, successes: config.requestLog.successes }),
      log,
      now: clock.now,
      clock,
    };
    await checkVault(runtime);
    // otherwise a wrong key would fail at the first sign-in, and what it seals would lock out the other processes
    await admitKey(createContext(runtime, null));
    await maintainKeys(createContext(runtime, null));
    const keptClock = keepClock(runtime);
    const unread = (err: unknown) => log.debug({ err }, 'the simulated clients could not be read');
    const reading = setInterval(() => void simulatedClients.read().catch(unread), READ_SIMULATED_MS).unref();
    return {
      runtime,
      databaseUrl,
      async close() {
        keptClock.stop();
        clearInterval(reading);
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

/** A KMS key beside the database provider only opens what it sealed, before and after the provider is changed. */
async function openCustody({ custody }: Config, secrets: DerivedKeys): Promise<Custody> {
  const database = databaseVault(secrets);
  if (custody.kmsKeyArn === undefined) return createCustody(database);
  const kms = await awsKmsVault(custody.kmsKeyArn);
  return custody.provider === 'aws-kms' ? createCustody(kms, [database]) : createCustody(database, [kms]);
}

/** Without configuration the key is made once and kept beside the data, readable by its owner only. */
async function ownKeyEncryptionKey(dataDir: string): Promise<KeyObject> {
  await mkdir(dataDir, { recursive: true });
  const file = join(dataDir, 'key-encryption-key');
  const text = await keptSecret(file, () => randomBytes(32).toString('base64url'), /^[\w-]{43}$/);
  return createSecretKey(text, 'base64url');
}
