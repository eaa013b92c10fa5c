/**
 * `npm run bench`: the whole table of speed and memory, beside its goals. `docs/speed.md` says what it measures and which options there
 * are.
 *
 * @module
 */
import { type Figures, keepFigures } from './figures.ts';
import { judge, misses } from './judge.ts';
import { readOptions } from './options.ts';
import { measureGrowth } from './parts/growth.ts';
import { measureManyTickets } from './parts/many-tickets.ts';
import { measureMemory } from './parts/memory.ts';
import { measureMixed } from './parts/mixed.ts';
import { measurePaths } from './parts/paths.ts';
import { measureProcesses } from './parts/processes.ts';
import { measureReady } from './parts/ready.ts';
import { measureSignIn } from './parts/sign-in.ts';
import { textTable } from './table.ts';
import {
  goalsTable,
  growthTable,
  manyTicketsTable,
  mixedTable,
  pathsTable,
  processesTable,
  signInTable,
} from './tables.ts';
import { writePages } from './write-pages.ts';

const options = readOptions(process.argv.slice(2));
const { tree } = options;
const figures: Figures = {};
const progress = (what: string) => console.error(`${new Date().toTimeString().slice(0, 8)}  ${what}`);

if (options.paths.length > 0) {
  progress('paths');
  figures.paths = await measurePaths({ ...options, names: options.paths }, (name, measured) => {
    console.error(textTable(pathsTable({ paths: { [name]: measured } })));
  });
}
if (options.memory) {
  progress('memory');
  figures.memory = await measureMemory(tree);
}
if (options.ready) {
  progress('start');
  figures.ready = await measureReady(tree);
}
if (options.signIn) {
  progress('sign-in');
  figures.signIn = await measureSignIn(tree);
}
if (options.growth)
  figures.growth = await measureGrowth(tree, options.sizes, ({ tickets }) => progress(`${tickets} tickets`));
if (options.processes) {
  figures.processes = await measureProcesses(tree, ({ processes }) => progress(`${processes} processes`));
}
if (options.manyTickets) {
  figures.manyTickets = await measureManyTickets(tree, ({ tickets, openListings }) => {
    progress(`${tickets} tickets of one fan, ${openListings} open listings of others`);
  });
}
if (options.mixedSeconds > 0) {
  figures.mixed = await measureMixed(tree, options.mixedSeconds, (quarter) => {
    progress(`a quarter of the mixed load: ${JSON.stringify(quarter)}`);
  });
}

const tables = [
  figures.paths && pathsTable(figures),
  figures.signIn && signInTable(figures),
  figures.growth && growthTable(figures),
  figures.processes && processesTable(figures),
  figures.manyTickets && manyTicketsTable(figures),
  figures.mixed && mixedTable(figures),
  goalsTable(figures),
];
console.log(tables.flatMap((table) => (table === undefined ? [] : textTable(table))).join('\n\n'));
const missing = judge(figures).filter(misses);
console.log(`\n${missing.length} of ${judge(figures).length} goals missed`);
if (options.write) await writePages(await keepFigures(figures));
