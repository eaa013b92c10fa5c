import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isPathName, PATH_NAMES, type PathName } from './paths/all.ts';

/** What to measure. */
export interface Options {
  /** This tree. */
  tree: string;
  paths: PathName[];
  memory: boolean;
  ready: boolean;
  signIn: boolean;
  growth: boolean;
  /** Numbers of tickets. */
  sizes: number[];
  processes: boolean;
  manyTickets: boolean;
  mixedSeconds: number;
  rounds: number;
  otherTree: string | undefined;
  profile: string | undefined;
  write: boolean;
}

const THIS_TREE = fileURLToPath(new URL('../../', import.meta.url));

/** Where `docs/speed.md` expects those of what it shows. */
const FLAME_GRAPHS = resolve(THIS_TREE, 'docs/flame');

/** Parts beside the paths that `--only` may name. */
const OTHER_PARTS = ['memory', 'ready', 'sign-in'];

/**
 * Reads the command line. Without `--only`, `--growth`, `--processes`, `--many-tickets` or `--mixed` the standard table is measured: the paths, memory,
 * start and sign-in.
 * @throws Error naming a wrong option
 */
export function readOptions(words: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...words],
    options: {
      only: { type: 'string' },
      rounds: { type: 'string', default: '4' },
      server: { type: 'string' },
      profile: { type: 'string' },
      growth: { type: 'boolean', default: false },
      sizes: { type: 'string', default: '10000,100000,1000000,10000000' },
      processes: { type: 'boolean', default: false },
      'many-tickets': { type: 'boolean', default: false },
      mixed: { type: 'string', default: '0' },
      write: { type: 'boolean', default: false },
    },
  });
  const mixedSeconds = numberIn('mixed', values.mixed);
  const hasOther = values.growth || values.processes || values['many-tickets'] || mixedSeconds > 0;
  const isStandard = values.only === undefined && !hasOther;
  const known = [...PATH_NAMES, ...OTHER_PARTS];
  const only = values.only?.split(',') ?? (isStandard ? known : []);
  const unknown = only.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`--only: ${unknown.join(', ')} is none of ${known.join(', ')}`);
  return {
    tree: THIS_TREE,
    paths: only.filter(isPathName),
    memory: only.includes('memory'),
    ready: only.includes('ready'),
    signIn: only.includes('sign-in'),
    growth: values.growth,
    sizes: values.sizes.split(',').map((size) => numberIn('sizes', size)),
    processes: values.processes,
    manyTickets: values['many-tickets'],
    mixedSeconds,
    rounds: numberIn('rounds', values.rounds),
    otherTree: values.server === undefined ? undefined : resolve(values.server),
    profile: values.profile ?? (values.write ? FLAME_GRAPHS : undefined),
    write: values.write,
  };
}

function numberIn(option: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${option}: ${text} is not a number`);
  return Number(text);
}
