import { spawnSync } from 'node:child_process';

/** The compiler whose output is committed. Another version makes other bytes, so the committed program could not be verified. */
const VERSION = 'clang version 14.';

/**
 * @param candidates commands to try in order; by default the environment's `CC`, then `clang-14` and `clang`
 * @returns the first that is clang 14, or nothing
 */
export function findCompiler(candidates: readonly (string | undefined)[] = defaultCandidates()): string | undefined {
  return candidates.find((command) => {
    if (!command) return false;
    const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' });
    return status === 0 && stdout.includes(VERSION);
  });
}

function defaultCandidates(): (string | undefined)[] {
  return [process.env.CC, 'clang-14', 'clang'];
}
