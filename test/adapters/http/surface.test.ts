import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { afterEach, describe, expect, it } from 'vitest';
import { readBrowserCookie, writeBrowserCookie } from '../../../adapters/http/browser-cookie.ts';
import { isDependencyDown } from '../../../adapters/http/dependency.ts';
import type { RequestState } from '../../../adapters/http/request-state.ts';
import { routeSurfaces } from '../../../adapters/http/surface.ts';
import { DomainError } from '../../../src/errors.ts';

let server: Server | undefined;
afterEach(() => server?.close());

async function serve(app: Koa<RequestState>): Promise<number> {
  server = createServer(app.callback());
  await new Promise<void>((resolve) => server?.listen(0, resolve));
  return (server.address() as AddressInfo).port;
}

/** Which surface answers, for a host and a path. */
async function answering(urls: string[]) {
  const app = new Koa<RequestState>();
  app.use(
    routeSurfaces(
      urls.map((url) => ({
        url,
        handle: (ctx) => {
          ctx.body = url;
        },
      })),
    ),
  );
  const port = await serve(app);
  return (host: string, path: string) =>
    new Promise<string>((resolve, reject) => {
      const call = request({ port, path, headers: { host } }, async (answer) => {
        let text = '';
        for await (const chunk of answer) text += chunk;
        resolve(answer.statusCode === 404 ? 'nobody' : text);
      });
      call.on('error', reject);
      call.end();
    });
}

describe('surfaces on one host', () => {
  const urls = ['http://localhost:3000/fan', 'http://localhost:3000', 'http://localhost:3000/login'];

  it.each([
    ['/fan', 'http://localhost:3000/fan'],
    ['/fan/tickets', 'http://localhost:3000/fan'],
    ['/fans', 'http://localhost:3000'],
    ['/login/trpc/x', 'http://localhost:3000/login'],
    ['/oauth2/token', 'http://localhost:3000'],
    ['/', 'http://localhost:3000'],
    ['/Fan/tickets', 'http://localhost:3000'],
  ])('%s belongs to %s', async (path, url) => {
    const ask = await answering(urls);
    expect(await ask('localhost:3000', path)).toBe(url);
    // behind a proxy or in a container the host may have any name
    expect(await ask('10.0.0.7', path)).toBe(url);
  });
});

describe('surfaces on hosts of their own', () => {
  const urls = ['https://api.example', 'https://id.example', 'https://id.example/login'];

  it.each([
    ['api.example', '/tickets', 'https://api.example'],
    ['id.example', '/oauth2/token', 'https://id.example'],
    ['id.example', '/login', 'https://id.example/login'],
    ['api.example', '/login', 'https://api.example'],
    ['evil.example', '/tickets', 'nobody'],
    ['id.example.evil.example', '/login', 'nobody'],
  ])('%s%s belongs to %s', async (host, path, url) => {
    expect(await (await answering(urls))(host, path)).toBe(url);
  });
});

describe('the cookie that binds a session to its browser', () => {
  async function roundTrip(authUrl: string, cookie: string) {
    const app = new Koa<RequestState>();
    app.use((ctx) => {
      writeBrowserCookie(ctx, { authUrl }, 'br_secret');
      ctx.body = { read: readBrowserCookie(ctx, { authUrl }) ?? null };
    });
    const port = await serve(app);
    const answer = await fetch(`http://localhost:${port}/`, { headers: { cookie } });
    const body = (await answer.json()) as { read: string | null };
    return { read: body.read, written: answer.headers.getSetCookie()[0] };
  }

  it('RFC 6265bis §4.1.3.2: on https it is __Host-, Secure, and of no domain', async () => {
    const { written } = await roundTrip('https://id.example', '');
    expect(written).toBe('__Host-fan_browser=br_secret; Path=/; HttpOnly; SameSite=Lax; Secure');
  });

  it('on https a cookie without the prefix, which a sibling host can set, is not read', async () => {
    expect((await roundTrip('https://id.example', 'fan_browser=br_x')).read).toBeNull();
    server?.close();
    expect((await roundTrip('https://id.example', '__Host-fan_browser=br_x')).read).toBe('br_x');
  });

  it('on http it does without both, as browsers demand https for them', async () => {
    const { written, read } = await roundTrip('http://localhost:3000', 'fan_browser=br_x');
    expect({ written, read }).toEqual({
      written: 'fan_browser=br_secret; Path=/; HttpOnly; SameSite=Lax',
      read: 'br_x',
    });
  });
});

describe('what counts as a dependency that is away', () => {
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
  ])('%s for %o', (down, error) => {
    expect(isDependencyDown(error)).toBe(down);
  });
});
