import {
  MEMBER_ROLES,
  MEMBER_STATES,
  memberState,
  PartnerMember,
  PartnerProvider,
} from '../src/entities/partner-member.ts';
import { staffIn } from '../src/partners/person.ts';
import { invitationExpiries } from '../src/people/account/links.ts';
import { inviteMember, reinviteMember } from '../src/people/workspace/invite-member.ts';
import { partnerCallbackUrl } from '../src/people/workspace/partner-provider.ts';
import { endMemberSessions, revokeMember } from '../src/people/workspace/revoke-member.ts';
import { setMemberRole } from '../src/people/workspace/set-member-role.ts';
import { removePartnerProvider, setPartnerProvider } from '../src/people/workspace/set-partner-provider.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import type { Id } from '../src/platform/identifier/type-id.ts';
import { builder, enumOf, type FieldsOf, mutation, right } from './builder.ts';
import { callerOf } from './context.ts';
import { given } from './given.ts';
import { byMoment, byText } from './list-order.ts';
import { containing, pageOf } from './lists.ts';
import { entityType, rowBy, rowsBy } from './loaders.ts';
import { PartnerType } from './partner.ts';
import { sortEnum } from './sorts.ts';
import { StaffType } from './staff.ts';

const MemberStateType = enumOf(
  'PartnerMemberState',
  MEMBER_STATES,
  'Invited and not signed in yet, joined, or revoked.',
);
const MemberRoleType = enumOf(
  'PartnerMemberRole',
  MEMBER_ROLES,
  'Developers use the whole workspace. Administrators also invite and remove members, and set their roles.',
);

/** The fields of a person of a partner, for staff and for the partner. */
export const memberFields = (t: FieldsOf<PartnerMember>) => ({
  id: t.exposeID('id'),
  name: t.exposeString('name'),
  email: t.exposeString('email'),
  invitedAt: t.expose('invitedAt', { type: 'DateTime' }),
  invitationSent: t.boolean({
    description: 'Whether the mail server took the newest invitation. If not, send it again.',
    resolve: ({ invitationUnsent }) => !invitationUnsent,
  }),
  invitationExpiresAt: t.loadable({
    type: 'DateTime',
    nullable: true,
    description: 'Until when the link in the newest invitation works; null where there is none that was not used.',
    load: (ids: Id<'mem'>[], { context }) => invitationExpiries(context, ids),
    resolve: ({ id }) => id,
  }),
  joinedAt: t.expose('joinedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'The first sign-in; null until then.',
  }),
  lastSignInAt: t.expose('lastSignInAt', { type: 'DateTime', nullable: true }),
});

const PartnerMemberType = entityType('PartnerMember', PartnerMember);

PartnerMemberType.implement({
  description: 'A person of a partner, who uses the partner workspace.',
  fields: (t) => ({
    ...memberFields(t),
    partner: t.field({ type: PartnerType, resolve: ({ partner }) => partner.id }),
    role: t.expose('role', { type: MemberRoleType }),
    state: t.field({ type: MemberStateType, resolve: memberState }),
    invitedBy: t.field({
      type: StaffType,
      nullable: true,
      description: 'Null where an administrator of the partner did.',
      resolve: ({ invitedBy }) => staffIn(invitedBy),
    }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
  }),
});

const PartnerProviderType = builder.objectRef<PartnerProvider>('PartnerProvider').implement({
  description: 'A partner’s own OIDC provider. Its members sign in through it, and no longer by a link in an e-mail.',
  fields: (t) => ({
    issuer: t.exposeString('issuer'),
    clientId: t.exposeString('clientId'),
    hasSecret: t.boolean({
      description: 'Without a client secret we are a public client there.',
      resolve: ({ sealedWith }) => sealedWith !== '',
    }),
    setAt: t.expose('setAt', { type: 'DateTime' }),
    setBy: t.field({ type: StaffType, nullable: true, resolve: ({ setBy }) => staffIn(setBy) }),
  }),
});

builder.objectFields(PartnerType, (t) => ({
  members: t.loadableList({
    type: PartnerMemberType,
    description: 'The people of the partner, newest first.',
    ...rowsBy(PartnerMember, 'partner', { orderBy: { id: 'desc' } }),
  }),
  signInProvider: t.loadable({
    type: PartnerProviderType,
    description: 'Null where its members sign in by a link in an e-mail.',
    ...rowBy(PartnerProvider, 'partner'),
  }),
  signInCallbackUrl: t.string({
    description: 'The redirect URI that the partner’s provider has to know.',
    resolve: (_partner, _args, { context }) => partnerCallbackUrl(context.config),
  }),
}));

const MemberSort = sortEnum<PartnerMember>('PartnerMemberSort', {
  name: byText('name', 'name'),
  lastSignIn: byMoment('lastSignInAt', { nullable: true }),
});

builder.queryFields((t) => ({
  partnerMembers: t.connection({
    type: PartnerMemberType,
    authScopes: right('console:read'),
    args: {
      partnerId: t.arg.id({ description: 'Of all partners if omitted.' }),
      search: t.arg.string({ description: 'Part of the name or the email.' }),
      state: t.arg({ type: MemberStateType }),
      sort: t.arg({ type: MemberSort }),
    },
    resolve: (_, { partnerId, search, state, ...page }, { context }) =>
      pageOf<PartnerMember>(context, PartnerMember, page, [
        partnerId && { partner: knownId('ptn', partnerId) },
        search && { $or: [containing('name', search), containing('email', search)] },
        state === 'revoked' && { revokedAt: { $ne: null } },
        state === 'joined' && { revokedAt: null, joinedAt: { $ne: null } },
        state === 'invited' && { revokedAt: null, joinedAt: null },
      ]),
  }),
}));

builder.mutationFields((t) => {
  const partnerId = t.arg.id({ required: true });
  const memberId = t.arg.id({ required: true });
  return {
    invitePartnerMember: t.field({
      type: PartnerMemberType,
      ...mutation('members:write'),
      description:
        'Invites a person to the partner workspace by an e-mail with a link, which works once within 7 days. See `invitationSent` of the answer.',
      args: {
        partnerId,
        name: t.arg.string({ required: true, description: '1 to 120 characters.' }),
        email: t.arg.string({ required: true, description: 'Of one person, at one partner only.' }),
        role: t.arg({ type: MemberRoleType, description: 'A developer if omitted.' }),
      },
      resolve: (_, { role, ...wish }, call) =>
        inviteMember(call.work(), { ...wish, ...given({ role }) }, callerOf(call)),
    }),
    resendPartnerInvitation: t.field({
      type: PartnerMemberType,
      ...mutation('members:write'),
      description:
        'Sends a new invitation to a person who has not signed in yet. Once it is sent, the link before it ends.',
      args: { memberId },
      resolve: (_, { memberId: id }, call) => reinviteMember(call.work(), id, callerOf(call)),
    }),
    revokePartnerMember: t.field({
      type: PartnerMemberType,
      ...mutation('members:write'),
      description: 'Revokes an invitation, or ends a person’s sessions and prevents new sign-ins, for good.',
      args: { memberId, reason: t.arg.string({ required: true, description: '1 to 1,000 characters.' }) },
      resolve: (_, { memberId: id, reason }, call) => revokeMember(call.work(), id, reason, callerOf(call)),
    }),
    endPartnerMemberSessions: t.field({
      type: PartnerMemberType,
      ...mutation('members:write'),
      description: 'Signs a person out of the partner workspace in all browsers. They can sign in again.',
      args: { memberId, reason: t.arg.string({ required: true, description: '1 to 1,000 characters.' }) },
      resolve: (_, { memberId: id, reason }, call) => endMemberSessions(call.work(), id, reason, callerOf(call)),
    }),
    setPartnerMemberRole: t.field({
      type: PartnerMemberType,
      ...mutation('members:write'),
      args: { memberId, role: t.arg({ type: MemberRoleType, required: true }) },
      resolve: (_, { memberId: id, role }, call) => setMemberRole(call.work(), { memberId: id, role }, callerOf(call)),
    }),
    setPartnerProvider: t.field({
      type: PartnerType,
      ...mutation('providers:write'),
      description:
        'Lets a partner’s members sign in through its own OIDC provider instead of links in e-mails. Reads the provider’s discovery document first. Whoever runs the provider can sign in as each of the partner’s members.',
      args: {
        partnerId,
        issuer: t.arg.string({ required: true, description: 'An https address, as its discovery document names it.' }),
        clientId: t.arg.string({ required: true, description: '1 to 300 characters.' }),
        clientSecret: t.arg.string({ description: 'Up to 1,000 characters; omitted for a public client.' }),
      },
      resolve: (_, wish, call) => setPartnerProvider(call.work(), wish, callerOf(call)),
    }),
    removePartnerProvider: t.field({
      type: PartnerType,
      ...mutation('providers:write'),
      description: 'Lets a partner’s members sign in by links in e-mails again.',
      args: { partnerId },
      resolve: (_, { partnerId: id }, call) => removePartnerProvider(call.work(), id, callerOf(call)),
    }),
  };
});
