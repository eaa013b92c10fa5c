import cluster from 'node:cluster';
import { WrongClusterError } from '../../src/chain/check-cluster.ts';
import { PublicKeyError } from '../../src/chain/check-public-keys.ts';
import { ConfigError, readConfig } from '../../src/platform/config/config.ts';
import { beginParts } from './begin-parts.ts';

/** `npm start`: reads the environment, and serves in this process or in `WORKERS` others. */
try {
  const config = readConfig(process.env);
  if (config.workers > 1 && cluster.isPrimary) {
    // the primary serves nothing, so it does not load what serves
    const { supervise } = await import('./workers/supervise.ts');
    await supervise(config);
  } else {
    const begun = beginParts(config);
    await begun.launched;
    const { runProcess } = await import('./run-process.ts');
    await runProcess(config, begun);
  }
} catch (error) {
  process.stderr.write(error instanceof ConfigError ? `${error.message}\n` : `${describeStartError(error)}\n`);
  process.exit(1);
}

/** The message of an error and of its cause; the stack only of unexpected errors. */
function describeStartError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE' && 'port' in error) {
    return `Port ${String(error.port)} is in use by another process. Stop it, or set PORT to a free one.`;
  }
  const cause = error.cause instanceof Error ? `\n  because: ${error.cause.message}` : '';
  const isExpected = error.name === 'Error' || error instanceof WrongClusterError || error instanceof PublicKeyError;
  return `${isExpected ? error.message : (error.stack ?? error.message)}${cause}`;
}
