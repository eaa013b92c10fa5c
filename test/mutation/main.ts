/**
 * `npm run test:mutants [filter…]`: puts one fault after the other into a copy of the project and runs the tests that must
 * find it. Says for each what killed it. Exit code 1 where one survives, or where its text is not in its file exactly once.
 * A filter is a table, `<table>/<number>`, or how a file's path begins. `tables.test.ts` checks that the texts are found.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './mutant.ts';
import { openTestRunner, type TestRunner } from './run-tests.ts';
import { TABLES } from './tables.ts';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const WORKSPACES = '@fan-api';
const NOT_COPIED = new Set(['node_modules', '.git', '.data', 'target']);

async function copyProject(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'mutants-'));
  await cp(PROJECT, root, { recursive: true, filter: (source) => !NOT_COPIED.has(basename(source)) });
  const modules = join(root, 'node_modules');
  await mkdir(modules);
  for (const name of await readdir(join(PROJECT, 'node_modules'))) {
    if (name !== WORKSPACES) await symlink(join(PROJECT, 'node_modules', name), join(modules, name));
  }
  // relative links: they lead to the packages of the copy
  await cp(join(PROJECT, 'node_modules', WORKSPACES), join(modules, WORKSPACES), {
    recursive: true,
    verbatimSymlinks: true,
  });
  return root;
}

/** @returns what killed it; undefined where it survives */
async function run(
  root: string,
  runner: TestRunner,
  { file, text, replacement, tests }: Mutant,
): Promise<string | undefined> {
  const path = join(root, file);
  const original = await readFile(path, 'utf8');
  const count = original.split(text).length - 1;
  if (count !== 1) throw new Error(`the text occurs ${count} times in ${file}, not once`);
  try {
    await writeFile(
      path,
      original.replace(text, () => replacement),
    );
    runner.changed(file);
    return await runner.firstFailure(tests);
  } finally {
    await writeFile(path, original);
    runner.changed(file);
  }
}

async function main(filters: readonly string[]): Promise<boolean> {
  const all = Object.entries(TABLES).flatMap(([table, mutants]) =>
    mutants.map((mutant, index) => ({ table, id: `${table}/${index + 1}`, mutant })),
  );
  const matches = (filter: string, { table, id, mutant }: (typeof all)[number]) =>
    filter === table || filter === id || mutant.file.startsWith(filter);
  const unknown = filters.filter((filter) => !all.some((each) => matches(filter, each)));
  if (unknown.length > 0) throw new Error(`no mutant matches ${unknown.join(', ')}`);
  const chosen = filters.length === 0 ? all : all.filter((each) => filters.some((filter) => matches(filter, each)));
  const root = await copyProject();
  const runner = await openTestRunner(root);
  try {
    const tests = [...new Set(chosen.flatMap(({ mutant }) => mutant.tests))];
    const broken = await runner.firstFailure(tests);
    if (broken !== undefined) throw new Error(`the tests fail without any fault: ${broken}`);
    let sound = true;
    for (const { id, mutant } of chosen) {
      const verdict = await run(root, runner, mutant).then(
        (title) => (title === undefined ? 'SURVIVED' : `killed by ${title}`),
        (error: Error) => `NOT RUN: ${error.message}`,
      );
      if (!verdict.startsWith('killed')) sound = false;
      console.log(`${id} ${mutant.file}\n  ${oneLine(mutant.text)} -> ${oneLine(mutant.replacement)}\n  ${verdict}`);
    }
    return sound;
  } finally {
    await runner.close();
    process.chdir(PROJECT);
    await rm(root, { recursive: true, force: true });
  }
}

function oneLine(text: string): string {
  return text === '' ? 'nothing' : text.replace(/\s+/g, ' ').trim();
}

process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
