import { Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { graphql } from '../../kit/data/graphql.ts';
import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { findIn } from '../../kit/parts/instead.tsx';
import { Page, Section } from '../../kit/parts/page.tsx';
import { InviteButton, Members } from '../../kit/people/members.tsx';

const PEOPLE = graphql(`
  query People {
    viewer { id role partner { id name signIn } }
    members { id name email role joinedAt lastSignInAt invitationSent invitationExpiresAt isYou }
  }
`);

const INVITE = graphql(`
  mutation InviteMember($name: String!, $email: String!, $role: MemberRole!) {
    inviteMember(name: $name, email: $email, role: $role) { ${REFUSAL} ... on Member { id invitationSent } }
  }
`);

const RESEND = graphql(`
  mutation ResendInvitation($memberId: ID!) {
    resendInvitation(memberId: $memberId) { ${REFUSAL} ... on Member { id invitationSent } }
  }
`);

const REMOVE = graphql(`
  mutation RemoveMember($memberId: ID!, $reason: String!) {
    removeMember(memberId: $memberId, reason: $reason) { ${REFUSAL} ... on Member { id } }
  }
`);

const SET_ROLE = graphql(`
  mutation SetMemberRole($memberId: ID!, $role: MemberRole!) {
    setMemberRole(memberId: $memberId, role: $role) { ${REFUSAL} ... on Member { id } }
  }
`);

const WAYS = {
  EMAIL: 'Everybody signs in by a link in an e-mail.',
  PROVIDER: 'Everybody signs in with your company’s own sign-in service.',
};

/** Who of the partner uses the workspace, and how they sign in. Administrators invite, remove and set roles. */
export function PeoplePage() {
  const { found, instead } = findIn(useView('people', PEOPLE, {}), 'people', (data) => data);
  return found ? <People {...found} /> : instead;
}

function People({ members, viewer }: ResultOf<typeof PEOPLE>) {
  const { mutateAsync: invite } = useChange(INVITE);
  const { mutateAsync: resend } = useChange(RESEND);
  const isAdministrator = viewer.role === 'ADMINISTRATOR';
  return (
    <Page
      title="People"
      description={`Who can open the workspace of ${viewer.partner.name}. Everybody here sees and changes the same; administrators also invite and remove people.`}
      actions={isAdministrator && <InviteButton partner={viewer.partner} invite={invite} />}
    >
      <Members
        members={members.map((member) => ({ ...member, state: member.joinedAt === null ? 'INVITED' : 'JOINED' }))}
        changes={
          isAdministrator
            ? { resend: (memberId) => resend({ memberId }), revoke: REMOVE, setRole: SET_ROLE }
            : undefined
        }
      />
      <Section title="Sign-in and invitations">
        <Text size="sm">
          {WAYS[viewer.partner.signIn]} {isAdministrator ? 'You' : 'The administrators of your company'} invite and
          remove people. The people who run this service make the first administrator, and connect your company’s own
          OpenID Connect provider. Write to your contact there.
        </Text>
      </Section>
    </Page>
  );
}
