import { StaffToken } from '../src/entities/staff.ts';
import { DomainError } from '../src/errors.ts';
import { isId } from '../src/identifier/type-id.ts';
import { createStaffToken, revokeStaffToken } from '../src/staff/staff-tokens.ts';
import { builder, mutation, right } from './builder.ts';
import { viewerOf } from './context.ts';
import { pageOf } from './lists.ts';
import { StaffType } from './staff.ts';

const StaffTokenType = builder.objectRef<StaffToken>('StaffToken').implement({
  description: 'An access token of a person for automation over this API.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    owner: t.field({ type: StaffType, resolve: ({ staff }) => staff.id }),
    scopes: t.exposeStringList('scopes', {
      description: 'Names of rights; those that the owner’s role no longer has do not count.',
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
    value: t.exposeString('value', { description: 'The token itself, shown this once: `Authorization: Bearer st_…`.' }),
  }),
});

builder.queryFields((t) => ({
  myTokens: t.connection({
    type: StaffTokenType,
    authScopes: right('console:read'),
    resolve: (_, args, call) => pageOf(call.context, StaffToken, args, [{ staff: viewerOf(call).id }]),
  }),
  staffTokens: t.connection({
    type: StaffTokenType,
    authScopes: right('audit:read'),
    description: 'The tokens of everybody, or of one person.',
    args: { ownerId: t.arg.id() },
    resolve: (_, { ownerId, ...args }, { context }) => {
      if (!ownerId) return pageOf(context, StaffToken, args, []);
      if (isId('stf', ownerId)) return pageOf(context, StaffToken, args, [{ staff: ownerId }]);
      throw new DomainError('invalid_request', 'ownerId is no identifier of a member of staff.');
    },
  }),
}));

builder.mutationFields((t) => ({
  createStaffToken: t.field({
    type: CreatedStaffTokenType,
    ...mutation('tokens:write'),
    args: {
      name: t.arg.string({ required: true, description: '1 to 120 characters, to know it by.' }),
      scopes: t.arg.stringList({ required: true, description: 'Names of rights that ask for no fresh sign-in.' }),
      days: t.arg.int({ required: true, description: 'Until it expires: 1 to 365.' }),
    },
    resolve: (_, wish, call) => createStaffToken(call.work(), wish, viewerOf(call)),
  }),
  revokeStaffToken: t.field({
    type: StaffTokenType,
    ...mutation('console:read'),
    description: 'From its next use on: your own at any time, another’s with the right `staff:write`.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, call) => revokeStaffToken(call.work(), id, viewerOf(call)),
  }),
}));
