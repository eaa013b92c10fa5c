import { initGraphQLTada } from 'gql.tada';
import type { introspection } from '../graphql-env.d.ts';

/**
 * Documents of the console: `graphql('query … { … }')` has the types of its result and variables from the committed
 * schema, so that an unknown field does not compile.
 */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: { ID: string; DateTime: string; BigInt: string; JSON: unknown };
}>();
