import { writeFile } from 'node:fs/promises';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from './schema.ts';

/** Where the schema stands in the schema definition language, for the console and for reading. */
export const SDL_FILE = new URL('schema.graphql', import.meta.url);

/** The schema in the schema definition language, sorted, so that a change of it shows as one. */
export function describeSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

if (import.meta.main) await writeFile(SDL_FILE, describeSchema());
