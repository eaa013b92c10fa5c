import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ChainThread, LocalnetLogger } from './chain-thread.ts';
import { MAX_BODY_BYTES, readBody } from './read-body.ts';

/** Browser partners call from any origin; the network has test data only. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, GET, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};

/**
 * The JSON-RPC endpoint: POST at `/`, and GET `/health` as clusters have it. Errors of JSON-RPC come with status 200.
 * @see https://solana.com/docs/rpc/http
 */
export function createHttpEndpoint(chain: ChainThread, logger: LocalnetLogger): Server {
  return createServer((request, response) => {
    serve(chain, request, response).catch((error: unknown) => {
      logger.error(`localnet: ${error instanceof Error ? error.message : String(error)}`);
      if (!response.headersSent) write(response, 503, 'text/plain', 'the local network is not available');
    });
  });
}

async function serve(chain: ChainThread, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'OPTIONS') return write(response, 204, undefined, undefined);
  const path = request.url?.split('?')[0];
  if (request.method === 'GET' && path === '/health') return write(response, 200, 'text/plain', 'ok');
  if (request.method !== 'POST') return write(response, 405, 'text/plain', 'use POST', { allow: 'POST, OPTIONS' });
  const text = await readBody(request);
  if (text === undefined) {
    return write(response, 413, 'text/plain', `at most ${MAX_BODY_BYTES} bytes`, { connection: 'close' });
  }
  const answer = await chain.request(text);
  if (answer === undefined) return write(response, 204, undefined, undefined);
  write(response, 200, 'application/json', answer);
}

function write(
  response: ServerResponse,
  status: number,
  type: string | undefined,
  body: string | undefined,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { ...CORS, ...(type ? { 'content-type': type } : {}), ...headers });
  response.end(body);
}
