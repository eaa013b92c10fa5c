import { type Child, type ChildOptions, startChild } from '../support/child.ts';

/** A process that can be killed and started again at the same address. */
export interface Restartable {
  name: string;
  start(): Promise<void>;
  /** `SIGKILL`: without a moment to tidy up. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Describes a process; `start` starts it. */
export function restartable(name: string, file: string, options: ChildOptions): Restartable {
  let child: Child | undefined;
  return {
    name,
    async start() {
      child = await startChild(file, options);
    },
    async kill() {
      await child?.kill('SIGKILL');
    },
    async stop() {
      if (child?.isRunning()) await child.kill('SIGTERM');
    },
  };
}
