import { REFUSAL } from '../../kit/data/view.ts';
import { ChangeButton } from '../../kit/parts/dialog.tsx';
import { graphql } from '../data/graphql.ts';

const END_ALL = graphql(`
  mutation EndAllAccess($fanId: ID!, $reason: String!) {
    endAllAccess(fanId: $fanId, reason: $reason) { ${REFUSAL} ... on Fan { id } }
  }
`);

const SIGN_OUT = graphql(`
  mutation SignOutFan($fanId: ID!, $reason: String!) {
    signOutFan(fanId: $fanId, reason: $reason) { ${REFUSAL} ... on Fan { id } }
  }
`);

const BUTTON = {
  right: 'grants:revoke',
  reason: {
    label: 'Reason',
    description: 'Your name and this reason are added to the audit log.',
    placeholder: 'Case 4711: the phone was stolen',
  },
} as const;

/** For a fan whose phone is lost or stolen: the apps, and the fan's own sessions. */
export function EndAccess({ fanId }: { fanId: string }) {
  return (
    <>
      <ChangeButton
        {...BUTTON}
        title="End all access"
        confirmLabel="End all access"
        dangerous
        change={END_ALL}
        variables={(reason) => ({ fanId, reason })}
        done="No app has access any more."
      >
        Every app loses its access with its next call. This can’t be undone; the fan can allow access again by signing
        in. Tickets stay.
      </ChangeButton>
      <ChangeButton
        {...BUTTON}
        title="Sign out everywhere"
        confirmLabel="Sign out everywhere"
        change={SIGN_OUT}
        variables={(reason) => ({ fanId, reason })}
        done="The fan is signed out everywhere."
      >
        Visits to “Your tickets and apps” and sign-ins under way end in every browser. Apps keep their access, and
        passkeys stay: remove those of a lost device below.
      </ChangeButton>
    </>
  );
}
