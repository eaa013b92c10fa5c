import { readEncryptionStatus } from '../../src/keys/encryption-status.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { createContext } from '../../src/runtime.ts';
import { createLog, standardError } from '../process/log.ts';
import { openRuntime } from '../process/runtime.ts';
import { describeEncryption } from './describe-encryption.ts';

/** `npm run keys:status`: which key sealed how many secrets, and what a rotation of KEY_ENCRYPTION_KEY has left. */
try {
  const config = readConfig(process.env);
  const { runtime, close } = await openRuntime(config, { log: createLog('warn', standardError()), share: true });
  const status = await readEncryptionStatus(createContext(runtime, null));
  await close();
  process.stdout.write(describeEncryption(status));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
