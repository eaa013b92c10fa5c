import pg from 'pg';
import { drive, median, withSpares } from '../drive.ts';
import { fillUpTo, MOST_GRANTS } from '../fill-up.ts';
import type { GrowthFigures } from '../judge.ts';
import type { PathName } from '../paths/all.ts';
import { openServer } from '../server.ts';

const PATHS: readonly PathName[] = ['exchange', 'refresh', 'userinfo', 'tickets', 'listings'];
/** Few, so that latency is the service's and not that of a queue. */
const CONNECTIONS = 4;
/** Enough that a p99 is not one pause of the collector. */
const REQUESTS = 1_000;
const ROUNDS = 5;

/** The p99 of each path while the tables grow. @param sizes numbers of tickets, ascending. @param done called after each */
export async function measureGrowth(
  sizes: readonly number[],
  done: (figures: GrowthFigures) => void,
): Promise<GrowthFigures[]> {
  const server = await openServer();
  const client = new pg.Client({ connectionString: server.stage.databaseUrl });
  await client.connect();
  const all: GrowthFigures[] = [];
  try {
    // the market and the ticket holder are made while the tables are small
    for (const name of PATHS) await server.stage.prepare(name, 1);
    let filled = 0;
    for (const tickets of sizes) {
      await fillUpTo(client, filled, tickets);
      filled = tickets;
      const p99: GrowthFigures['p99'] = {};
      for (const name of PATHS) p99[name] = await p99Of(name);
      const figures = { tickets, grants: Math.min(tickets, MOST_GRANTS), p99 };
      all.push(figures);
      done(figures);
    }
    return all;
  } finally {
    await client.end();
    await server.stop();
  }

  async function p99Of(name: PathName): Promise<number> {
    const rounds: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const load = await server.stage.prepare(name, withSpares(REQUESTS, CONNECTIONS));
      const { p99 } = await drive(server.origin, load, REQUESTS, CONNECTIONS);
      if (round > 0) rounds.push(p99);
    }
    return median(rounds);
  }
}
