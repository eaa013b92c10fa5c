import { lookup as systemLookup } from 'node:dns';
import ipaddr from 'ipaddr.js';

/** Bytes; documents of a provider have a few thousand. */
const MOST_BYTES = 1024 * 1024;

/** All of IPv6 that is routed on the internet. Outside of it are `::a.b.c.d`, `64:ff9b:1::/48` and other prefixes that lead to IPv4. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/** Whether an address is on the public internet: no loopback, private, link-local, shared, reserved, translated or multicast one. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // an IPv4-mapped address counts as its IPv4 address
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_IPV6));
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** How a host name is resolved: as `dns.lookup` with `all`. */
export type Lookup = typeof systemLookup;

/** `fetch`, as far as its callers use it. */
export type Fetch = (url: string, options: RequestInit) => Promise<Response>;

export interface PublicFetchOptions {
  /** The largest answer, in bytes. */
  mostBytes: number;
  /** Ports that may be called; any by default. */
  ports?: readonly number[];
  /** For development: loopback addresses are called too, by http and on any port. */
  loopback?: boolean;
  /** Connections to one origin at a time; no limit by default. */
  connections?: number;
  /** The system's by default. */
  lookup?: Lookup;
}

/**
 * `fetch` for an address chosen outside of this service: https only, public addresses only, no redirects, and no large answers. The
 * caller's signal limits the time.
 *
 * It connects to the addresses that were checked: the check is part of the connection's own lookup, so a name can't have another address
 * a moment later. A literal IP address is not resolved; it is checked before.
 */
export function createPublicFetch({ ports, loopback = false, ...connecting }: PublicFetchOptions): Fetch {
  let connected: Promise<Fetch> | undefined;
  return async (url, init) => {
    const fault = addressFault(url, { loopback, ...(ports !== undefined && { ports }) });
    if (fault !== undefined) throw new TypeError('fetch failed', { cause: new Error(`${originOf(url)} ${fault}`) });
    connected ??= connect({ loopback, ...connecting });
    return (await connected)(url, init);
  };
}

/** Loads undici, which takes 14 MB: a process that calls nobody does without. */
async function connect({
  mostBytes,
  loopback,
  connections,
  lookup = systemLookup,
}: PublicFetchOptions): Promise<Fetch> {
  const { Agent, fetch } = await import('undici');
  const isAllowed = (address: string) => isPublicAddress(address) || (loopback && isLoopback(address));
  const agent = new Agent({
    maxResponseSize: mostBytes,
    ...(connections !== undefined && { connections }),
    connect: {
      lookup(hostname, given, callback) {
        lookup(hostname, { ...given, all: true }, (error, addresses) => {
          const bad = error ? undefined : addresses.find(({ address }) => !isAllowed(address));
          if (error || bad) return callback(error ?? new Error(`${hostname} is not a public address`), []);
          callback(null, addresses);
        });
      },
    },
  });
  return async (url, init) => {
    const answer = await fetch(url, { ...(init as object), redirect: 'manual', dispatcher: agent });
    return answer as unknown as Response;
  };
}

/** `createPublicFetch` with its defaults and answers of up to 1 MiB. */
export const publicFetch = createPublicFetch({ mostBytes: MOST_BYTES });

/**
 * The fault of an address that shows before its name is resolved; undefined where there is none. Continues a sentence.
 * @param options as of `createPublicFetch`
 */
export function addressFault(
  url: string,
  { ports, loopback = false }: Pick<PublicFetchOptions, 'ports' | 'loopback'>,
): string | undefined {
  const { protocol, hostname, port } = new URL(url);
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const isOwn = loopback && (isLoopback(literal) || literal === 'localhost');
  if (protocol !== 'https:' && !(isOwn && protocol === 'http:')) return 'is not a public https address';
  if (ipaddr.isValid(literal) && !isPublicAddress(literal) && !isOwn) return 'is not a public https address';
  if (ports !== undefined && !isOwn && !ports.includes(port === '' ? 443 : Number(port))) {
    return `has a port other than ${ports.join(' and ')}`;
  }
  return undefined;
}

function originOf(url: string): string {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}`;
}
