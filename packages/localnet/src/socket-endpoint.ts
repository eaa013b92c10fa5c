import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ChainThread } from './chain-thread.ts';
import { MAX_BODY_BYTES } from './read-body.ts';

export interface SocketEndpoint {
  /** Accepts WebSocket upgrades of this server. */
  attach(server: Server): void;
  /** Sends to a connection; does nothing when it has gone. */
  send(connection: number, text: string): void;
  close(): void;
}

/** The WebSocket side of the endpoint. `chain` is a function because the thread needs `send` to start. */
export function createSocketEndpoint(chain: () => ChainThread): SocketEndpoint {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES });
  const connections = new Map<number, WebSocket>();
  let lastConnection = 0;

  sockets.on('connection', (socket) => {
    lastConnection += 1;
    const connection = lastConnection;
    connections.set(connection, socket);
    socket.on('message', (data) => chain().socketText(connection, String(data)));
    socket.on('close', () => {
      connections.delete(connection);
      chain().socketClosed(connection);
    });
    // A broken frame or a lost peer: "close" follows and cleans up.
    socket.on('error', () => socket.terminate());
  });

  return {
    attach(server) {
      server.on('upgrade', (request, socket, head) => {
        sockets.handleUpgrade(request, socket, head, (accepted) => sockets.emit('connection', accepted, request));
      });
    },
    send(connection, text) {
      connections.get(connection)?.send(text);
    },
    close() {
      for (const socket of connections.values()) socket.terminate();
      sockets.close();
    },
  };
}
