import { preferKey } from '../../src/keys/admit-key.ts';
import { readEncryptionStatus } from '../../src/keys/encryption-status.ts';
import { reencrypt } from '../../src/keys/reencrypt.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { createContext } from '../../src/runtime.ts';
import { createLog, standardError } from '../process/log.ts';
import { openRuntime } from '../process/runtime.ts';
import { describeEncryption } from './describe-encryption.ts';

const TOLD_EVERY = 1_000;

/**
 * `npm run keys:reencrypt`: re-encrypts every secret for KEY_ENCRYPTION_KEY of this command, which becomes the newest key. The job
 * does the same in the background; this tells the progress, on standard error, and goes back to a key that was being replaced.
 */
try {
  const config = readConfig(process.env);
  const { runtime, close } = await openRuntime(config, { log: createLog('warn', standardError()), share: true });
  await preferKey(createContext(runtime, null));
  let told = 0;
  const run = await reencrypt(createContext(runtime, null), {
    onBatch(done) {
      if (done - told < TOLD_EVERY) return;
      told = done;
      process.stderr.write(`${done} re-encrypted\n`);
    },
  });
  const status = await readEncryptionStatus(createContext(runtime, null));
  await close();
  process.stdout.write(
    `${run ? `${run.done} secrets re-encrypted.` : 'The job is re-encrypting at the moment.'}\n\n${describeEncryption(status)}`,
  );
  if (run && run.unopened.length > 0) {
    throw new Error(`${run.unopened.length} secrets can be opened neither by KEY_ENCRYPTION_KEY nor by its fallback.`);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
