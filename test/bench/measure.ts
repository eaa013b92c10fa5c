import type { Figures, PathFigures } from './judge.ts';
import { openFloor } from './open-floor.ts';
import { openPeer } from './open-peer.ts';
import { PATH_NAMES, type PathName } from './paths.ts';
import { watchMemory } from './process-figures.ts';
import { measureInTurns } from './rounds.ts';
import { openServer, type Side } from './server.ts';

/** Measures each path on our server, the floor and the peer, in turns. @param rounds the medians of so many count @param done called after each path */
export async function measurePaths(
  names: readonly PathName[],
  rounds: number,
  done: (name: PathName, figures: PathFigures) => void,
): Promise<Partial<Record<PathName, PathFigures>>> {
  const ours = await openServer();
  const sides: Side[] = [ours];
  const all: Partial<Record<PathName, PathFigures>> = {};
  try {
    sides.push(await openFloor(ours), await openPeer(ours));
    for (const name of names) {
      const medians = await measureInTurns(sides, name, rounds);
      const figures: PathFigures = Object.fromEntries([...medians].map(([side, stretch]) => [side.name, stretch]));
      all[name] = figures;
      done(name, figures);
    }
  } finally {
    for (const side of sides.toReversed()) await side.stop();
  }
  return all;
}

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
