import type { ResultOf } from 'gql.tada';
import { graphql } from '../data/graphql.ts';

export const TOKEN = graphql(`
  fragment Token on StaffToken {
    id name scopes createdAt expiresAt lastUsedAt revokedAt
    owner { id name }
  }
`);

export type TokenData = ResultOf<typeof TOKEN>;

export const TOKENS = graphql(
  `
  query Tokens($everybody: Boolean!, $mine: Boolean!, $first: Int, $after: String, $last: Int, $before: String) {
    myTokens(first: $first, after: $after, last: $last, before: $before) @include(if: $mine) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes { ...Token }
    }
    staffTokens(first: $first, after: $after, last: $last, before: $before) @include(if: $everybody) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes { ...Token }
    }
  }
`,
  [TOKEN],
);

export const CREATE = graphql(`
  mutation CreateStaffToken($name: String!, $scopes: [String!]!, $days: Int!) {
    createStaffToken(name: $name, scopes: $scopes, days: $days) {
      __typename
      ... on CreatedStaffToken { value token { name expiresAt } }
      ... on Refusal { code message }
    }
  }
`);

export const REVOKE = graphql(`
  mutation RevokeStaffToken($id: ID!) {
    revokeStaffToken(id: $id) {
      __typename
      ... on StaffToken { id name }
      ... on Refusal { code message }
    }
  }
`);
