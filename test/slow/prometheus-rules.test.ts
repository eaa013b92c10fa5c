import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const isInstalled = await run('promtool', ['--version']).then(
  () => true,
  () => false,
);
const reason = isInstalled ? '' : ' (skipped: promtool is not installed; Debian has it in the package prometheus)';

it.skipIf(!isInstalled)(`promtool accepts the alert rules${reason}`, async () => {
  expect((await run('promtool', ['check', 'rules', 'deploy/prometheus/alerts.yaml'])).stdout).toMatch(
    /SUCCESS: \d+ rules/,
  );
});

it.skipIf(!isInstalled)(`promtool: the alerts fire when they should, and not before${reason}`, async () => {
  expect((await run('promtool', ['test', 'rules', 'deploy/prometheus/alerts.test.yaml'])).stdout).toContain('SUCCESS');
});
