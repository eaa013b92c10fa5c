import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { createEndpointFetch, endpointUrlFault } from '../../../../src/partners/notification/endpoint-url.ts';
import { createPublicFetch, type Lookup } from '../../../../src/platform/public-fetch.ts';
import { listen } from '../../../support/listen.ts';

const PRODUCTION = { notifications: { rate: 1, loopback: false } };
const DEVELOPMENT = { notifications: { rate: 1, loopback: true } };
let calls = 0;
const server = createServer((_, response) => {
  calls += 1;
  response.end();
});
const { port, stop } = await listen(server);
afterAll(stop);

describe('the address of an endpoint', () => {
  const INSIDE = [
    ...['127.0.0.1', '127.1', '0x7f000001', '017700000001', '10.0.0.1', '[::1]', '[::ffff:10.0.0.1]', '[::7f00:1]'],
    ...['169.254.169.254', '[2002:7f00:1::]', '[64:ff9b::7f00:1]', '[64:ff9b:1::a00:1]', '[2001::1]', '[fe80::1]'],
    ...['[fd00:ec2::254]', '[fec0::1]', '[2001:db8::1]'],
  ];
  it.each<[string, RegExp]>([
    ...INSIDE.map((host): [string, RegExp] => [`https://${host}/`, /public/]),
    ['http://partner.example/events', /https/],
    ['https://user:pass@partner.example/', /user name/],
    ['https://partner.example/#x', /fragment/],
    ['https://partner.example:22/', /port/],
    ['https://partner.example:6379/', /port/],
    ['https://x.example\\@y.example/', /U\+005C/],
    ['https://partner.example/%zz', /%/],
    ['nonsense', /https address/],
    [`https://partner.example/${'x'.repeat(500)}`, /500/],
  ])('refuses %s', (url, why) => {
    expect(endpointUrlFault(PRODUCTION, url)).toMatch(why);
  });

  it.each(['https://partner.example/events', 'https://partner.example:8443/a?b=c', 'https://1.1.1.1/'])(
    'takes %s',
    (url) => {
      expect(endpointUrlFault(PRODUCTION, url)).toBeUndefined();
    },
  );

  it('loopback is for development alone', () => {
    expect(endpointUrlFault(DEVELOPMENT, 'http://localhost:4000/events')).toBeUndefined();
    expect(endpointUrlFault(DEVELOPMENT, 'http://[::1]:4000/events')).toBeUndefined();
    expect(endpointUrlFault(DEVELOPMENT, 'http://10.0.0.1/')).toMatch(/public/);
    expect(endpointUrlFault(PRODUCTION, 'http://localhost:4000/events')).toMatch(/public/);
  });
});

/** A name with one address after the other, or with several at once where a space is between them. */
function rebinding(...addresses: string[]): { lookup: Lookup; asked: () => number } {
  let asked = 0;
  const lookup = ((_: string, __: object, callback: (error: null, all: LookupAddress[]) => void) => {
    const all = (addresses[Math.min(asked, addresses.length - 1)] ?? '').split(' ');
    asked += 1;
    callback(
      null,
      all.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  }) as unknown as Lookup;
  return { lookup, asked: () => asked };
}

const causeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    ({ cause }: { cause?: Error }) => cause?.message ?? '',
  );

describe('a name is checked by the address that is connected to', () => {
  it.each([
    ...['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1'],
    ...['64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::', 'fe80::1', '1.1.1.1 127.0.0.1'],
  ])('a name that leads to %s is not connected to', async (address) => {
    const { lookup } = rebinding(address);
    const call = createEndpointFetch(PRODUCTION, lookup)('https://rebind.example/', { method: 'POST', body: 'x' });
    expect(await causeOf(call)).toMatch(/not a public address/);
  });

  it('DNS rebinding: the second lookup of another connection is checked as well, and nothing is resolved between check and connection', async () => {
    const { lookup, asked } = rebinding('127.0.0.1', '127.0.0.1');
    const fetch = createPublicFetch({ mostBytes: 1_000, lookup });
    expect(await causeOf(fetch('https://rebind.example/', {}))).toMatch(/not a public address/);
    expect(await causeOf(fetch('https://rebind.example/', {}))).toMatch(/not a public address/);
    expect(asked()).toBe(2);
  });

  it('a call connects to the address that the one lookup gave, by the name', async () => {
    const { lookup, asked } = rebinding('127.0.0.1', '10.0.0.1');
    const fetch = createPublicFetch({ mostBytes: 1_000, loopback: true, lookup });
    const answer = await fetch(`http://localhost:${port}/`, {});
    expect(answer.status).toBe(200);
    expect(asked()).toBe(1);
    expect(calls).toBe(1);
  });
});
