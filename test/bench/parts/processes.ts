import type { ProcessesFigures } from '../figures.ts';
import type { PathName } from '../paths/all.ts';
import { measureInTurns } from '../rounds.ts';
import { openServer } from '../sides/open-server.ts';

const MOST = 4;
const ROUNDS = 3;
const PATHS: readonly PathName[] = ['exchange', 'refresh', 'userinfo', 'tickets'];

/** Requests per second of one to four processes over one database. @param done called after each number */
export async function measureProcesses(
  tree: string,
  done: (figures: ProcessesFigures) => void,
): Promise<ProcessesFigures[]> {
  const all: ProcessesFigures[] = [];
  for (let processes = 1; processes <= MOST; processes += 1) {
    const server = await openServer('ours', tree, { env: { WORKERS: String(processes) } });
    try {
      const figures: ProcessesFigures = { processes, perSecond: {} };
      for (const name of PATHS) {
        figures.perSecond[name] = (await measureInTurns([server], name, ROUNDS)).get(server)?.perSecond ?? 0;
      }
      all.push(figures);
      done(figures);
    } finally {
      await server.stop();
    }
  }
  return all;
}
