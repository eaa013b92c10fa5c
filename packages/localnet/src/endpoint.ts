import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { LocalnetError } from './localnet-error.ts';

/** The largest request body and WebSocket message, in bytes: a batch of a few hundred transactions. */
const MAX_BODY_BYTES = 1024 * 1024;

/** How many free ports are tried for one whose successor is free too. */
const TRIES = 50;

/** Browser partners call from any origin; the network has test data only. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, GET, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};

/** What answers JSON-RPC texts; undefined for notifications. */
export interface Answers {
  http(text: string): string | undefined;
  socket(socket: WebSocket, text: string): string | undefined;
  socketClosed(socket: WebSocket): void;
}

export interface Endpoint {
  port: number;
  close(): void;
}

/**
 * Opens the JSON-RPC endpoint of a cluster: POST at `/`, which answers JSON-RPC errors with status 200, GET `/health`, and WebSocket on
 * this port and on the next one, where web3.js looks for it. Port 0 finds a free pair.
 * @see https://solana.com/docs/rpc/http
 * @throws LocalnetError port_taken
 */
export async function openEndpoint(answers: Answers, port: number, host: string): Promise<Endpoint> {
  const server = createServer((request, response) => {
    serve(answers, request, response).catch(() => response.destroy());
  });
  const beside = createServer((_, response) => {
    response.writeHead(426, { 'content-type': 'text/plain', upgrade: 'websocket', connection: 'upgrade' });
    response.end('this port speaks WebSocket; JSON-RPC over HTTP is one port below');
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES });
  for (const each of [server, beside]) {
    each.on('upgrade', (request, socket, head) => {
      sockets.handleUpgrade(request, socket, head, (accepted) => sockets.emit('connection', accepted, request));
    });
  }
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      const answer = answers.socket(socket, String(data));
      if (answer !== undefined) socket.send(answer);
    });
    socket.on('close', () => answers.socketClosed(socket));
    // A broken frame or a lost peer: "close" follows and cleans up.
    socket.on('error', () => socket.terminate());
  });
  const bound = await listenOnPair(server, beside, port, host);
  return {
    port: bound,
    close() {
      for (const each of [server, beside]) {
        each.close();
        each.closeAllConnections();
      }
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
}

async function serve(answers: Answers, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const write = (status: number, type?: string, body?: string, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { ...CORS, ...(type && { 'content-type': type }), ...headers });
    response.end(body);
  };
  if (request.method === 'OPTIONS') return write(204);
  const path = request.url?.split('?')[0];
  if (request.method === 'GET' && path === '/health') return write(200, 'text/plain', 'ok');
  if (request.method !== 'POST') return write(405, 'text/plain', 'use POST', { allow: 'POST, OPTIONS' });
  const text = await readBody(request);
  if (text === undefined) {
    return write(413, 'text/plain', `at most ${MAX_BODY_BYTES} bytes`, { connection: 'close' });
  }
  const answer = answers.http(text);
  if (answer === undefined) return write(204);
  write(200, 'application/json', answer);
}

/** Reads the whole body of a request, since a client may read no answer while it writes; undefined when the body is too long. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return length > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
}

async function listenOnPair(first: Server, second: Server, port: number, host: string): Promise<number> {
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
