import { readFileSync } from 'node:fs';

/**
 * The file that a variable names, read once at start: one that changes later would be used by some processes and not by others.
 * @param problems gets the fault of a file that can't be read
 */
export function readNamedFile(variable: string, path: string, problems: string[]): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    problems.push(`${variable}: the file ${path} can't be read (${code})`);
    return undefined;
  }
}
