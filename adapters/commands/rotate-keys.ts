import { rotateKeys } from '../../src/keys/rotate-keys.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { createContext } from '../../src/runtime.ts';
import { createLog, standardError } from '../process/log.ts';
import { openRuntime } from '../process/runtime.ts';

/** `npm run keys:rotate`: publishes the next signing key; the running processes sign with it when it is due. */
try {
  const config = readConfig(process.env);
  const { runtime, close } = await openRuntime(config, { log: createLog('warn', standardError()), share: true });
  const { kid, signsFrom } = await rotateKeys(createContext(runtime, null), 'system');
  await close();
  process.stdout.write(`Key ${kid} is published and signs from ${signsFrom.toISOString()}.\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
