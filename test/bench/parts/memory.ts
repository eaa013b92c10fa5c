import type { Figures } from '../figures.ts';
import { watchMemory } from '../memory.ts';
import { PATH_NAMES } from '../paths/all.ts';
import { measureInTurns } from '../rounds.ts';
import { openServer, type ServerOptions } from '../sides/open-server.ts';
import { startOwnDatabase } from '../sides/own-database.ts';

/** Each path twice. */
const ROUNDS = 2;
const WARM_UP = 0;

/** The peak of a server's processes under one path after the other, with nothing of its own embedded and with everything. */
export async function measureMemory(tree: string): Promise<Required<Figures>['memory']> {
  const database = await startOwnDatabase();
  try {
    const own = await peakUnderLoad(tree, { env: database.env });
    return { 'own database': own, 'all embedded': await peakUnderLoad(tree, { localnet: 'embedded' }) };
  } finally {
    await database.stop();
  }
}

async function peakUnderLoad(tree: string, options: ServerOptions): Promise<number> {
  const server = await openServer('ours', tree, options);
  const memory = watchMemory(server.pid);
  try {
    for (const name of PATH_NAMES) await measureInTurns([server], name, ROUNDS, WARM_UP);
    return memory.peak();
  } finally {
    memory.stop();
    await server.stop();
  }
}
