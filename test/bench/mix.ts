import type { Load, LoadRequest } from './load.ts';
import { PATH_NAMES, PATHS, type PathName } from './paths.ts';
import { measureRounds, type Stretch } from './rounds.ts';
import { openServer, type Server } from './server.ts';

/** The mix of the page of capacity: how many of a thousand requests a path has. */
export const MIX: Record<PathName, number> = {
  exchange: 50,
  refresh: 100,
  userinfo: 350,
  tickets: 450,
  listings: 45,
  claims: 5,
};

/** What the page of capacity computes with. */
export interface MixFigures {
  /** Each path alone. */
  paths: Record<PathName, Stretch>;
  mix: Stretch;
}

/** Requests in flight to both processes: so few that hardly any share a statement, as on a machine that has room left. */
const IN_FLIGHT = 4;
/** Requests of the mix in a round. */
const REQUESTS = 8_000;
const WARM_UP = 2;

/** Sends each path alone, and then all together, to two processes. @param rounds the medians of so many count */
export async function measureMix(rounds: number): Promise<MixFigures> {
  const server = await openServer({ env: { WORKERS: '2' } });
  const measure = async (requests: number, prepare: (count: number) => Promise<Load>) => {
    const each = { rounds, warmUp: WARM_UP, requests, connections: IN_FLIGHT };
    const medians = await measureRounds([server], each, (_, count) => prepare(count));
    return medians.get(server) as Stretch;
  };
  try {
    const paths = {} as Record<PathName, Stretch>;
    for (const name of PATH_NAMES)
      paths[name] = await measure(PATHS[name].requests, (count) => server.prepare(name, count));
    return { paths, mix: await measure(REQUESTS, (count) => prepareMix(server, count)) };
  } finally {
    await server.stop();
  }
}

/** Requests of these paths, each evenly spread over them. @param count with all paths at least so many, in whole thousands */
export async function prepareMix(
  server: Server,
  count: number,
  names: readonly PathName[] = PATH_NAMES,
): Promise<Load> {
  const placed: { place: number; request: LoadRequest }[] = [];
  for (const name of names) {
    const ofPath = MIX[name] * Math.ceil(count / 1_000);
    const { method, path, requests } = await server.prepare(name, ofPath);
    for (let at = 0; at < ofPath; at += 1) {
      const request = requests[at % requests.length];
      if (request) placed.push({ place: (at + 0.5) / ofPath, request: { ...request, method, path } });
    }
  }
  const requests = placed.toSorted((a, b) => a.place - b.place).map(({ request }) => request);
  return { method: 'GET', path: '/', requests };
}
