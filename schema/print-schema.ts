import { writeFile } from 'node:fs/promises';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from './schema.ts';

/** The committed schema, from which the console's types are generated. */
export const SDL_FILE = new URL('schema.graphql', import.meta.url);

/** The schema in the schema definition language, sorted for small diffs. */
export function describeSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

if (import.meta.main) await writeFile(SDL_FILE, describeSchema());
