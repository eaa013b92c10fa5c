/**
 * `npm run test:mutants [room | file…]`: puts one fault after the other into a copy of the rooms that decide and runs the tests that must
 * notice it. Says each room's score, and which faults no test noticed. Without names: every room, and `scopes`, the resolvers of the
 * partners' schema without their scope.
 */
import { rm } from 'node:fs/promises';
import { copyProject } from './copy-project.ts';
import { ROOMS } from './rooms.ts';
import { dropScopes } from './scopes.ts';
import { mutateRoom } from './stryker.ts';

/** What became of a fault. */
export interface Verdict {
  /** Where and what. */
  fault: string;
  survives: boolean;
}

const SCOPES = 'scopes';
const given = process.argv.slice(2);
const wanted = given.length > 0 ? given : [SCOPES, ...Object.keys(ROOMS)];
const started = process.cwd();
const root = await copyProject();
process.chdir(root);
try {
  const scores: string[] = [];
  for (const name of wanted) {
    const verdicts = await judge(name);
    const survivors = verdicts.filter(({ survives }) => survives);
    for (const { fault } of survivors) console.log(`survives  ${fault}`);
    const noticed = verdicts.length - survivors.length;
    scores.push(`${name}: ${((noticed * 100) / verdicts.length).toFixed(1)} % (${noticed} of ${verdicts.length})`);
  }
  console.log(scores.join('\n'));
  // tests that fail are what is wanted here, and vitest takes note of them
  process.exitCode = 0;
} finally {
  process.chdir(started);
  await rm(root, { recursive: true, force: true });
}

function judge(name: string): Promise<Verdict[]> {
  if (name === SCOPES) return dropScopes(root);
  const room = ROOMS[name];
  if (room !== undefined) return mutateRoom(room);
  const ofFile = Object.values(ROOMS).find(({ code }) => name.startsWith(`${code}/`));
  if (ofFile === undefined)
    throw new Error(`${name} is none of ${[SCOPES, ...Object.keys(ROOMS)].join(', ')}, nor a file of them`);
  return mutateRoom(ofFile, name);
}
