import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 30_000;
const POLL_MS = 50;

/** Waits until a process listens on a port of the loopback interface. @throws Error where it ends, or does not in time */
export async function isListening(child: ChildProcess, port: number): Promise<void> {
  const givenUpAt = performance.now() + PATIENCE_MS;
  while (performance.now() < givenUpAt) {
    if (child.exitCode !== null) throw new Error(`the process ended with code ${child.exitCode}`);
    const socket = connect(port, '127.0.0.1');
    const open = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (open) return;
    await sleep(POLL_MS);
  }
  child.kill('SIGTERM');
  throw new Error(`nothing listens on port ${port}`);
}
