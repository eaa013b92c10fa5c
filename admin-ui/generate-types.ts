import { readFile, writeFile } from 'node:fs/promises';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { buildSchema, introspectionFromSchema } from 'graphql';

/** Where the schema stands as types, for the documents of the console. */
export const TYPES_FILE = new URL('src/graphql-env.d.ts', import.meta.url);

const SDL_FILE = new URL('../schema/schema.graphql', import.meta.url);

/** The committed schema as the types that `gql.tada` checks documents by. (Its command line wants an older TypeScript.) */
export async function describeTypes(): Promise<string> {
  const schema = buildSchema(await readFile(SDL_FILE, 'utf8'));
  const introspection = minifyIntrospection(introspectionFromSchema(schema, { descriptions: false }));
  return outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
}

if (import.meta.main) await writeFile(TYPES_FILE, await describeTypes());
