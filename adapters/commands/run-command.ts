import { ConfigError } from '../../src/platform/config/read-config.ts';
import { describeFailure } from '../process/describe-failure.ts';
import { UsageError } from './flags.ts';

/**
 * Runs a command, and prints on standard error why it failed.
 * @param work returns the exit code. Where it throws, the exit code is 2 for a wrong command line or configuration, and 1 for all else.
 */
export async function runCommand(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
  }
}
