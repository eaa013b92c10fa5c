import { withSpares } from './drive.ts';
import type { Load, LoadRequest } from './load.ts';
import { PATH_NAMES, PATHS, type PathName } from './paths.ts';
import { measureStretch, medianOf, type Stretch } from './rounds.ts';
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
/** Thousands of requests in a stretch of the mix. */
const THOUSANDS = 8;
const WARM_UP = 2;

/** Sends each path alone, and then all together, to two processes. @param rounds the medians of so many count */
export async function measureMix(rounds: number): Promise<MixFigures> {
  const server = await openServer({ env: { WORKERS: '2' } });
  try {
    const paths = {} as Record<PathName, Stretch>;
    for (const name of PATH_NAMES) {
      const { requests } = PATHS[name];
      const prepare = () => server.prepare(name, withSpares(requests, IN_FLIGHT));
      paths[name] = await measureRounds(server, rounds, requests, prepare);
    }
    // a thousand more than are sent: a connection makes its next request ready before it knows that it was the last
    const mix = await measureRounds(server, rounds, THOUSANDS * 1_000, () => prepareMix(server, THOUSANDS + 1));
    return { paths, mix };
  } finally {
    await server.stop();
  }
}

async function measureRounds(
  server: Server,
  rounds: number,
  requests: number,
  prepare: () => Promise<Load>,
): Promise<Stretch> {
  const stretches: Stretch[] = [];
  for (let round = -WARM_UP; round < rounds; round += 1) {
    const stretch = await measureStretch(server, await prepare(), requests, IN_FLIGHT);
    if (round >= 0) stretches.push(stretch);
  }
  return medianOf(stretches);
}

/** Requests of all paths, each path evenly spread over them. */
async function prepareMix(server: Server, thousands: number): Promise<Load> {
  const placed: { place: number; request: LoadRequest }[] = [];
  for (const name of PATH_NAMES) {
    const count = MIX[name] * thousands;
    const { method, path, requests } = await server.prepare(name, count);
    for (let at = 0; at < count; at += 1) {
      const request = requests[at % requests.length];
      if (request) placed.push({ place: (at + 0.5) / count, request: { ...request, method, path } });
    }
  }
  const requests = placed.toSorted((a, b) => a.place - b.place).map(({ request }) => request);
  return { method: 'GET', path: '/', requests };
}
