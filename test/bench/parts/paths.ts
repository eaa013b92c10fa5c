import { openFloor } from '../floors/open-floor.ts';
import type { PathFigures } from '../judge.ts';
import type { PathName } from '../paths/all.ts';
import { openPeer } from '../peer/open-peer.ts';
import { measureInTurns } from '../rounds.ts';
import { openServer } from '../server.ts';
import type { Side } from '../side.ts';

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
