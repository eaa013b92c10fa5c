import type { ProcessesFigures } from '../figures.ts';
import type { PathName } from '../paths/all.ts';
import { measureInTurns } from '../rounds.ts';
import { openServer } from '../sides/open-server.ts';
import { startOwnDatabase } from '../sides/own-database.ts';

const MOST = 4;
const ROUNDS = 3;
const PATHS: readonly PathName[] = ['exchange', 'refresh', 'userinfo', 'tickets'];

/** Requests per second of one to four processes, each number over a new database. @param done called after each number */
export async function measureProcesses(
  tree: string,
  done: (figures: ProcessesFigures) => void,
): Promise<ProcessesFigures[]> {
  const all: ProcessesFigures[] = [];
  for (let processes = 1; processes <= MOST; processes += 1) {
    const database = await startOwnDatabase();
    try {
      const env = { ...database.env, WORKERS: String(processes) };
      const figures = { processes, perSecond: await ratesOf(tree, env) };
      all.push(figures);
      done(figures);
    } finally {
      await database.stop();
    }
  }
  return all;
}

async function ratesOf(tree: string, env: Record<string, string>): Promise<ProcessesFigures['perSecond']> {
  const server = await openServer('ours', tree, { env });
  try {
    const rates: ProcessesFigures['perSecond'] = {};
    for (const name of PATHS) {
      rates[name] = (await measureInTurns([server], name, ROUNDS)).get(server)?.perSecond ?? 0;
    }
    return rates;
  } finally {
    await server.stop();
  }
}
