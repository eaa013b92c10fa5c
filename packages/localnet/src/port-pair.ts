import { createServer, type Server } from 'node:http';
import { LocalnetError } from './localnet-error.ts';

/** How many free ports are tried for one whose successor is free too. */
const TRIES = 50;

/**
 * Opens two servers on `port` and the next one; `@solana/web3.js` looks for the WebSocket there when a URL names a port.
 * Port 0 finds a free pair.
 * @returns the port of the first
 * @throws LocalnetError port_taken
 */
export async function listenOnPair(first: Server, second: Server, port: number, host: string): Promise<number> {
  for (let left = port === 0 ? TRIES : 1; ; left--) {
    const base = await listen(first, port, host);
    try {
      await listen(second, base + 1, host);
      return base;
    } catch (error) {
      await new Promise((resolve) => first.close(resolve));
      if (left <= 1) throw error;
    }
  }
}

/** A server that only upgrades to WebSocket, and refuses all other requests. */
export function createUpgradeOnlyServer(): Server {
  return createServer((_, response) => {
    response.writeHead(426, { 'content-type': 'text/plain', upgrade: 'websocket', connection: 'upgrade' });
    response.end('this port speaks WebSocket; JSON-RPC over HTTP is one port below');
  });
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      const advice = `port ${port} on ${host} is taken; the local network needs LOCALNET_PORT and the port after it`;
      reject(taken ? new LocalnetError('port_taken', advice) : error);
    };
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}
