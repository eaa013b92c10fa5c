import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { freeLocalnetPort } from '../child-server.ts';
import { endWithBench } from '../end-with-bench.ts';
import { isListening } from './is-listening.ts';

/** The local network in a process of its own, so that its CPU time is not the server's. Blocks are final at once. */
export async function startLocalnet(tree: string, dataDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  await mkdir(dataDir, { recursive: true });
  const port = await freeLocalnetPort();
  const delays = ['--confirmed-after', '0', '--finalized-after', '0'];
  const child = spawn(
    process.execPath,
    ['packages/localnet/src/main.ts', '--port', String(port), '--data-dir', dataDir, ...delays],
    { cwd: tree, env: { PATH: process.env.PATH }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  endWithBench(child);
  await isListening(child, port);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
