import type { PathFigures } from '../figures.ts';
import type { PathName } from '../paths/all.ts';
import { profilePath, UNDER_INSPECTION } from '../profile.ts';
import { measureInTurns } from '../rounds.ts';
import { openFloor } from '../sides/open-floor.ts';
import { openPeer } from '../sides/open-peer.ts';
import { openServer } from '../sides/open-server.ts';
import type { Side } from '../sides/side.ts';

interface PathsOptions {
  names: readonly PathName[];
  /** The medians of so many count. */
  rounds: number;
  /** This tree. */
  tree: string;
  /** The folder of another one, to compare with. */
  otherTree: string | undefined;
  /** Folder for a CPU profile of each path. */
  profile: string | undefined;
}

/** Measures each path on our server, the floor, the peer and another tree's server, in turns. @param done called after each path */
export async function measurePaths(
  { names, rounds, tree, otherTree, profile }: PathsOptions,
  done: (name: PathName, figures: PathFigures) => void,
): Promise<Partial<Record<PathName, PathFigures>>> {
  const nodeArguments = profile === undefined ? [] : UNDER_INSPECTION;
  const ours = await openServer('ours', tree, { nodeArguments });
  const sides: Side[] = [ours];
  const all: Partial<Record<PathName, PathFigures>> = {};
  try {
    sides.push(await openFloor(ours), await openPeer(ours));
    if (otherTree !== undefined) sides.push(await openServer('other', otherTree));
    for (const name of names) {
      const medians = await measureInTurns(sides, name, rounds);
      const figures = Object.fromEntries(
        [...medians].map(([{ name: side }, stretch]) => [side, stretch]),
      ) as PathFigures;
      all[name] = figures;
      done(name, figures);
      if (profile !== undefined) await profilePath(ours, name, profile);
    }
  } finally {
    for (const side of sides.toReversed()) await side.stop();
  }
  return all;
}
