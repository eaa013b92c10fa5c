import { REFUSAL } from '../../kit/data/view.ts';
import { ChangeButton } from '../../kit/parts/dialog.tsx';
import { graphql } from '../data/graphql.ts';
import { ENDS_SALES } from './sales.tsx';

const REVOKE_GRANT = graphql(`
  mutation RevokeGrant($grantId: ID!, $reason: String!, $keepsSales: Boolean!) {
    revokeGrant(grantId: $grantId, reason: $reason, keepsSales: $keepsSales) { ${REFUSAL} ... on Grant { id revokedAt } }
  }
`);

interface RevokeGrantProps {
  grant: { id: string; revokedAt: string | null; client: { name: string } };
  size?: 'compact-sm' | 'sm';
}

/** A button that ends a grant, with a reason; nothing for an ended one. */
export function RevokeGrant({ grant, size = 'sm' }: RevokeGrantProps) {
  if (grant.revokedAt !== null) return null;
  return (
    <ChangeButton
      size={size}
      right="grants:revoke"
      title={`Revoke access for ${grant.client.name}`}
      confirmLabel="Revoke"
      dangerous
      reason={{ label: 'Reason', placeholder: 'The fan asked us to' }}
      option={ENDS_SALES}
      change={REVOKE_GRANT}
      variables={(reason, endsSales) => ({ grantId: grant.id, reason, keepsSales: !endsSales })}
      done={`${grant.client.name} no longer has access.`}
    >
      Tokens under this grant stop working with their next call, and nothing more is signed under it. This can’t be
      undone. The fan can allow access again by signing in.
    </ChangeButton>
  );
}
