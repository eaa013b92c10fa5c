import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { DialogButton } from '../../kit/parts/dialog.tsx';
import { EmptyState, FailureAlert, ViewLoading } from '../../kit/parts/instead.tsx';
import { Section } from '../../kit/parts/page.tsx';
import { InviteMember, Members } from '../../kit/people/members.tsx';
import { graphql } from '../data/graphql.ts';
import { PartnerProvider } from './provider.tsx';

const PARTNER_PEOPLE = graphql(`
  query PartnerPeople($id: ID!) {
    partner(id: $id) {
      id name signInCallbackUrl
      members { id name email role state invitationSent invitationExpiresAt lastSignInAt }
      signInProvider { issuer clientId hasSecret setAt setBy { id name } }
    }
  }
`);

export type PeopleOfPartner = NonNullable<ResultOf<typeof PARTNER_PEOPLE>['partner']>;

const INVITE_MEMBER = graphql(`
  mutation InvitePartnerMember($partnerId: ID!, $name: String!, $email: String!, $role: PartnerMemberRole!) {
    invitePartnerMember(partnerId: $partnerId, name: $name, email: $email, role: $role) {
      ${REFUSAL} ... on PartnerMember { id invitationSent }
    }
  }
`);

const RESEND_INVITATION = graphql(`
  mutation ResendPartnerInvitation($memberId: ID!) {
    resendPartnerInvitation(memberId: $memberId) { ${REFUSAL} ... on PartnerMember { id invitationSent } }
  }
`);

const REVOKE_MEMBER = graphql(`
  mutation RevokePartnerMember($memberId: ID!, $reason: String!) {
    revokePartnerMember(memberId: $memberId, reason: $reason) { ${REFUSAL} ... on PartnerMember { id } }
  }
`);

const SET_MEMBER_ROLE = graphql(`
  mutation SetPartnerMemberRole($memberId: ID!, $role: PartnerMemberRole!) {
    setPartnerMemberRole(memberId: $memberId, role: $role) { ${REFUSAL} ... on PartnerMember { id } }
  }
`);

const END_MEMBER_SESSIONS = graphql(`
  mutation EndPartnerMemberSessions($memberId: ID!, $reason: String!) {
    endPartnerMemberSessions(memberId: $memberId, reason: $reason) { ${REFUSAL} ... on PartnerMember { id } }
  }
`);

export const SET_PROVIDER = graphql(`
  mutation SetPartnerProvider($partnerId: ID!, $issuer: String!, $clientId: String!, $clientSecret: String) {
    setPartnerProvider(partnerId: $partnerId, issuer: $issuer, clientId: $clientId, clientSecret: $clientSecret) {
      ${REFUSAL} ... on Partner { id }
    }
  }
`);

export const REMOVE_PROVIDER = graphql(`
  mutation RemovePartnerProvider($partnerId: ID!) {
    removePartnerProvider(partnerId: $partnerId) { ${REFUSAL} ... on Partner { id } }
  }
`);

const RIGHT = 'members:write';

/** Who of a partner may open its workspace: invite, invite again, set roles, remove. */
function PartnerPeople({ partner }: { partner: PeopleOfPartner }) {
  const { mutateAsync: sendInvitation } = useChange(INVITE_MEMBER);
  const { mutateAsync: resend } = useChange(RESEND_INVITATION);
  const { mutateAsync: revoke } = useChange(REVOKE_MEMBER);
  const { mutateAsync: setRole } = useChange(SET_MEMBER_ROLE);
  const { mutateAsync: endSessions } = useChange(END_MEMBER_SESSIONS);
  const invite = (
    <DialogButton
      variant="filled"
      size="xs"
      right={RIGHT}
      leftSection={<IconUserPlus size={16} aria-hidden />}
      dialog={(close) => (
        <InviteMember
          partner={partner}
          invite={(wish) => sendInvitation({ partnerId: partner.id, ...wish })}
          onClose={close}
        />
      )}
    >
      Invite a person
    </DialogButton>
  );
  return (
    <Section
      title="People"
      description="They use the partner workspace: clients, test data and requests of this partner only. Its administrators invite and remove people too."
      actions={partner.members.length > 0 && invite}
    >
      {partner.members.length === 0 ? (
        <EmptyState icon={<IconUsers />} title="Nobody yet" actions={invite}>
          Invite the partner’s developers by e-mail. They see only what is the partner’s.
        </EmptyState>
      ) : (
        <Members
          members={partner.members}
          changes={{
            right: RIGHT,
            resend: (memberId) => resend({ memberId }),
            revoke: (memberId, reason) => revoke({ memberId, reason }),
            setRole: (memberId, role) => setRole({ memberId, role }),
            endSessions: (memberId, reason) => endSessions({ memberId, reason }),
          }}
        />
      )}
    </Section>
  );
}

/** On a partner's page: who of it uses the partner workspace, and how they sign in. */
export function WorkspaceParts({ partnerId }: { partnerId: string }) {
  const { data, error, refetch } = useView('partner-people', PARTNER_PEOPLE, { id: partnerId });
  if (error && !data) return <FailureAlert failure={error} title="The people could not be loaded" retry={refetch} />;
  if (!data) return <ViewLoading />;
  if (!data.partner) return null;
  return (
    <>
      <PartnerPeople partner={data.partner} />
      <PartnerProvider partner={data.partner} />
    </>
  );
}
