import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

const TIMEOUT_MS = 240_000;

/**
 * Runs tests in a copy of the project, up to the first that fails.
 * @returns the title of that test; undefined where all pass
 * @throws Error where there is no report
 */
export async function firstFailure(root: string, tests: readonly string[]): Promise<string | undefined> {
  const report = join(root, 'mutation-report.json');
  await rm(report, { force: true });
  const options = ['--bail=1', '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`];
  await vitest(root, ['run', ...tests, ...options]);
  const text = await readFile(report, 'utf8').catch(() => undefined);
  // a fault that hangs a test is found by the time limit
  if (text === undefined) return 'the time limit, without a report';
  const { testResults } = Report.parse(JSON.parse(text));
  const failed = testResults.flatMap(({ assertionResults }) => assertionResults).find(isFailed);
  if (failed !== undefined) return failed.fullName;
  const suite = testResults.find(isFailed);
  if (suite !== undefined) return `the set-up of ${suite.name.slice(root.length + 1)}: ${suite.message.split('\n')[0]}`;
  return testResults.length === 0 ? 'a run without any test' : undefined;
}

function isFailed({ status }: { status: string }): boolean {
  return status === 'failed';
}

function vitest(root: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const bin = join(root, 'node_modules/vitest/vitest.mjs');
    const child = spawn(process.execPath, [bin, ...args], { cwd: root, stdio: 'ignore', timeout: TIMEOUT_MS });
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}
