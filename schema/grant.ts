import { ConsentGrant, GRANT_MODES } from '../src/entities/consent-grant.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { idOf } from '../src/platform/identifier/type-id.ts';
import { endGrant } from '../src/sign-in/fan/end-access.ts';
import { builder, enumOf, mutation, right } from './builder.ts';
import { ClientType } from './client.ts';
import { callerOf } from './context.ts';
import { FanType } from './fan.ts';
import { pageOf } from './lists.ts';
import { entityType, queryById } from './loaders.ts';
import { AgeSort } from './sorts.ts';
import { TicketNode } from './ticket.ts';

const GrantModeType = enumOf('GrantMode', GRANT_MODES);

export const GrantType = entityType('Grant', ConsentGrant);

GrantType.implement({
  description: 'What a fan allowed a client to do. Every token belongs to a grant and ends with it.',
  fields: (t) => ({
    id: t.exposeID('id'),
    fan: t.field({ type: FanType, resolve: (grant) => grant.fan.id }),
    client: t.field({ type: ClientType, resolve: (grant) => grant.client.id }),
    scope: t.exposeString('scope', { description: 'What the client requested, separated by spaces.' }),
    actions: t.exposeStringList('actions', { description: 'What the fan allowed.' }),
    mode: t.expose('mode', { type: GrantModeType }),
    tickets: t.field({
      type: [TicketNode],
      description: 'Those of a `SELECTED` grant.',
      resolve: (grant) => grant.ticketIds.map((uuid) => idOf('tkt', uuid)),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    revokedReason: t.exposeString('revokedReason', { nullable: true }),
  }),
});

queryById('grant', GrantType, ConsentGrant, 'grant');

builder.queryFields((t) => ({
  grants: t.connection({
    type: GrantType,
    authScopes: right('console:read'),
    args: {
      clientId: t.arg.id(),
      fanId: t.arg.id(),
      revoked: t.arg.boolean({ description: 'Whether they have been revoked; both if omitted.' }),
      sort: t.arg({ type: AgeSort }),
    },
    resolve: (_, { clientId, fanId, revoked, ...page }, { context }) =>
      pageOf(context, ConsentGrant, page, [
        clientId && { client: knownId('client', clientId) },
        fanId && { fan: knownId('usr', fanId) },
        revoked != null && { revokedAt: revoked ? { $ne: null } : null },
      ]),
  }),
}));

builder.mutationFields((t) => ({
  revokeGrant: t.field({
    type: GrantType,
    ...mutation('grants:revoke'),
    description: 'Ends a grant; tokens under it stop working with the next call.',
    args: {
      grantId: t.arg.id({ required: true }),
      reason: t.arg.string({ required: true }),
      keepsSales: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'Whether what it put on sale stays on sale.',
      }),
    },
    resolve: (_, request, call) => endGrant(call.work(), request, callerOf(call)),
  }),
}));
