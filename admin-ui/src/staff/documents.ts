import type { ResultOf } from 'gql.tada';
import { graphql, PAGE } from '../data/graphql.ts';

export const STAFF = graphql(`
  query Staff($search: String, ${PAGE.variables}) {
    staff(search: $search, ${PAGE.args}) {
      ${PAGE.fields}
      nodes { id name email role issuer createdAt lastSignInAt disabledAt }
    }
  }
`);

export type Person = ResultOf<typeof STAFF>['staff']['nodes'][number];

export const INVITE = graphql(`
  mutation CreateStaffLink($name: String!, $role: StaffRole!) {
    createStaffLink(name: $name, role: $role) {
      __typename
      ... on StaffLink { url name expiresAt }
      ... on Refusal { code message }
    }
  }
`);

export const RENEW = graphql(`
  mutation RenewStaffLink($id: ID!) {
    renewStaffLink(id: $id) {
      __typename
      ... on StaffLink { url name expiresAt }
      ... on Refusal { code message }
    }
  }
`);

export const DISABLE = graphql(`
  mutation DisableStaff($id: ID!, $reason: String!) {
    disableStaff(id: $id, reason: $reason) {
      __typename
      ... on Staff { id name }
      ... on Refusal { code message }
    }
  }
`);

export const ENABLE = graphql(`
  mutation EnableStaff($id: ID!) {
    enableStaff(id: $id) {
      __typename
      ... on Staff { id name }
      ... on Refusal { code message }
    }
  }
`);

export const RIGHTS = graphql(`
  query Rights {
    staffRights { name says role fresh }
  }
`);

export const ROLES = [
  { value: 'SUPPORT', label: 'Support', description: 'clients, test data, fans’ grants' },
  {
    value: 'REVIEWER',
    label: 'Reviewer',
    description: 'also approves, enables and suspends clients, reads the audit log',
  },
  { value: 'ADMIN', label: 'Admin', description: 'also keys, kill switches and staff' },
] as const;

export type Role = (typeof ROLES)[number]['value'];

/** The issuer of people who come by one-time links. */
export const BY_LINKS = 'local';
