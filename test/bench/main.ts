/**
 * `npm run bench`: speed and memory beside their goals, as JSON on the standard output. `docs/speed.md` says what it measures.
 *
 * @module
 */
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { measureCitus } from './citus.ts';
import { measureGrowth } from './growth.ts';
import { type Figures, judge, misses } from './judge.ts';
import { measureMemory, measurePaths } from './measure.ts';
import { measureMix } from './mix.ts';
import { measureMixed } from './mixed.ts';
import { isPathName, PATH_NAMES } from './paths.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: [...PATH_NAMES, 'memory'].join() },
    rounds: { type: 'string', default: '4' },
    growth: { type: 'boolean', default: false },
    sizes: { type: 'string', default: '10000,100000,1000000,10000000' },
    mixed: { type: 'string' },
    mix: { type: 'boolean', default: false },
    citus: { type: 'boolean', default: false },
  },
});
const isMoreThanStandard = values.growth || values.mix || values.citus || values.mixed !== undefined;
const parts =
  isMoreThanStandard && !process.argv.some((word) => word.startsWith('--only')) ? [] : values.only.split(',');
const unknown = parts.filter((name) => name !== 'memory' && !isPathName(name));
if (unknown.length > 0) throw new Error(`--only: ${unknown} is none of ${PATH_NAMES}, memory`);

const progress = (...what: unknown[]) => console.error(new Date().toTimeString().slice(0, 8), ...what);
// the processes that it started end with it
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const figures: Figures = {};
const names = parts.filter(isPathName);
const rounds = numberIn('rounds', values.rounds);
if (names.length > 0) figures.paths = await measurePaths(names, rounds, progress);
if (parts.includes('memory')) figures.memory = await measureMemory();
if (values.growth) {
  const sizes = values.sizes.split(',').map((size) => numberIn('sizes', size));
  figures.growth = await measureGrowth(sizes, progress);
}
if (values.mix) figures.capacity = await measureMix(rounds);
if (values.citus) figures.citus = await measureCitus(rounds);
if (values.mixed !== undefined) figures.mixed = await measureMixed(numberIn('mixed', values.mixed), progress);

const goals = judge(figures).map((judged) => ({ ...judged, misses: misses(judged) }));
const [cpu] = cpus();
const machine = { cores: cpus().length, cpu: cpu?.model, memory: totalmem(), node: process.version };
console.log(JSON.stringify({ at: new Date(), machine, figures, goals }, null, 2));
// the chains of the stages have timers
process.exit();

function numberIn(option: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${option}: ${text} is not a number`);
  return Number(text);
}
