import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runFault } from '../faults/run-fault.ts';
import { RELEASES, readKnown } from '../release/kept-release.ts';

/** Five minutes, as long as a careful operator lets both go on. */
const HELD_MS = 300_000;

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

/** A release as it was in git, installed and built. @returns its entry file */
async function checkOut(commit: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  folders.push(folder);
  // the test's own NODE_ENV would build the pages for development
  const script =
    'unset NODE_ENV; git archive "$1" | tar -x -C "$2" && cd "$2" && npm ci --no-audit --no-fund && npm run build';
  execFileSync('bash', ['-euo', 'pipefail', '-c', script, 'bash', commit, folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return join(folder, 'adapters/process/main.ts');
}

it.each(RELEASES.slice(-1))(
  'a process of %s and one of today serve one database for five minutes, and no call fails',
  async (version) => {
    const released = await checkOut(readKnown(version).commit);
    const { problems, ...seen } = await runFault({
      name: `beside ${version}`,
      hits: 'nothing',
      ready: 'yes',
      // the release makes its schema, and the process of today migrates it while the release goes on
      stand: { processes: 2, entry: (index) => (index === 0 ? released : 'adapters/process/main.ts') },
      holdMs: HELD_MS,
    });
    console.info(JSON.stringify(seen));
    expect(problems).toEqual([]);
    expect(seen.judged.calls).toBeGreaterThan(0);
  },
);
