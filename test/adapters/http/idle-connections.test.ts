import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { SERVER_OPTIONS } from '../../../adapters/http/client-errors.ts';
import { closeIdleConnections } from '../../../adapters/http/idle-connections.ts';

const IDLE_MS = 300;
const HEADERS_MS = 400;
/** More than any socket buffers. */
const LARGE = Buffer.alloc(64 * 1024 * 1024);

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<Socket> {
  const limits = { headersTimeout: HEADERS_MS, connectionsCheckingInterval: 50, keepAliveTimeout: IDLE_MS };
  server = createServer({ ...SERVER_OPTIONS, ...limits, keepAliveTimeoutBuffer: 0 }, listener);
  closeIdleConnections(server, IDLE_MS);
  server.listen(0);
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Milliseconds until the server closes; undefined where it has not in time. */
async function closedAfter(socket: Socket, patienceMs = 3_000): Promise<number | undefined> {
  const started = performance.now();
  const closed = once(socket, 'close').then(() => performance.now() - started);
  return Promise.race([closed, sleep(patienceMs, undefined)]);
}

const OK: RequestListener = (_, response) => void response.end('ok');
const CALL = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

describe('D-231: connections on which nothing moves are closed', () => {
  it('one that never sends anything', async () => {
    expect(await closedAfter(await serve(OK))).toBeLessThan(2_000);
  });

  it('one that sends its header a byte at a time (slowloris)', async () => {
    const socket = await serve(OK);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nX: ');
    const timer = setInterval(() => socket.write('a'), 50);
    socket.resume();
    expect(await closedAfter(socket)).toBeLessThan(2_000);
    clearInterval(timer);
  });

  it('one that has been answered and calls no more', async () => {
    const socket = await serve(OK);
    socket.write(CALL);
    socket.resume();
    expect(await closedAfter(socket)).toBeLessThan(2_000);
  });

  it('one that does not read its answer', async () => {
    const socket = await serve((_, response) => void response.end(LARGE));
    socket.pause();
    socket.write(CALL);
    await sleep(1_500);
    const open = await new Promise<number>((resolve) => server?.getConnections((_, count) => resolve(count)));
    expect(open).toBe(0);
  });

  it('but not one whose call takes longer, nor one that reads slowly', async () => {
    const late = await serve((_, response) => void setTimeout(() => response.end('late'), IDLE_MS * 4));
    let answer = '';
    late.on('data', (part) => {
      answer += part;
    });
    late.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await once(late, 'close');
    expect(answer).toMatch(/late$/);
    server?.close();

    const slow = await serve((_, response) => void response.end(LARGE));
    let bytes = 0;
    slow.on('data', (part: Buffer) => {
      bytes += part.length;
      slow.pause();
      setTimeout(() => slow.resume(), 1);
    });
    slow.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await once(slow, 'close');
    expect(bytes).toBeGreaterThan(LARGE.length);
  });
});
