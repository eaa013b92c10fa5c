import type { ResultOf } from 'gql.tada';
import { REFUSAL } from '../../kit/data/document.ts';
import { graphql } from '../data/graphql.ts';

export const PARTNER_PEOPLE = graphql(`
  query PartnerPeople($id: ID!) {
    partner(id: $id) {
      id name signInCallbackUrl
      members { id name email role state invitationSent invitationExpiresAt lastSignInAt }
      signInProvider { issuer clientId hasSecret setAt setBy { id name } }
    }
  }
`);

export type PeopleOfPartner = NonNullable<ResultOf<typeof PARTNER_PEOPLE>['partner']>;

export const INVITE_MEMBER = graphql(`
  mutation InvitePartnerMember($partnerId: ID!, $name: String!, $email: String!, $role: PartnerMemberRole!) {
    invitePartnerMember(partnerId: $partnerId, name: $name, email: $email, role: $role) {
      ${REFUSAL} ... on PartnerMember { id invitationSent }
    }
  }
`);

export const RESEND_INVITATION = graphql(`
  mutation ResendPartnerInvitation($memberId: ID!) {
    resendPartnerInvitation(memberId: $memberId) { ${REFUSAL} ... on PartnerMember { id invitationSent } }
  }
`);

export const REVOKE_MEMBER = graphql(`
  mutation RevokePartnerMember($memberId: ID!, $reason: String!) {
    revokePartnerMember(memberId: $memberId, reason: $reason) { ${REFUSAL} ... on PartnerMember { id } }
  }
`);

export const SET_MEMBER_ROLE = graphql(`
  mutation SetPartnerMemberRole($memberId: ID!, $role: PartnerMemberRole!) {
    setPartnerMemberRole(memberId: $memberId, role: $role) { ${REFUSAL} ... on PartnerMember { id } }
  }
`);

export const END_MEMBER_SESSIONS = graphql(`
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
