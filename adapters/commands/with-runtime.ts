import { readConfig } from '../../src/platform/config/read-config.ts';
import { createContext, type ServiceContext } from '../../src/runtime.ts';
import { createLog, standardError } from '../process/log.ts';
import { openRuntime } from '../process/runtime.ts';

/**
 * Runs the work of a command on this machine's data, also while a server uses it.
 * @param work gets a function that makes a context for one piece of work
 * @throws ConfigError
 */
export async function withRuntime<T>(
  work: (context: () => ServiceContext) => Promise<T>,
  config = readConfig(process.env),
): Promise<T> {
  const { runtime, close } = await openRuntime(config, { log: createLog('warn', standardError()), share: true });
  try {
    return await work(() => createContext(runtime, null));
  } finally {
    await close();
  }
}
