/**
 * Makes the types that `gql.tada` checks the pages' documents by, from the committed schemas. They are no part of the repository:
 * `npm run check` makes them first. (The command line of `gql.tada` wants an older TypeScript.)
 */
import { readFile, writeFile } from 'node:fs/promises';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { buildSchema, introspectionFromSchema } from 'graphql';

const SCHEMAS = [
  { sdl: '../schema/schema.graphql', types: 'staff/graphql-env.d.ts' },
  { sdl: '../schema/partners.graphql', types: 'kit/data/graphql-env.d.ts' },
] as const;

for (const { sdl, types } of SCHEMAS) {
  const schema = buildSchema(await readFile(new URL(sdl, import.meta.url), 'utf8'));
  const introspection = minifyIntrospection(introspectionFromSchema(schema, { descriptions: false }));
  const text = outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
  await writeFile(new URL(types, import.meta.url), text);
}
