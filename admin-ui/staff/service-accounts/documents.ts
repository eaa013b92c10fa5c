import type { ResultOf } from 'gql.tada';
import { PAGE, REFUSAL } from '../../kit/data/document.ts';
import { graphql } from '../data/graphql.ts';

const ACCOUNT = graphql(`
  fragment Account on ServiceAccount {
    id name scopes callsPerMinute createdAt disabledAt
    tokens { id createdAt expiresAt lastUsedAt }
  }
`);

export type AccountData = ResultOf<typeof ACCOUNT>;
export type TokenData = AccountData['tokens'][number];

export const ACCOUNTS = graphql(
  `
  query ServiceAccounts($sort: ServiceAccountSort, ${PAGE.variables}) {
    serviceAccounts(sort: $sort, ${PAGE.args}) { ${PAGE.fields} nodes { ...Account } }
  }
`,
  [ACCOUNT],
);

export const SERVICE_RIGHTS = graphql(`query ServiceRights { serviceRights { name says } }`);

export const CREATE = graphql(`
  mutation CreateServiceAccount($name: String!, $scopes: [String!]!, $days: Int!, $callsPerMinute: Int!) {
    createServiceAccount(name: $name, scopes: $scopes, days: $days, callsPerMinute: $callsPerMinute) {
      ${REFUSAL} ... on NewServiceToken { value token { expiresAt } account { name } }
    }
  }
`);

export const ROTATE = graphql(`
  mutation RotateServiceToken($accountId: ID!, $days: Int!, $overlapHours: Int!) {
    rotateServiceToken(accountId: $accountId, days: $days, overlapHours: $overlapHours) {
      ${REFUSAL} ... on NewServiceToken { value token { expiresAt } account { name } }
    }
  }
`);

export const DISABLE = graphql(`
  mutation DisableServiceAccount($accountId: ID!, $reason: String!) {
    disableServiceAccount(accountId: $accountId, reason: $reason) { ${REFUSAL} ... on ServiceAccount { id name } }
  }
`);
