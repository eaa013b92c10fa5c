/**
 * `npm run statements`: prints every prepared statement of the service in its final form, with the place where it stands. A shared one
 * (`shareStatement`) is there twice: as requests ask it together, and alone.
 */
import { glob } from 'node:fs/promises';
import { listStatements } from '../../src/platform/database/prepared.ts';

for await (const file of glob('src/**/*.ts')) await import(`../../${file}`);
for (const { place, text } of listStatements().toSorted((one, other) => one.place.localeCompare(other.place)))
  process.stdout.write(`-- ${place}\n${text.trim()};\n\n`);
