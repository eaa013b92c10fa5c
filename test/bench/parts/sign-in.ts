import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { obtainCode } from '../../support/partner.ts';
import type { TestApp } from '../../support/start-app.ts';
import type { Figures } from '../figures.ts';
import { openServer } from '../sides/open-server.ts';

const SETTLING_MS = 300;

/** The statements that the server sends for each request from authorize to the code. */
export async function measureSignIn(tree: string): Promise<Required<Figures>['signIn']> {
  const folder = await mkdtemp(join(tmpdir(), 'fan-api-bench-sign-in-'));
  const file = join(folder, 'statements.ndjson');
  const preload = new URL('../count-statements.ts', import.meta.url).href;
  const server = await openServer('ours', tree, {
    nodeArguments: ['--import', preload],
    env: { BENCH_STATEMENTS: file },
  });
  try {
    const app = { config: server.server.config, kit: server.kit } as TestApp;
    // what is read once, such as keys, is no part of a sign-in
    await obtainCode(app);
    const before = (await readLines(file)).length;
    await obtainCode(app);
    return (await readLines(file))
      .slice(before)
      .map((line) => JSON.parse(line) as { request: string; statements: number });
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A request's line is written a moment after its answer. */
async function readLines(file: string): Promise<string[]> {
  await sleep(SETTLING_MS);
  return (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
}
