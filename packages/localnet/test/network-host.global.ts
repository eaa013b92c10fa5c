import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the process that hosts the Solana networks of the run (`network-host.ts`). */
    networkHost: string;
  }
}

/** One host of networks for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const file = fileURLToPath(new URL('./network-host.ts', import.meta.url));
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const printed = await Promise.race([once(child.stdout, 'data'), ended.then(() => [undefined])]);
  if (printed[0] === undefined) throw new Error('The host of the Solana networks ended before it printed its URL');
  project.provide('networkHost', String(printed[0]).trim());
  return async () => {
    child.kill();
    await ended;
  };
}
