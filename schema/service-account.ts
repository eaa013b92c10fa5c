import { ServiceAccount, ServiceToken } from '../src/entities/service-account.ts';
import { SERVICE_RIGHTS } from '../src/partners/rights.ts';
import {
  createServiceAccount,
  disableServiceAccount,
  type NewServiceToken,
  rotateServiceToken,
} from '../src/people/staff/service-accounts.ts';
import { builder, mutation, right } from './builder.ts';
import { callerOf } from './context.ts';
import { byText } from './list-order.ts';
import { pageOf } from './lists.ts';
import { entityType, rowsBy } from './loaders.ts';
import { sortEnum } from './sorts.ts';
import { StaffRightType } from './staff.ts';

const ServiceTokenType = builder.objectRef<ServiceToken>('ServiceToken').implement({
  description: 'A token of a service account. Its value is shown once.',
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true, description: 'To the minute.' }),
  }),
});

const ServiceAccountType = entityType('ServiceAccount', ServiceAccount);

ServiceAccountType.implement({
  description: 'A machine that uses this API and the import endpoint. It is no person.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    scopes: t.exposeStringList('scopes', { description: 'Names of rights.' }),
    callsPerMinute: t.exposeInt('callsPerMinute', {
      description: 'More are refused, with `Retry-After`. Counted by each process.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    disabledAt: t.expose('disabledAt', { type: 'DateTime', nullable: true }),
    tokens: t.loadableList({
      type: ServiceTokenType,
      description: 'Newest first, also those that have expired.',
      ...rowsBy(ServiceToken, 'account', { orderBy: { id: 'desc' } }),
    }),
  }),
});

const NewServiceTokenType = builder.objectRef<NewServiceToken>('NewServiceToken').implement({
  fields: (t) => ({
    account: t.field({ type: ServiceAccountType, resolve: ({ account }) => account }),
    token: t.expose('token', { type: ServiceTokenType }),
    value: t.exposeString('value', { description: 'The token, shown only once: `Authorization: Bearer sv_…`.' }),
  }),
});

const ServiceAccountSort = sortEnum<ServiceAccount>('ServiceAccountSort', { name: byText('name', 'name') });

builder.queryFields((t) => ({
  serviceAccounts: t.connection({
    type: ServiceAccountType,
    authScopes: right('audit:read'),
    description: 'All service accounts, also those that are disabled.',
    args: { sort: t.arg({ type: ServiceAccountSort }) },
    resolve: (_, page, { context }) => pageOf(context, ServiceAccount, page, []),
  }),
  serviceRights: t.field({
    type: [StaffRightType],
    authScopes: right('console:read'),
    description: 'The rights that a service account can have.',
    resolve: () => SERVICE_RIGHTS.map((name) => ({ name })),
  }),
}));

builder.mutationFields((t) => ({
  createServiceAccount: t.field({
    type: NewServiceTokenType,
    ...mutation('staff:write'),
    description: 'Creates a service account with its first token.',
    args: {
      name: t.arg.string({ required: true, description: '1 to 120 characters.' }),
      scopes: t.arg.stringList({ required: true, description: 'Names of rights, of `serviceRights`.' }),
      days: t.arg.int({ required: true, description: 'Until the token expires: 1 to 365.' }),
      callsPerMinute: t.arg.int({ required: true, description: '1 to 6,000 in each process.' }),
    },
    resolve: (_, wish, call) => createServiceAccount(call.work(), wish, callerOf(call)),
  }),
  rotateServiceToken: t.field({
    type: NewServiceTokenType,
    ...mutation('staff:write'),
    description: 'Creates another token. The one before it stays valid for the overlap; any older one ends now.',
    args: {
      accountId: t.arg.id({ required: true }),
      days: t.arg.int({ required: true, description: 'Until the new token expires: 1 to 365.' }),
      overlapHours: t.arg.int({ required: true, description: 'For which the token before it stays valid: 0 to 168.' }),
    },
    resolve: (_, { accountId, ...wish }, call) => rotateServiceToken(call.work(), accountId, wish, callerOf(call)),
  }),
  disableServiceAccount: t.field({
    type: ServiceAccountType,
    ...mutation('staff:write'),
    description: 'Refuses the tokens of a service account from now on, for good.',
    args: { accountId: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: (_, { accountId, reason }, call) => disableServiceAccount(call.work(), accountId, reason, callerOf(call)),
  }),
}));
