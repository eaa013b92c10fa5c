import { initGraphQLTada } from 'gql.tada';
import type { introspection } from './graphql-env.d.ts';

/**
 * Documents of the workspace and of the kit: `graphql('query … { … }')` has the types of its result and variables from the committed
 * schema of partners, so that an unknown field does not compile. It has no field for staff alone; a test checks that the staff's schema
 * answers the kit's documents too.
 */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: { ID: string; DateTime: string; JSON: unknown };
}>();
