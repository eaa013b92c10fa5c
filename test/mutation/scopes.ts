import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Verdict } from './main.ts';
import { openTestRunner } from './run-tests.ts';

const SCHEMA = 'schema';
const TESTS = ['test/schema/partners'];

/** The scope of a resolver for partners, and a condition of what only staff get; with what a fault has there. */
const FAULTS = [
  [/\b(?:own|ownOrShared|ownPartner)\(call\)/g, '({})'],
  [/\bisMember\((?:call\.)?viewer\)/g, 'false'],
] as const;
/** The scopes and the callers themselves. */
const DEFINITIONS = ['own.ts', 'context.ts'];

/** Drops each of them in turn: found in the sources, so that a new resolver has its fault at once. @param root of the copy */
export async function dropScopes(root: string): Promise<Verdict[]> {
  const runner = await openTestRunner(root);
  const verdicts: Verdict[] = [];
  try {
    const broken = await runner.firstFailure(TESTS);
    if (broken !== undefined) throw new Error(`the tests fail without any fault: ${broken}`);
    for (const name of await readdir(join(root, SCHEMA))) {
      if (!name.endsWith('.ts') || DEFINITIONS.includes(name)) continue;
      const file = join(SCHEMA, name);
      const original = await readFile(join(root, file), 'utf8');
      const faults = FAULTS.flatMap(([what, instead]) =>
        [...original.matchAll(what)].map(({ 0: scope, index }) => ({ scope, index, instead })),
      );
      for (const { scope, index, instead } of faults) {
        await writeFile(
          join(root, file),
          `${original.slice(0, index)}${instead}${original.slice(index + scope.length)}`,
        );
        runner.changed(file);
        const line = original.slice(0, index).split('\n').length;
        const killer = await runner.firstFailure(TESTS);
        verdicts.push({ fault: `${file}:${line}  without ${scope}`, survives: killer === undefined });
      }
      await writeFile(join(root, file), original);
      runner.changed(file);
    }
    return verdicts;
  } finally {
    await runner.close();
  }
}
