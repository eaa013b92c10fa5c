import cluster from 'node:cluster';
import { readConfig } from '../../src/platform/config/read-config.ts';
import { beginParts } from './begin-parts.ts';
import { describeFailure } from './describe-failure.ts';

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
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exit(1);
}
