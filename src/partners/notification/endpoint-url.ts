import type { Config } from '../../platform/config/config.ts';
import { uriFault } from '../../platform/identifier/uri-fault.ts';
import { addressFault, createPublicFetch, type Fetch, type Lookup } from '../../platform/public-fetch.ts';

type Settings = Pick<Config, 'notifications'>;

/** Where an endpoint may listen: no port of another protocol. */
const PORTS = [443, 8443];
const MOST_CHARACTERS = 500;
/** Bytes of an answer, of which the log keeps the beginning. */
const MOST_ANSWER = 64 * 1024;
/** Connections to one origin: as many as attempts at one endpoint. */
const CONNECTIONS = 32;

/** The fault of the address of an endpoint; undefined where there is none. Continues a sentence. */
export function endpointUrlFault({ notifications }: Settings, url: string): string | undefined {
  if (url.length > MOST_CHARACTERS || !URL.canParse(url)) {
    return `must be an https address of up to ${MOST_CHARACTERS} characters`;
  }
  const { username, password, hash } = new URL(url);
  if (username !== '' || password !== '' || hash !== '') return 'must have no user name, password or fragment';
  return addressFault(url, { ports: PORTS, loopback: notifications.loopback }) ?? uriFault(url);
}

/** `fetch` to endpoints. @param lookup the system's by default */
export function createEndpointFetch({ notifications }: Settings, lookup?: Lookup): Fetch {
  return createPublicFetch({
    mostBytes: MOST_ANSWER,
    ports: PORTS,
    connections: CONNECTIONS,
    loopback: notifications.loopback,
    ...(lookup && { lookup }),
  });
}
