import type { SendHandle } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';

/**
 * Starts a worker. `node:cluster` gives each new connection to a worker that is free, and forgets one that was on its way to a worker
 * that died: the primary keeps it open, and its client waits for nothing. So the last one is remembered here, and closed then.
 */
export function forkWorker(): Worker {
  const worker = cluster.fork();
  const { process: child } = worker;
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  let last: SendHandle | undefined;
  child.send = (...args: unknown[]) => {
    if (args[1]) last = args[1] as SendHandle;
    return send(...args);
  };
  worker.once('exit', (code) => {
    // one that drained gave back what it did not take
    if (code !== 0 && last !== undefined && 'close' in last) last.close();
  });
  // a message to a worker that has just died; its end is handled where it is seen
  worker.on('error', () => {});
  return worker;
}
