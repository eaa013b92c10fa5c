import { Staff } from '../src/entities/staff.ts';
import {
  FRESH_SIGN_IN,
  hasRight,
  RIGHT_NAMES,
  RIGHTS,
  type RightName,
  type SignedInStaff,
} from '../src/partners/rights.ts';
import { endOwnSession, listOwnSessions, type OwnSession } from '../src/people/account/sessions.ts';
import { inviteStaff, makeLink, type SignInLink } from '../src/people/staff/make-link.ts';
import { disableStaff, enableStaff, endStaffSessions, setStaffRole } from '../src/people/staff/manage-staff.ts';
import { STAFF_ROLES } from '../src/platform/staff-role.ts';
import { after } from '../src/platform/time.ts';
import { builder, enumOf, type FieldsOf, mutation, right } from './builder.ts';
import { callerOf, viewerOf } from './context.ts';
import { byMoment, byPlace, byText } from './list-order.ts';
import { containing, pageOf } from './lists.ts';
import { entityType } from './loaders.ts';
import { sortEnum } from './sorts.ts';

const StaffRoleType = enumOf('StaffRole', STAFF_ROLES, 'Each role has the rights of the roles before it.');

export const StaffType = entityType('Staff', Staff);

StaffType.implement({
  description: 'A person who works in the console.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.exposeString('email', { nullable: true }),
    role: t.expose('role', { type: StaffRoleType, description: 'From the groups of the last sign-in.' }),
    issuer: t.exposeString('issuer', { description: 'The sign-in service; `local` for one-time links.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastSignInAt: t.expose('lastSignInAt', { type: 'DateTime', nullable: true }),
    disabledAt: t.expose('disabledAt', { type: 'DateTime', nullable: true }),
  }),
});

export const StaffRightType = builder.objectRef<{ name: RightName }>('StaffRight').implement({
  description: 'Something that staff can be allowed to do.',
  fields: (t) => ({
    name: t.exposeString('name'),
    says: t.string({ resolve: ({ name }) => RIGHTS[name].says }),
    role: t.field({
      type: StaffRoleType,
      description: 'The lowest role that has it.',
      resolve: ({ name }) => RIGHTS[name].role,
    }),
    fresh: t.boolean({
      description: 'Whether it needs a sign-in within the last 5 minutes. Tokens can’t have such rights.',
      resolve: ({ name }) => RIGHTS[name].fresh,
    }),
  }),
});

const ViewerType = builder.objectRef<SignedInStaff>('Viewer').implement({
  description: 'The person making this call.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.exposeString('email', { nullable: true }),
    role: t.expose('role', { type: StaffRoleType }),
    rights: t.stringList({
      description: 'Names of the rights that this call has, by the role and, for a token, its scopes.',
      resolve: (staff) => RIGHT_NAMES.filter((name) => hasRight(staff, name)),
    }),
    via: t.string({
      description: '`session` or `token`.',
      resolve: ({ scopes }) => (scopes === null ? 'session' : 'token'),
    }),
    authenticatedAt: t.expose('authenticatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the person last signed in; null for a token, or if the sign-in service did not say.',
    }),
    freshUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Until when rights that need a fresh sign-in can be used; null if one is needed now.',
      resolve: ({ authenticatedAt }, _args, { context }) => {
        const until = authenticatedAt === null ? null : after(authenticatedAt, FRESH_SIGN_IN);
        return until !== null && until > context.now() ? until : null;
      },
    }),
    confirmsHere: t.boolean({
      description:
        'Whether a fresh sign-in takes a single click: only with the embedded default, in a browser on the same machine.',
      resolve: (_, _args, call) => call.confirmsHere ?? false,
    }),
  }),
});

/** The fields of a session in a browser, of staff or of a member of a partner. */
export const sessionFields = (t: FieldsOf<OwnSession>) => ({
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
});

const OwnSessionType = builder.objectRef<OwnSession>('StaffSession').implement({
  description: 'A browser in which you are signed in.',
  fields: sessionFields,
});

const StaffSort = sortEnum<Staff>('StaffSort', {
  name: byText('name', 'name'),
  role: byPlace('role', 'role', STAFF_ROLES),
  lastSignIn: byMoment('lastSignInAt', { nullable: true }),
});

const SignInLinkType = builder.objectRef<SignInLink>('StaffLink').implement({
  description: 'A one-time sign-in link. Anyone who opens it signs in as that person.',
  fields: (t) => ({
    url: t.exposeString('url'),
    name: t.exposeString('name'),
    staff: t.field({ type: StaffType, resolve: ({ staffId }) => staffId }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
  }),
});

builder.queryFields((t) => ({
  viewer: t.field({ type: ViewerType, authScopes: right('console:read'), resolve: (_, _args, call) => viewerOf(call) }),
  staffRights: t.field({
    type: [StaffRightType],
    authScopes: right('console:read'),
    description: 'All rights.',
    resolve: () => RIGHT_NAMES.map((name) => ({ name })),
  }),
  staff: t.connection({
    type: StaffType,
    authScopes: right('console:read'),
    args: { search: t.arg.string({ description: 'Part of the name or email.' }), sort: t.arg({ type: StaffSort }) },
    resolve: (_, { search, ...page }, { context }) => {
      const found = search ? { $or: [containing('name', search), containing('email', search)] } : undefined;
      return pageOf<Staff>(context, Staff, page, [found]);
    },
  }),
  mySessions: t.field({
    type: [OwnSessionType],
    authScopes: right('console:read'),
    resolve: (_, _args, call) => listOwnSessions(call.context, viewerOf(call)),
  }),
}));

builder.mutationFields((t) => ({
  createStaffLink: t.field({
    type: SignInLinkType,
    ...mutation('staff:write'),
    description: 'Without a sign-in service: registers a person and creates a sign-in link for them.',
    args: {
      name: t.arg.string({ required: true, description: '1 to 120 characters, unique.' }),
      role: t.arg({ type: StaffRoleType, required: true }),
    },
    resolve: (_, person, call) => inviteStaff(call.work(), person, callerOf(call)),
  }),
  renewStaffLink: t.field({
    type: SignInLinkType,
    ...mutation('staff:write'),
    description: 'Creates a new sign-in link for a person who signs in with links.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, call) => makeLink(call.work(), id, callerOf(call)),
  }),
  disableStaff: t.field({
    type: StaffType,
    ...mutation('staff:write'),
    description: 'Ends a person’s sessions and tokens and prevents new sign-ins.',
    args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: (_, { id, reason }, call) => disableStaff(call.work(), id, reason, callerOf(call)),
  }),
  setStaffRole: t.field({
    type: StaffType,
    ...mutation('staff:write'),
    description:
      'Gives a person who signs in with links another role, from their next call on. Of others the groups at the sign-in service decide.',
    args: {
      id: t.arg.id({ required: true }),
      role: t.arg({ type: StaffRoleType, required: true }),
      reason: t.arg.string({ required: true }),
    },
    resolve: (_, { id, ...wish }, call) => setStaffRole(call.work(), { staffId: id, ...wish }, callerOf(call)),
  }),
  endStaffSessions: t.field({
    type: StaffType,
    ...mutation('staff:write'),
    description: 'Signs a person out in all browsers. Their access tokens stay.',
    args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: (_, { id, reason }, call) => endStaffSessions(call.work(), id, reason, callerOf(call)),
  }),
  enableStaff: t.field({
    type: StaffType,
    ...mutation('staff:write'),
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, call) => enableStaff(call.work(), id, callerOf(call)),
  }),
  endMySession: t.field({
    type: ViewerType,
    ...mutation('console:read'),
    description: 'Signs you out in one of your browsers.',
    args: { id: t.arg.id({ required: true, description: 'Of `mySessions`.' }) },
    resolve: async (_, { id }, call) => {
      await endOwnSession(call.work(), id, viewerOf(call));
      return viewerOf(call);
    },
  }),
}));
