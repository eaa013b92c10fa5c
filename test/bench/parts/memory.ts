import type { Figures } from '../judge.ts';
import { watchMemory } from '../memory.ts';
import { PATH_NAMES } from '../paths/all.ts';
import { measureInTurns } from '../rounds.ts';
import { openServer } from '../server.ts';

/** Each path twice. */
const ROUNDS = 2;
const WARM_UP = 0;

/** The peak of a server's processes under one path after the other, with nothing of its own embedded and with everything. */
export async function measureMemory(): Promise<Required<Figures>['memory']> {
  return { 'own database': await peakUnderLoad('apart'), 'all embedded': await peakUnderLoad('embedded') };
}

async function peakUnderLoad(parts: 'apart' | 'embedded'): Promise<number> {
  const server = await openServer({ parts });
  const memory = watchMemory(server.pid);
  try {
    for (const name of PATH_NAMES) await measureInTurns([server], name, ROUNDS, WARM_UP);
    return memory.peak();
  } finally {
    memory.stop();
    await server.stop();
  }
}
