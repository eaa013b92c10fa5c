import { migrate } from '../../src/entities/migrate.ts';
import { MOVE_COUNTS, MOVE_LOG, NO_CITUS, startCitus } from '../support/citus.ts';
import { prepareMix } from './mix.ts';
import { measureRounds, type Stretch } from './rounds.ts';
import { openServer, type Server } from './server.ts';

/** What is on the first worker, by the statements that move it there. */
const MOVES = {
  nothing: [],
  'the log': [MOVE_LOG],
  'the log and the counts': [MOVE_LOG, MOVE_COUNTS],
} as const;

/** A round, of the mix without listings and claims: these leave no more of the log than others, and need a network for each side. */
const ROUND = { warmUp: 1, requests: 2_000, connections: 4 };
const PATHS = ['exchange', 'refresh', 'userinfo', 'tickets'] as const;

/** The mix over a coordinator and two workers. Nodes: the coordinator, the worker with the log, the other. */
export type CitusFigures = Record<keyof typeof MOVES, Stretch>;

/** Measures all in turns. @param rounds the medians of so many count @throws Error where there is no Citus */
export async function measureCitus(rounds: number): Promise<CitusFigures> {
  if (NO_CITUS !== undefined) throw new Error(NO_CITUS);
  const closers: (() => Promise<void>)[] = [];
  try {
    const sides = new Map<string, Server>();
    for (const [name, moves] of Object.entries(MOVES)) {
      const { coordinator, workers, placeOfLog, close } = await startCitus();
      closers.push(close);
      await migrate(coordinator.url, () => {});
      for (const move of moves) await coordinator.run(move);
      const worker = moves.length === 0 ? undefined : (await placeOfLog()).worker;
      const server = await openServer({ env: { WORKERS: '2' }, databaseUrl: coordinator.url });
      closers.push(server.stop);
      const nodes = [coordinator, ...workers.toSorted((a, b) => Number(b === worker) - Number(a === worker))];
      sides.set(name, Object.assign(server, { nodes }));
    }
    const medians = await measureRounds([...sides.values()], { ...ROUND, rounds }, (side, count) =>
      prepareMix(side, count, PATHS),
    );
    return Object.fromEntries([...sides].map(([name, side]) => [name, medians.get(side)])) as CitusFigures;
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}
