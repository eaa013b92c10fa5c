import { createServer, get, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import Koa from 'koa';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { answerClientErrors, isClientError, SERVER_OPTIONS } from '../../../adapters/http/client-errors.ts';
import { createPlainPages } from '../../../adapters/plain-pages/plain-pages.ts';
import { readConfig } from '../../../src/config/config.ts';

let server: Server;
let logged: string[];
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Whose fault Koa's errors are, of an application with one handler. */
async function serve(handle: Koa.Middleware): Promise<{ port: number; faults: boolean[] }> {
  const faults: boolean[] = [];
  const app = new Koa();
  app.silent = true;
  app.on('error', (error: unknown, ctx?: Koa.Context) => faults.push(isClientError(error, ctx)));
  app.use(handle);
  server = createServer(SERVER_OPTIONS, app.callback());
  logged = [];
  const log = pino({ level: 'debug' }, { write: (line) => void logged.push(line) });
  const pages = await createPlainPages(readConfig({}));
  answerClientErrors(server, {
    log,
    shapeOf: () => 'fan',
    protectionOf: () => ({}),
    helpLinkOf: () => undefined,
    pages,
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return { port: (server.address() as AddressInfo).port, faults };
}

describe('whose fault an error is', () => {
  it('a client that leaves a download is its own fault', async () => {
    const { port, faults } = await serve((ctx) => {
      ctx.body = Readable.from(
        (async function* () {
          for (;;) yield 'x'.repeat(65_536);
        })(),
      );
    });
    const call = get({ port }, (answer) => answer.once('data', () => call.destroy()));
    call.on('error', () => {});
    await expect.poll(() => faults.length).toBeGreaterThan(0);
    expect(faults).not.toContain(false);
  });

  it('a request that can not be met is the fault of the client', async () => {
    const { port, faults } = await serve((ctx) => ctx.throw(400, 'no'));
    await fetch(`http://localhost:${port}/`);
    expect(faults).toEqual([true]);
  });

  it.each(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'])('%s of a connection of ours is not', async (code) => {
    const { port, faults } = await serve((ctx) => {
      // what was sent is over, so nothing of the client's can have broken
      if (code === 'ERR_STREAM_PREMATURE_CLOSE') ctx.res.end();
      throw Object.assign(new Error('the database went away'), { code });
    });
    await fetch(`http://localhost:${port}/`);
    await expect.poll(() => faults.length).toBeGreaterThan(0);
    expect(faults).toEqual([false]);
  });
});

it('a client that keeps its side of a refused connection open is cut off', async () => {
  const { port } = await serve(() => {});
  const socket = connect({ port, host: 'localhost', allowHalfOpen: true });
  socket.on('error', () => {});
  socket.write('\x01garbage\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  socket.write('more of it');
  const open = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  expect(await open()).toBe(1);
  await expect.poll(open, { timeout: 10_000 }).toBe(0);
  socket.destroy();
  // whatever it sends
  expect(logged.length).toBe(1);
});

describe('a request that breaks while another one is answered', () => {
  /** Answers `/slow` when told to. */
  async function slow() {
    const { promise: told, resolve: tell } = Promise.withResolvers<void>();
    const { promise: began, resolve: begin } = Promise.withResolvers<void>();
    const { port } = await serve(async (ctx) => {
      begin();
      if (ctx.path === '/started') {
        ctx.res.writeHead(200, { 'content-type': 'text/plain' });
        ctx.res.write('begun');
      }
      await told;
      ctx.body = 'slow';
    });
    const socket = connect(port, 'localhost');
    socket.on('error', () => {});
    return { socket, tell, began };
  }
  const GOOD = 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n';

  it('garbage behind a good request: that is answered, the connection closed, nothing else said', async () => {
    const { socket, tell, began } = await slow();
    socket.write(GOOD);
    await began;
    socket.write('\x01garbage\r\n\r\n');
    setTimeout(tell, 50);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*\r\nConnection: close\r\n.*\r\n\r\nslow$/s);
  });

  it('the same where the answer has begun by then', async () => {
    const { socket, tell, began } = await slow();
    socket.write('GET /started HTTP/1.1\r\nHost: x\r\n\r\n');
    await began;
    const answer = text(socket);
    socket.write('\x01garbage\r\n\r\n');
    setTimeout(tell, 50);
    expect(await Promise.race([answer, sleep(5_000, 'still open', { ref: false })])).toMatch(/begun.*slow/s);
  });

  it('a broken body behind a good request: no answer that could be taken for that of the good one', async () => {
    const { socket, began } = await slow();
    socket.write(`${GOOD}POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`);
    await began;
    expect(await text(socket).catch(() => '')).toBe('');
  });

  it('a body that breaks once the answer has begun: no second answer in it', async () => {
    const { socket, began } = await slow();
    socket.write('POST /started HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n');
    await began;
    const received = text(socket).catch(() => '');
    socket.write('zz\r\n');
    expect(await received).not.toContain('400');
  });
});
