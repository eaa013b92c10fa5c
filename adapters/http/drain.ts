import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long calls on open connections are still taken, each told to be the last. A proxy takes the process out of use meanwhile. */
const GRACE_MS = 1_000;

/**
 * Ends a server without cutting off a call: for a moment it goes on and asks each client to close its connection, then it takes no
 * new ones and waits for the answers under way.
 */
export async function drain(server: Server): Promise<void> {
  server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'));
  if (await hasConnections(server)) await sleep(GRACE_MS);
  await new Promise<void>((resolve) => {
    // this also closes the connections without a call
    server.close(() => resolve());
  });
}

function hasConnections(server: Server): Promise<boolean> {
  return new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error !== null || count > 0));
  });
}
