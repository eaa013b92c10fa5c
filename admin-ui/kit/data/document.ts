import type { TadaDocumentNode } from 'gql.tada';

/** A GraphQL document with the types of its result and variables, whatever the schema. */
export type Document = TadaDocumentNode<unknown, never, unknown>;

/**
 * Parts of a document that reads a page of a list: its variables, the connection's arguments, and its own fields. `$count`
 * asks for the total, which `useList` does apart: rows must not wait for it.
 */
export const PAGE = {
  variables: '$first: Int, $after: String, $last: Int, $before: String, $count: Boolean = false',
  args: 'first: $first, after: $after, last: $last, before: $before',
  fields:
    'totalCount @include(if: $count) hasMoreThanTotal @include(if: $count) pageInfo { hasNextPage hasPreviousPage startCursor endCursor }',
} as const;

/** What every mutation selects beside its result, so that `perform` can throw a refusal. */
export const REFUSAL = '__typename ... on Refusal { code message }';
