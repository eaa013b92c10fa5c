import type { ResultOf } from 'gql.tada';
import { PAGE, REFUSAL } from '../../kit/data/document.ts';
import { graphql } from '../data/graphql.ts';

const TOKEN = graphql(`
  fragment Token on StaffToken {
    id name scopes createdAt expiresAt lastUsedAt revokedAt
    owner { id name }
  }
`);

export type TokenData = ResultOf<typeof TOKEN>;

export const TOKENS = graphql(
  `
  query Tokens($everybody: Boolean!, $mine: Boolean!, $sort: StaffTokenSort, ${PAGE.variables}) {
    myTokens(sort: $sort, ${PAGE.args}) @include(if: $mine) { ${PAGE.fields} nodes { ...Token } }
    staffTokens(sort: $sort, ${PAGE.args}) @include(if: $everybody) { ${PAGE.fields} nodes { ...Token } }
  }
`,
  [TOKEN],
);

export const CREATE = graphql(`
  mutation CreateStaffToken($name: String!, $scopes: [String!]!, $days: Int!) {
    createStaffToken(name: $name, scopes: $scopes, days: $days) {
      ${REFUSAL} ... on CreatedStaffToken { value token { name expiresAt } }
    }
  }
`);

export const REVOKE = graphql(`
  mutation RevokeStaffToken($id: ID!) {
    revokeStaffToken(id: $id) { ${REFUSAL} ... on StaffToken { id name } }
  }
`);
