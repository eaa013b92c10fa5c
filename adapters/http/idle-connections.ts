import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a connection may be idle while an answer waits to be read. */
const IDLE_MS = 60_000;

/**
 * Closes connections on which nothing moves: between two calls (`keepAliveTimeout`), and in the middle of an answer that the client
 * does not read. A connection whose call is still running stays open: claims and imports take time. Requests that do not arrive have
 * limits of their own (`SERVER_OPTIONS`, `request-time.ts`).
 */
export function closeIdleConnections(server: Server, idleMs = IDLE_MS): void {
  const newest = new WeakMap<Socket, ServerResponse>();
  server.on('request', ({ socket }, response) => {
    newest.set(socket, response);
  });
  // without this listener Node would also close a connection whose call takes longer
  server.setTimeout(idleMs, (socket) => {
    const response = newest.get(socket);
    const isWorking = response !== undefined && !response.writableFinished && socket.writableLength === 0;
    if (!isWorking) socket.destroy();
  });
}
