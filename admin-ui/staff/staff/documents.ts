import type { ResultOf } from 'gql.tada';
import { PAGE, REFUSAL } from '../../kit/data/document.ts';
import { graphql } from '../data/graphql.ts';

export const STAFF = graphql(`
  query Staff($search: String, $sort: StaffSort, ${PAGE.variables}) {
    staff(search: $search, sort: $sort, ${PAGE.args}) {
      ${PAGE.fields}
      nodes { id name email role issuer createdAt lastSignInAt disabledAt }
    }
  }
`);

export type Person = ResultOf<typeof STAFF>['staff']['nodes'][number];

export const INVITE = graphql(`
  mutation CreateStaffLink($name: String!, $role: StaffRole!) {
    createStaffLink(name: $name, role: $role) { ${REFUSAL} ... on StaffLink { url name expiresAt } }
  }
`);

export const RENEW = graphql(`
  mutation RenewStaffLink($id: ID!) {
    renewStaffLink(id: $id) { ${REFUSAL} ... on StaffLink { url name expiresAt } }
  }
`);

export const DISABLE = graphql(`
  mutation DisableStaff($id: ID!, $reason: String!) {
    disableStaff(id: $id, reason: $reason) { ${REFUSAL} ... on Staff { id name } }
  }
`);

export const ENABLE = graphql(`
  mutation EnableStaff($id: ID!) {
    enableStaff(id: $id) { ${REFUSAL} ... on Staff { id name } }
  }
`);

export const SET_ROLE = graphql(`
  mutation SetStaffRole($id: ID!, $role: StaffRole!, $reason: String!) {
    setStaffRole(id: $id, role: $role, reason: $reason) { ${REFUSAL} ... on Staff { id role } }
  }
`);

export const END_SESSIONS = graphql(`
  mutation EndStaffSessions($id: ID!, $reason: String!) {
    endStaffSessions(id: $id, reason: $reason) { ${REFUSAL} ... on Staff { id } }
  }
`);

export const RIGHTS = graphql(`
  query Rights {
    staffRights { name says role fresh }
  }
`);

export const ROLES = [
  { value: 'SUPPORT', label: 'Support', description: 'Clients, test data and fans’ grants' },
  {
    value: 'REVIEWER',
    label: 'Reviewer',
    description: 'Also approves, enables and suspends clients, and reads the audit log',
  },
  { value: 'ADMIN', label: 'Admin', description: 'Also keys, kill switches and staff' },
] as const;

export type Role = (typeof ROLES)[number]['value'];

/** The issuer of people who sign in by one-time links. */
export const BY_LINKS = 'local';
