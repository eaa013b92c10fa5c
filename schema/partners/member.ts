import { Partner } from '../../src/entities/partner.ts';
import { PartnerMember, PartnerProvider } from '../../src/entities/partner-member.ts';
import type { OwnSession } from '../../src/staff/own-sessions.ts';
import type { SignedInMember } from '../../src/workspace/find-session.ts';
import { endOwnSession, listOwnSessions } from '../../src/workspace/own-sessions.ts';
import { builder, CHANGE, enumOf } from './builder.ts';
import { own } from './scope.ts';

const SIGN_IN_KINDS = ['email', 'provider'] as const;
const SignInKindType = enumOf(
  'SignInKind',
  SIGN_IN_KINDS,
  'By a link in an e-mail, or through the partner’s own OIDC provider.',
);

const PartnerType = builder.objectRef<Partner>('Partner').implement({
  description: 'The company whose workspace this is.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    signIn: t.field({
      type: SignInKindType,
      description: 'How its members sign in.',
      resolve: async (_, _args, call) =>
        (await call.context.em.count(PartnerProvider, own(call))) > 0 ? 'provider' : 'email',
    }),
  }),
});

const MemberType = builder.objectRef<PartnerMember>('Member').implement({
  description: 'A person of the partner.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.exposeString('email'),
    invitedAt: t.expose('invitedAt', { type: 'DateTime' }),
    joinedAt: t.expose('joinedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The first sign-in; null until then.',
    }),
    lastSignInAt: t.expose('lastSignInAt', { type: 'DateTime', nullable: true }),
    isYou: t.boolean({ resolve: ({ id }, _args, { member }) => id === member.id }),
  }),
});

const ViewerType = builder.objectRef<SignedInMember>('Viewer').implement({
  description: 'The person making this call.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.exposeString('email'),
    signedInAt: t.expose('signedInAt', { type: 'DateTime' }),
    partner: t.field({
      type: PartnerType,
      resolve: (_, _args, call) => call.context.em.findOneOrFail(Partner, { id: own(call).partner }),
    }),
  }),
});

const SessionType = builder.objectRef<OwnSession>('MemberSession').implement({
  description: 'A browser in which you are signed in.',
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastSeenAt: t.expose('lastSeenAt', { type: 'DateTime', description: 'To the minute.' }),
    isCurrent: t.exposeBoolean('isCurrent', { description: 'Whether it is the session making this call.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Or earlier, after a time of inactivity.' }),
    browser: t.string({
      nullable: true,
      description: 'The browser and its operating system, as the browser reports them.',
      resolve: ({ browser }) => browser ?? null,
    }),
    address: t.exposeString('address', { nullable: true, description: 'The network address of its last use.' }),
    network: t.string({
      nullable: true,
      description: '`this machine` or `private network`; null for a public address.',
      resolve: ({ network }) => network ?? null,
    }),
    timeZone: t.exposeString('timeZone', { nullable: true, description: 'IANA name, as the browser reports it.' }),
  }),
});

builder.queryFields((t) => ({
  viewer: t.field({ type: ViewerType, resolve: (_, _args, { member }) => member }),
  members: t.field({
    type: [MemberType],
    description: 'The people of the partner who are invited or have joined, by name. Staff invite them.',
    resolve: (_, _args, call) =>
      call.context.em.find(
        PartnerMember,
        { $and: [own(call), { revokedAt: null }] },
        { orderBy: { name: 'asc', id: 'asc' }, limit: 500 },
      ),
  }),
  mySessions: t.field({
    type: [SessionType],
    description: 'The browsers in which you are signed in, newest first.',
    resolve: (_, _args, { context, member }) => listOwnSessions(context, member),
  }),
}));

builder.mutationFields((t) => ({
  endMySession: t.field({
    type: ViewerType,
    ...CHANGE,
    description: 'Signs you out in one of your browsers.',
    args: { id: t.arg.id({ required: true, description: 'Of `mySessions`.' }) },
    resolve: async (_, { id }, call) => {
      await endOwnSession(call.work(), id, call.member);
      return call.member;
    },
  }),
}));
