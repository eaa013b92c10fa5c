import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import Koa from 'koa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVER_OPTIONS } from '../../../adapters/http/client-errors.ts';
import { liftTimeLimit, limitRequestTime } from '../../../adapters/http/request-time.ts';

const LIMIT_MS = 300;

let server: Server;
beforeAll(async () => {
  const app = new Koa();
  app.use(limitRequestTime(LIMIT_MS));
  app.use(async (ctx) => {
    if (ctx.path === '/long') liftTimeLimit(ctx.req);
    let bytes = 0;
    for await (const chunk of ctx.req) bytes += (chunk as Buffer).length;
    ctx.body = String(bytes);
  });
  app.silent = true;
  server = createServer(SERVER_OPTIONS, app.callback()).listen(0);
  // as `client-errors.ts`, which has tests of its own
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => socket.end(`told ${error.code}`));
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends the second half of a body after a pause. @returns all that was answered */
async function sendSlowly(path: string, pauseMs: number): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port);
  let answer = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part;
  });
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 4\r\n\r\nab`);
  const timer = setTimeout(() => socket.write('cd'), pauseMs);
  socket.on('error', () => undefined);
  await once(socket, 'close');
  clearTimeout(timer);
  return answer;
}

test('a request whose body does not arrive in time is ended as Node ends it', async () => {
  expect(await sendSlowly('/short', 5_000)).toBe('told ERR_HTTP_REQUEST_TIMEOUT');
});

test('one that arrives in time, and one whose limit was lifted, are answered', async () => {
  expect(await sendSlowly('/short', 20)).toMatch(/^HTTP\/1\.1 200[\s\S]*\r\n\r\n4$/);
  expect(await sendSlowly('/long', LIMIT_MS * 3)).toMatch(/^HTTP\/1\.1 200[\s\S]*\r\n\r\n4$/);
});
