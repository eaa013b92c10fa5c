import { writeFile } from 'node:fs/promises';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { partnerSchema, schema } from './schema.ts';

/** The committed schema of the console, from which its types are generated. */
export const SDL_FILE = new URL('schema.graphql', import.meta.url);

/** The committed schema of the partner workspace. */
export const PARTNER_SDL_FILE = new URL('partners.graphql', import.meta.url);

/** A schema in the schema definition language, sorted for small diffs. */
function describe(described: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(described))}\n`;
}

/** The console's schema. */
export function describeSchema(): string {
  return describe(schema);
}

/** The schema of the partner workspace. */
export function describePartnerSchema(): string {
  return describe(partnerSchema);
}

if (import.meta.main) {
  await writeFile(SDL_FILE, describeSchema());
  await writeFile(PARTNER_SDL_FILE, describePartnerSchema());
}
