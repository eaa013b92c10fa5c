import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { afterEach, describe, expect, it } from 'vitest';
import { clientAddress } from '../../../adapters/http/client-address.ts';

let server: Server | undefined;
afterEach(() => server?.close());

/** The address that a request counts for, which comes over 127.0.0.1 with this header. */
async function addressOf(trustedProxies: number, forwardedFor: string | undefined): Promise<string> {
  const app = new Koa();
  // as in the service, where the headers of proxies tell the scheme
  app.proxy = trustedProxies > 0;
  app.use(clientAddress(trustedProxies));
  app.use((ctx) => {
    ctx.body = ctx.ip;
  });
  server = createServer(app.callback());
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const headers: Record<string, string> = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return (await fetch(`http://127.0.0.1:${port}`, { headers })).text();
}

describe('a trusted-proxy setting that refuses to guess', () => {
  it.each([
    ['no proxy: the header is only what the client says', 0, '203.0.113.9', '127.0.0.1'],
    ['no proxy, no header', 0, undefined, '127.0.0.1'],
    ['one proxy: its entry', 1, '203.0.113.9', '203.0.113.9'],
    [
      'one proxy: what the client put before it does not count',
      1,
      '198.51.100.1, 10.0.0.1, 203.0.113.9',
      '203.0.113.9',
    ],
    ['two proxies: the entry of the outer one', 2, '198.51.100.1, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['fewer entries than proxies: the socket', 2, '198.51.100.1', '127.0.0.1'],
    ['proxies, but no header: the socket', 2, undefined, '127.0.0.1'],
    ['an entry that is no address: the socket', 1, 'unknown', '127.0.0.1'],
    ['an empty entry: the socket', 1, '198.51.100.1,', '127.0.0.1'],
    ['an entry with a port', 1, '203.0.113.9:4711', '203.0.113.9'],
    ['an IPv6 entry', 1, '2001:db8::1', '2001:db8::1'],
    ['an IPv6 entry with a port', 1, '[2001:db8::1]:4711', '2001:db8::1'],
  ])('%s', async (_, proxies, header, address) => {
    expect(await addressOf(proxies, header)).toBe(address);
  });
});
