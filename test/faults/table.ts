import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Outcome } from './fault.ts';

/** A row that was not run: `skipped` where the machine does not permit it, else its parts did not start. */
export interface NotRun {
  name: string;
  skipped?: string;
  broken?: string;
}

/** The last result of each row, so that the rows can be run one by one; `docs/faults.md` is a table of them. */
const FOLDER = 'node_modules/.cache/faults';
const STORE = `${FOLDER}/results.json`;
const COMMIT = execFileSync('git', ['rev-parse', '--short=10', 'HEAD']).toString().trim();

export function keepResult(result: Outcome | NotRun): void {
  const before = existsSync(STORE) ? (JSON.parse(readFileSync(STORE, 'utf8')) as NotRun[]) : [];
  const now = { commit: COMMIT, date: new Date().toISOString().slice(0, 10), ...result };
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(STORE, JSON.stringify([...before.filter(({ name }) => name !== result.name), now], null, 1));
}
