import { lookup } from 'node:dns';
import ipaddr from 'ipaddr.js';
import { Agent, fetch as undiciFetch } from 'undici';

/** Bytes; documents of a provider have a few thousand. */
const MOST_BYTES = 1024 * 1024;

/** Whether an address is of the public internet: no loopback, private, link-local, shared, reserved or multicast one. */
export function isPublicAddress(address: string): boolean {
  // an IPv4 address in IPv6 counts as what it leads to
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

/**
 * Connects to public addresses only. The address is checked when a name was resolved for this very connection, so a name can't
 * have another one a moment later.
 */
const agent = new Agent({
  maxResponseSize: MOST_BYTES,
  connect: {
    lookup(hostname, options, callback) {
      lookup(hostname, { ...options, all: true }, (error, addresses) => {
        const bad = error ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
        if (error || bad) return callback(error ?? new Error(`${hostname} is not a public address`), []);
        callback(null, addresses);
      });
    },
  },
});

/**
 * `fetch` for an address that somebody outside has chosen: https only, public addresses only, no redirects, and answers up to
 * 1 MiB. The caller's signal limits the time.
 */
export async function publicFetch(url: string, options: RequestInit): Promise<Response> {
  const { protocol, hostname } = new URL(url);
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  // an address that is written out is not resolved
  if (protocol !== 'https:' || (ipaddr.isValid(literal) && !isPublicAddress(literal))) {
    throw new TypeError('fetch failed', { cause: new Error(`${protocol}//${hostname} is not a public https address`) });
  }
  const answer = await undiciFetch(url, { ...(options as object), redirect: 'manual', dispatcher: agent });
  return answer as unknown as Response;
}
