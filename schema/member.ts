import { Partner } from '../src/entities/partner.ts';
import { MEMBER_ROLES, PartnerMember, PartnerProvider } from '../src/entities/partner-member.ts';
import type { SignedInMember } from '../src/people/account/find-session.ts';
import { endOwnSession, listOwnSessions, type OwnSession } from '../src/people/account/sessions.ts';
import {
  inviteOwnMember,
  reinviteOwnMember,
  removeOwnMember,
  setOwnMemberRole,
} from '../src/people/workspace/own-members.ts';
import { builder, CHANGE, enumOf, forPartners } from './builder.ts';
import { type Call, memberOf } from './context.ts';
import { own, ownPartner, requireOwn } from './own.ts';
import { PartnerType } from './partner.ts';
import { memberFields } from './partner-member.ts';
import { sessionFields } from './staff.ts';

const RoleType = enumOf(
  'MemberRole',
  MEMBER_ROLES,
  'Developers use the whole workspace. Administrators also invite and remove members, and set their roles.',
);

const SIGN_IN_KINDS = ['email', 'provider'] as const;
const SignInKindType = enumOf(
  'SignInKind',
  SIGN_IN_KINDS,
  'By a link in an e-mail, or through the partner’s own OIDC provider.',
);

builder.objectFields(PartnerType, (t) =>
  forPartners({
    signIn: t.field({
      type: SignInKindType,
      description: 'How its members sign in.',
      resolve: async (_, _args, call) =>
        (await call.context.em.count(PartnerProvider, own(call))) > 0 ? 'provider' : 'email',
    }),
  }),
);

const MemberType = builder.objectRef<PartnerMember>('Member').implement({
  description: 'A person of the partner.',
  fields: (t) =>
    forPartners({
      ...memberFields(t),
      role: t.expose('role', { type: RoleType }),
      isYou: t.boolean({ resolve: ({ id }, _args, call) => id === memberOf(call).id }),
    }),
});

const ViewerType = builder.objectRef<SignedInMember>('ViewerForPartners').implement({
  description: 'The person making this call.',
  fields: (t) =>
    forPartners({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      email: t.exposeString('email'),
      role: t.expose('role', { type: RoleType }),
      signedInAt: t.expose('signedInAt', { type: 'DateTime' }),
      partner: t.field({
        type: PartnerType,
        resolve: (_, _args, call) => call.context.em.findOneOrFail(Partner, { id: ownPartner(call) }),
      }),
    }),
});

const SessionType = builder.objectRef<OwnSession>('MemberSession').implement({
  description: 'A browser in which you are signed in.',
  fields: (t) => forPartners(sessionFields(t)),
});

builder.queryFields((t) =>
  forPartners({
    viewerForPartners: t.field({ type: ViewerType, resolve: (_, _args, call) => memberOf(call) }),
    members: t.field({
      type: [MemberType],
      description: 'The people of the partner who are invited or have joined, by name.',
      resolve: (_, _args, call) =>
        call.context.em.find(
          PartnerMember,
          { $and: [own(call), { revokedAt: null }] },
          { orderBy: { name: 'asc', id: 'asc' }, limit: 500 },
        ),
    }),
    mySessionsForPartners: t.field({
      type: [SessionType],
      description: 'The browsers in which you are signed in, newest first.',
      resolve: (_, _args, call) => listOwnSessions(call.context, memberOf(call)),
    }),
  }),
);

/** The context of a change of a member of the caller's partner, and their id. */
async function ownMember(call: Call, id: string) {
  const context = call.work();
  return { context, memberId: await requireOwn(context, PartnerMember, 'mem', id, own(call)) };
}

builder.mutationFields((t) => {
  const memberId = t.arg.id({ required: true, description: 'Of `members`.' });
  const role = t.arg({ type: RoleType, required: true });
  return forPartners({
    inviteMember: t.field({
      type: MemberType,
      ...CHANGE,
      description:
        'Administrators only. Invites a person by an e-mail with a link, which works once within 7 days. See `invitationSent` of the answer.',
      args: {
        name: t.arg.string({ required: true, description: '1 to 120 characters.' }),
        email: t.arg.string({ required: true }),
        role,
      },
      resolve: (_, wish, call) => inviteOwnMember(call.work(), { ...memberOf(call), partner: ownPartner(call) }, wish),
    }),
    resendInvitation: t.field({
      type: MemberType,
      ...CHANGE,
      description:
        'Administrators only. Sends a new invitation to a person who has not signed in yet. Once it is sent, the link before it ends.',
      args: { memberId },
      resolve: async (_, { memberId: id }, call) => {
        const { context, memberId: invited } = await ownMember(call, id);
        return reinviteOwnMember(context, memberOf(call), invited);
      },
    }),
    removeMember: t.field({
      type: MemberType,
      ...CHANGE,
      description:
        'Administrators only; not for oneself. Revokes an invitation, or ends a person’s sessions and prevents new sign-ins, for good.',
      args: { memberId, reason: t.arg.string({ required: true, description: '1 to 1,000 characters.' }) },
      resolve: async (_, { memberId: id, reason }, call) => {
        const { context, memberId: removed } = await ownMember(call, id);
        return removeOwnMember(context, memberOf(call), { memberId: removed, reason });
      },
    }),
    setMemberRole: t.field({
      type: MemberType,
      ...CHANGE,
      description: 'Administrators only; not for oneself.',
      args: { memberId, role },
      resolve: async (_, { memberId: id, role: wanted }, call) => {
        const { context, memberId: changed } = await ownMember(call, id);
        return setOwnMemberRole(context, memberOf(call), { memberId: changed, role: wanted });
      },
    }),
    endMySessionForPartners: t.field({
      type: ViewerType,
      ...CHANGE,
      description: 'Signs you out in one of your browsers.',
      args: { id: t.arg.id({ required: true, description: 'Of `mySessions`.' }) },
      resolve: async (_, { id }, call) => {
        await endOwnSession(call.work(), id, memberOf(call));
        return memberOf(call);
      },
    }),
  });
});
