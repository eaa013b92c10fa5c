import { cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const WORKSPACES = '@fan-api';
const NOT_COPIED = new Set(['node_modules', '.git', '.data', 'target']);

/** A copy of the project for faults, so that nobody's files change. @returns its folder */
export async function copyProject(): Promise<string> {
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
