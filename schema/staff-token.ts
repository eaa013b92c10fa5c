import { StaffToken } from '../src/entities/staff.ts';
import { createStaffToken, revokeStaffToken } from '../src/people/staff/staff-tokens.ts';
import { DomainError } from '../src/platform/errors.ts';
import { isId } from '../src/platform/identifier/type-id.ts';
import { builder, mutation, right } from './builder.ts';
import { viewerOf } from './context.ts';
import { byMoment, byText } from './list-order.ts';
import { pageOf } from './lists.ts';
import { sortEnum } from './sorts.ts';
import { StaffType } from './staff.ts';

const StaffTokenType = builder.objectRef<StaffToken>('StaffToken').implement({
  description: 'A person’s access token for automation with this API.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    owner: t.field({ type: StaffType, resolve: ({ staff }) => staff.id }),
    scopes: t.exposeStringList('scopes', {
      description: 'Names of rights. Those that the owner’s role no longer has are ignored.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true, description: 'To the minute.' }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
  }),
});

const CreatedStaffTokenType = builder.objectRef<{ token: StaffToken; value: string }>('CreatedStaffToken').implement({
  fields: (t) => ({
    token: t.expose('token', { type: StaffTokenType }),
    value: t.exposeString('value', { description: 'The token, shown only once: `Authorization: Bearer st_…`.' }),
  }),
});

const StaffTokenSort = sortEnum<StaffToken>('StaffTokenSort', {
  name: byText('name', 'name'),
  lastUsed: byMoment('lastUsedAt', { nullable: true }),
});

builder.queryFields((t) => ({
  myTokens: t.connection({
    type: StaffTokenType,
    authScopes: right('console:read'),
    args: { sort: t.arg({ type: StaffTokenSort }) },
    resolve: (_, args, call) => pageOf(call.context, StaffToken, args, [{ staff: viewerOf(call).id }]),
  }),
  staffTokens: t.connection({
    type: StaffTokenType,
    authScopes: right('audit:read'),
    description: 'The tokens of all staff, or of one person.',
    args: { ownerId: t.arg.id(), sort: t.arg({ type: StaffTokenSort }) },
    resolve: (_, { ownerId, ...args }, { context }) => {
      if (!ownerId) return pageOf(context, StaffToken, args, []);
      if (isId('stf', ownerId)) return pageOf(context, StaffToken, args, [{ staff: ownerId }]);
      throw new DomainError('invalid_request', 'ownerId must be the ID of a staff member.');
    },
  }),
}));

builder.mutationFields((t) => ({
  createStaffToken: t.field({
    type: CreatedStaffTokenType,
    ...mutation('tokens:write'),
    args: {
      name: t.arg.string({ required: true, description: '1 to 120 characters.' }),
      scopes: t.arg.stringList({ required: true, description: 'Names of rights that don’t need a fresh sign-in.' }),
      days: t.arg.int({ required: true, description: 'Until it expires: 1 to 365.' }),
    },
    resolve: (_, wish, call) => createStaffToken(call.work(), wish, viewerOf(call)),
  }),
  revokeStaffToken: t.field({
    type: StaffTokenType,
    ...mutation('console:read'),
    description: 'Revokes a token: your own, or anyone’s with the right `staff:write`.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, call) => revokeStaffToken(call.work(), id, viewerOf(call)),
  }),
}));
