/**
 * `npm run bench`: CPU milliseconds per request, measured in turns.
 *
 *   npm run bench -- --only exchange,tickets   some of exchange, refresh, userinfo, tickets, listings, claims
 *   npm run bench -- --rounds 4                the medians of so many rounds
 *   npm run bench -- --server <folder>         another tree of this repository beside this one, in turns
 *   npm run bench -- --profile <folder>        writes a CPU profile of each path there, after the rounds
 *
 * `main` is the server without libuv's pool, `pool` that pool (the RSA signatures), `database` PostgreSQL. `compared` is their sum, on
 * the paths of tokens without the pool. `ratio` is this tree's `compared` by that of the side.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isPathName, PATH_NAMES, pathOf } from './paths/all.ts';
import { profilePath, UNDER_INSPECTION } from './profile.ts';
import { measureInTurns, type Stretch } from './rounds.ts';
import { openFloor } from './sides/open-floor.ts';
import { openPeer } from './sides/open-peer.ts';
import { openServer } from './sides/open-server.ts';
import type { Side } from './sides/side.ts';

const THIS_TREE = fileURLToPath(new URL('../../', import.meta.url));

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '4' },
    server: { type: 'string' },
    profile: { type: 'string' },
  },
});
const wanted = values.only?.split(',') ?? PATH_NAMES;
const unknown = wanted.filter((name) => !isPathName(name));
if (unknown.length > 0) throw new Error(`--only: ${unknown.join()} is none of ${PATH_NAMES.join(', ')}`);

const nodeArguments = values.profile === undefined ? [] : UNDER_INSPECTION;
const ours = await openServer('this tree', THIS_TREE, { nodeArguments });
const sides: Side[] = [ours];
try {
  sides.push(await openFloor(ours));
  sides.push(await openPeer(ours));
  if (values.server !== undefined) sides.push(await openServer('other tree', resolve(values.server)));
  console.log(row(['path', 'side', 'main', 'pool', 'database', 'compared', 'ratio', 'req/s', 'p50', 'p99']));
  for (const name of PATH_NAMES.filter((each) => wanted.includes(each))) {
    const measured = await measureInTurns(sides, name, Number(values.rounds));
    const ourCpu = compared(measured.get(ours));
    for (const [side, stretch] of measured) {
      const { cpu, perSecond, p50, p99 } = stretch;
      const own = (pathOf(name).withoutPool ? 0 : cpu.pool) + cpu.main + cpu.database;
      const figures = [cpu.main, cpu.pool, cpu.database, own, ourCpu(pathOf(name).withoutPool) / own];
      const rest = [perSecond.toFixed(0), p50.toFixed(0), p99.toFixed(0)];
      console.log(row([name, side.name, ...figures.map((each) => each.toFixed(3)), ...rest]));
    }
    if (values.profile !== undefined) await profilePath(ours, name, values.profile);
  }
} finally {
  for (const side of sides.toReversed()) await side.stop();
}

function compared(stretch: Stretch | undefined) {
  const { main, pool, database } = stretch?.cpu ?? { main: 0, pool: 0, database: 0 };
  return (withoutPool: boolean) => main + database + (withoutPool ? 0 : pool);
}

function row(cells: readonly string[]): string {
  return cells.map((cell, at) => (at < 2 ? cell.padEnd(12) : cell.padStart(9))).join(' ');
}
