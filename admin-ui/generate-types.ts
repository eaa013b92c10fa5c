import { readFile, writeFile } from 'node:fs/promises';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { buildSchema, introspectionFromSchema } from 'graphql';

/** Where each committed schema stands as types, for the documents of its pages. */
export const TYPES = [
  { sdl: 'schema/schema.graphql', types: 'admin-ui/staff/graphql-env.d.ts' },
  { sdl: 'schema/partners.graphql', types: 'admin-ui/kit/data/graphql-env.d.ts' },
] as const;

const PROJECT = new URL('../', import.meta.url);

/** What is written, as the types that `gql.tada` checks documents by. (Its command line wants an older TypeScript.) */
export async function describeTypes(sdl: string): Promise<string> {
  const schema = buildSchema(await readFile(new URL(sdl, PROJECT), 'utf8'));
  const introspection = minifyIntrospection(introspectionFromSchema(schema, { descriptions: false }));
  return outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
}

/** What a file of types holds. */
export function readTypes(types: string): Promise<string> {
  return readFile(new URL(types, PROJECT), 'utf8');
}

if (import.meta.main) {
  for (const { sdl, types } of TYPES) await writeFile(new URL(types, PROJECT), await describeTypes(sdl));
}
