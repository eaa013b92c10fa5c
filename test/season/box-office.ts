/**
 * The company's box office, a process of its own: imports the files of a folder in the order of their names, each once. What it has done is
 * on disk, and is written after the answer: a file whose answer was lost is sent again.
 *
 * @module
 */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accessFrom, callImport, failuresOf, type ImportSummary } from './call-import.ts';

/** What came of a file. */
export interface ImportedFile extends ImportSummary {
  name: string;
  /** Reasons of rows that failed. */
  failures: string[];
}

const PAUSE_MS = 300;

/** What a box office has done in its folder. */
export function readImported(folder: string): ImportedFile[] {
  try {
    return JSON.parse(readFileSync(join(folder, 'imported.json'), 'utf8')) as ImportedFile[];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

async function run(folder: string, port: number): Promise<void> {
  const access = accessFrom(process.env);
  const imported = readImported(folder);
  const server = createServer((_, response) => response.end(JSON.stringify(imported)));
  server.listen(port, '127.0.0.1');
  for (;;) {
    const done = new Set(imported.map(({ name }) => name));
    const next = readdirSync(folder)
      .sort()
      .find((name) => name.endsWith('.ndjson') && !done.has(name));
    if (next === undefined) {
      await sleep(PAUSE_MS);
      continue;
    }
    try {
      const summary = await callImport(access, next, readFileSync(join(folder, next), 'utf8'));
      const failures = summary.failed === 0 ? [] : await failuresOf(access, summary.run);
      imported.push({ name: next, ...summary, failures });
      writeFileSync(join(folder, 'imported.new'), JSON.stringify(imported));
      renameSync(join(folder, 'imported.new'), join(folder, 'imported.json'));
    } catch (error) {
      console.error(`${next} is sent again: ${error}`);
      await sleep(PAUSE_MS);
    }
  }
}

if (import.meta.main) await run(process.env.FOLDER ?? '', Number(process.env.PORT));
