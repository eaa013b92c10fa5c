import { REFUSAL } from '../../kit/data/document.ts';
import { useChange } from '../../kit/data/view.ts';
import { permitChanges } from '../../kit/sandbox/permit-changes.ts';
import { graphql } from '../data/graphql.ts';

const REVOKE = graphql(`
  mutation RevokePermits($permitIds: [ID!]!, $reason: String!) {
    revokePermits(permitIds: $permitIds, reason: $reason) { ${REFUSAL} ... on PermitsChanged { permits { id state } } }
  }
`);

const RESTORE = graphql(`
  mutation RestorePermits($permitIds: [ID!]!) {
    restorePermits(permitIds: $permitIds) { ${REFUSAL} ... on PermitsChanged { permits { id state } } }
  }
`);

/** Revokes and restores test permits. */
export const usePermitChanges = () => permitChanges(useChange(REVOKE), useChange(RESTORE));
