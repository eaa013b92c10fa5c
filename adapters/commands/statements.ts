/**
 * `npm run statements`: prints the final text of every prepared statement, and its place in the source. A statement that requests share
 * (`shareStatement`) appears twice: for many requests, and for one.
 */
import { glob } from 'node:fs/promises';
import { recordStatements } from '../../src/platform/database/prepared.ts';

const statements = recordStatements();
for await (const file of glob('src/**/*.ts')) await import(`../../${file}`);
for (const { place, text } of statements.toSorted((one, other) => one.place.localeCompare(other.place)))
  process.stdout.write(`-- ${place}\n${text.trim()};\n\n`);
