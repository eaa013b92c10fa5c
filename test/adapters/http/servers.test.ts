import { once } from 'node:events';
import { createServer, get, type RequestListener, request, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import Koa from 'koa';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readBrowserCookie } from '../../../adapters/http/browser-cookie.ts';
import { clientAddress } from '../../../adapters/http/client-address.ts';
import { answerClientErrors, isClientError, SERVER_OPTIONS } from '../../../adapters/http/client-errors.ts';
import { isDependencyDown } from '../../../adapters/http/dependency.ts';
import { closeIdleConnections } from '../../../adapters/http/idle-connections.ts';
import { readBody } from '../../../adapters/http/read-body.ts';
import { RequestError } from '../../../adapters/http/request-error.ts';
import type { Handler, RequestState } from '../../../adapters/http/request-state.ts';
import { liftTimeLimit, limitRequestTime } from '../../../adapters/http/request-time.ts';
import { routeSurfaces } from '../../../adapters/http/surface.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import { listen as listenLocally } from '../../support/listen.ts';

const stops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

/** Serves until the tests of this file are over. @returns the port */
async function listen(server: Server): Promise<number> {
  const { port, stop } = await listenLocally(server);
  stops.push(stop);
  return port;
}

const connectionsOf = (server: Server) => promisify(server.getConnections).call(server);

/** Serves by Koa. @returns the address */
async function serveKoa(...handlers: Handler[]): Promise<string> {
  const app = new Koa<RequestState>();
  app.silent = true;
  // as in the service, where the headers of proxies tell the scheme
  app.proxy = true;
  for (const handle of handlers) app.use(handle as Koa.Middleware<RequestState>);
  return `http://127.0.0.1:${await listen(createServer(app.callback()))}/`;
}

/** The address that a request counts for, which comes over 127.0.0.1 with this header. */
async function addressOf(trustedProxies: number, forwardedFor: string | undefined): Promise<string> {
  const url = await serveKoa(clientAddress(trustedProxies), (ctx) => {
    ctx.body = ctx.ip;
  });
  const headers: Record<string, string> = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return (await fetch(url, { headers })).text();
}

it.each([
  ['no proxy: the header is only what the client says', 0, '203.0.113.9', '127.0.0.1'],
  ['no proxy, no header', 0, undefined, '127.0.0.1'],
  ['one proxy: its entry', 1, '203.0.113.9', '203.0.113.9'],
  ['one proxy: no entry of the client', 1, '198.51.100.1, 10.0.0.1, 203.0.113.9', '203.0.113.9'],
  ['two proxies: the entry of the outer one', 2, '198.51.100.1, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['fewer entries than proxies: the socket', 2, '198.51.100.1', '127.0.0.1'],
  ['proxies, but no header: the socket', 2, undefined, '127.0.0.1'],
  ['an entry that is no address: the socket', 1, 'unknown', '127.0.0.1'],
  ['an empty entry: the socket', 1, '198.51.100.1,', '127.0.0.1'],
  ['an entry with a port', 1, '203.0.113.9:4711', '203.0.113.9'],
  ['an IPv6 entry', 1, '2001:db8::1', '2001:db8::1'],
  ['an IPv6 entry with a port', 1, '[2001:db8::1]:4711', '2001:db8::1'],
])('a trusted-proxy setting refuses to guess: %s', async (_, proxies, header, address) => {
  expect(await addressOf(proxies, header)).toBe(address);
});

describe('request bodies', () => {
  let url: string;
  beforeAll(async () => {
    url = await serveKoa(async (ctx) => {
      try {
        ctx.body = { text: await readBody(ctx, 'application/json') };
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        ctx.status = error.status;
        ctx.body = { message: error.message };
      }
    });
  });

  async function post(body: RequestInit['body'], contentType = 'application/json', init: RequestInit = {}) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body: body ?? null,
      ...init,
    });
    return { status: answer.status, body: (await answer.json()) as { text?: string; message?: string } };
  }

  const kib64 = 'x'.repeat(65_536);
  const broken = new Uint8Array([0x7b, 0xff, 0x7d]);
  it.each<[number, string, RequestInit['body'], string]>([
    [200, 'a type with a charset', '{"ü":1}', 'application/json; charset=utf-8'],
    [200, 'a type in another case', '{}', 'APPLICATION/JSON'],
    ...['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'multipart/form-data', 'x'].map(
      (type): [number, string, string, string] => [415, type, '{}', type],
    ),
    [200, '64 KiB', kib64, 'application/json'],
    [413, 'one byte more', `${kib64}x`, 'application/json'],
    [413, 'more, with no length announced', new Blob([`${kib64}x`]).stream(), 'application/json'],
    [400, 'what is no UTF-8', broken, 'application/json'],
  ])('%i for %s', async (status, _, body, type) => {
    const answer = await post(body, type, { duplex: 'half' } as RequestInit);
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body.text).toBe(body);
    if (status === 415) expect(answer.body.message).toContain('application/json');
  });
});

describe('the time that a request may take', () => {
  const LIMIT_MS = 150;

  let port: number;
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
    const server = createServer(SERVER_OPTIONS, app.callback());
    // as `client-errors.ts`, which has tests of its own
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => socket.end(`told ${error.code}`));
    port = await listen(server);
  });

  /** Sends the second half of a body after a pause. @returns all that was answered */
  async function sendSlowly(path: string, pauseMs: number): Promise<string> {
    const socket = connect(port);
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 4\r\n\r\nab`);
    const timer = setTimeout(() => socket.write('cd'), pauseMs);
    return text(socket).finally(() => clearTimeout(timer));
  }

  it('a request whose body does not arrive in time is ended as Node ends it', async () => {
    expect(await sendSlowly('/short', 5_000)).toBe('told ERR_HTTP_REQUEST_TIMEOUT');
  });

  it('one that arrives in time, and one whose limit was lifted, are answered', async () => {
    expect(await sendSlowly('/short', 20)).toMatch(/^HTTP\/1\.1 200[\s\S]*\r\n\r\n4$/);
    expect(await sendSlowly('/long', LIMIT_MS * 3)).toMatch(/^HTTP\/1\.1 200[\s\S]*\r\n\r\n4$/);
  });
});

/** Which surface answers, for a host and a path. */
async function answering(urls: string[]) {
  const origin = await serveKoa(
    routeSurfaces(
      urls.map((url) => ({
        url,
        handle: (ctx) => {
          ctx.body = url;
        },
      })),
    ),
  );
  return async (host: string, path: string) => {
    // `fetch` names no other host
    const [answer] = await once(request(origin, { path, headers: { host } }).end(), 'response');
    const body = await text(answer);
    return answer.statusCode === 404 ? 'nobody' : body;
  };
}

const ONE_HOST = ['http://localhost:3000/fan', 'http://localhost:3000', 'http://localhost:3000/login'];
const OWN_HOSTS = ['https://api.example', 'https://id.example', 'https://id.example/login'];

it.each([
  ['/fan', 'http://localhost:3000/fan'],
  ['/fan/tickets', 'http://localhost:3000/fan'],
  ['/fans', 'http://localhost:3000'],
  ['/login/trpc/x', 'http://localhost:3000/login'],
  ['/oauth2/token', 'http://localhost:3000'],
  ['/', 'http://localhost:3000'],
  ['/Fan/tickets', 'http://localhost:3000'],
])('surfaces on one host, behind a proxy or in a container with any name: %s belongs to %s', async (path, url) => {
  const ask = await answering(ONE_HOST);
  expect([await ask('localhost:3000', path), await ask('10.0.0.7', path)]).toEqual([url, url]);
});

it.each([
  ['api.example', '/tickets', 'https://api.example'],
  ['id.example', '/oauth2/token', 'https://id.example'],
  ['id.example', '/login', 'https://id.example/login'],
  ['api.example', '/login', 'https://api.example'],
  ['evil.example', '/tickets', 'nobody'],
  ['id.example.evil.example', '/login', 'nobody'],
])('surfaces on hosts of their own: %s%s belongs to %s', async (host, path, url) => {
  expect(await (await answering(OWN_HOSTS))(host, path)).toBe(url);
});

it('RFC 6265bis §4.1.3.2: on https a cookie without the prefix __Host-, which a sibling host can set, is not read', async () => {
  const url = await serveKoa((ctx) => {
    ctx.body = readBrowserCookie(ctx, { authUrl: 'https://id.example' }) ?? 'none';
  });
  const read = async (cookie: string) => (await fetch(url, { headers: { cookie } })).text();
  expect([await read('fan_browser=br_x'), await read('__Host-fan_browser=br_x')]).toEqual(['none', 'br_x']);
});

it.each([
  [true, Object.assign(new Error('x'), { code: 'ECONNREFUSED' })],
  [true, Object.assign(new Error('x'), { code: '57P01' })],
  [true, Object.assign(new Error('deadlock detected'), { code: '40P01' })],
  [true, Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })],
  [true, new Error('timeout exceeded when trying to connect')],
  [true, new Error('wrapped', { cause: new Error('Connection terminated unexpectedly') })],
  [true, new DomainError('unavailable', 'The chain is away.')],
  [false, new DomainError('not_found', 'No such ticket.')],
  [false, Object.assign(new Error('duplicate key'), { code: '23505' })],
  [false, new Error('a fault of ours')],
  [false, 'a text'],
  [false, undefined],
])('a dependency that is away: %s for %o', (down, error) => {
  expect(isDependencyDown(error)).toBe(down);
});

describe('errors of clients', () => {
  let server: Server;
  let logged: string[];
  afterEach(() => server.closeAllConnections());

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
    answerClientErrors(server, log);
    return { port: await listen(server), faults };
  }

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

  it('a client that keeps its side of a refused connection open is cut off', async () => {
    const { port } = await serve(() => {});
    const socket = connect({ port, host: 'localhost', allowHalfOpen: true });
    socket.on('error', () => {});
    socket.write('\x01garbage\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
    socket.write('more of it');
    const open = () => connectionsOf(server);
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

    it.each(['/slow', '/started'])(
      'garbage behind a good request (%s): that is answered, the connection closed, nothing else said',
      async (path) => {
        const { socket, tell, began } = await slow();
        socket.write(GOOD.replace('/slow', path));
        await began;
        const answer = text(socket);
        socket.write('\x01garbage\r\n\r\n');
        setTimeout(tell, 50);
        const answered = await Promise.race([answer, sleep(5_000, 'still open', { ref: false })]);
        if (path === '/started') expect(answered).toMatch(/begun.*slow/s);
        else expect(answered).toMatch(/^HTTP\/1\.1 200 .*\r\nConnection: close\r\n.*\r\n\r\nslow$/s);
      },
    );

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
});

describe('connections on which nothing moves are closed', () => {
  const IDLE_MS = 300;
  const HEADERS_MS = 400;
  /** More than any socket buffers. */
  const LARGE = Buffer.alloc(24 * 1024 * 1024);

  let server: Server;
  afterEach(() => server.closeAllConnections());

  async function serve(listener: RequestListener, idleMs = IDLE_MS): Promise<Socket> {
    const limits = { headersTimeout: HEADERS_MS, connectionsCheckingInterval: 50, keepAliveTimeout: IDLE_MS };
    server = createServer({ ...SERVER_OPTIONS, ...limits, keepAliveTimeoutBuffer: 0 }, listener);
    closeIdleConnections(server, idleMs);
    const socket = connect(await listen(server));
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  /** Milliseconds until the server closes; undefined where it has not in time. */
  async function closedAfter(socket: Socket, patienceMs = 3_000): Promise<number | undefined> {
    const started = performance.now();
    // a reset is a close too, where `once` of events would reject
    const closed = new Promise<number>((resolve) => socket.once('close', () => resolve(performance.now() - started)));
    return Promise.race([closed, sleep(patienceMs, undefined)]);
  }

  const OK: RequestListener = (_, response) => void response.end('ok');
  const CALL = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

  it.each<[string, string, string]>([
    ['never sends anything', '', ''],
    ['sends its header a byte at a time (slowloris)', 'GET / HTTP/1.1\r\nHost: x\r\nX: ', 'a'],
    ['has been answered and calls no more', CALL, ''],
  ])('one that %s', async (_, first, more) => {
    const socket = await serve(OK);
    socket.write(first);
    const timer = setInterval(() => socket.write(more), 50);
    socket.resume();
    expect(await closedAfter(socket)).toBeLessThan(2_000);
    clearInterval(timer);
  });

  it('one that does not read its answer', async () => {
    const socket = await serve((_, response) => void response.end(LARGE));
    socket.pause();
    socket.write(CALL);
    const open = () => connectionsOf(server);
    await expect.poll(open, { timeout: 5_000 }).toBe(0);
  });

  it('but not one whose call takes longer, nor one that reads slowly', async () => {
    const late = await serve((_, response) => void setTimeout(() => response.end('late'), IDLE_MS * 4));
    late.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await text(late)).toMatch(/late$/);

    // beside load this thread may stand still for a while
    const slow = await serve((_, response) => void response.end(LARGE), 1_000);
    let bytes = 0;
    slow.on('data', (part: Buffer) => {
      bytes += part.length;
      slow.pause();
      setTimeout(() => slow.resume(), 5);
    });
    slow.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await once(slow, 'close');
    expect(bytes).toBeGreaterThan(LARGE.length);
  });
});
