import type { FilterQuery } from '@mikro-orm/core';
import { changesBetween, lastApprovals, registrationOf } from '../src/client/describe-changes.ts';
import { CLIENT_STATUSES, Client, ClientReview } from '../src/entities/client.ts';
import { ConsentGrant } from '../src/entities/consent-grant.ts';
import { KillSwitch } from '../src/entities/kill-switch.ts';
import { knownId } from '../src/identifier/known-id.ts';
import { isId } from '../src/identifier/type-id.ts';
import { AuditEntryType, pageOfEntries } from './audit-entry.ts';
import { builder, enumOf, right } from './builder.ts';
import { ClientReviewType, RegistrationChangeType } from './client-review.ts';
import { ModeType } from './event.ts';
import { KillSwitchType } from './kill-switch.ts';
import { containing, pageOf } from './lists.ts';
import { countBy, entityType, queryById, rowBy, rowsBy } from './loaders.ts';
import { PartnerType } from './partner.ts';

export const ClientStatusType = enumOf(
  'ClientStatus',
  CLIENT_STATUSES,
  'Sandbox: SANDBOX_READY. Production: DRAFT, IN_REVIEW, APPROVED, ENABLED, SUSPENDED, or REJECTED.',
);

export const ClientType = entityType('Client', Client);

ClientType.implement({
  description: 'An OAuth client of a partner: public (no secret), of one mode for life.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The `client_id`.' }),
    name: t.exposeString('name', { description: 'Fans see it.' }),
    mode: t.expose('mode', { type: ModeType }),
    status: t.expose('status', { type: ClientStatusType }),
    redirectUris: t.exposeStringList('redirectUris'),
    scopes: t.exposeStringList('scopes'),
    corsOrigins: t.exposeStringList('corsOrigins', { description: 'Origins from which its pages may call.' }),
    loopbackAnyPort: t.exposeBoolean('loopbackAnyPort', {
      description: 'Redirect URIs on 127.0.0.1 and [::1] match with any port (RFC 8252 §7.3).',
    }),
    refreshRetryWindow: t.exposeInt('refreshRetryWindow', {
      description: 'Seconds in which a refresh token that was just used is answered once more.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    version: t.exposeInt('version', { description: 'Counts up with each change; edits and decisions name it.' }),
    partner: t.field({ type: PartnerType, resolve: (client) => client.partner.id }),
    grantCount: t.loadable({
      description: 'Grants that no one has revoked.',
      ...countBy(ConsentGrant, 'client', { revokedAt: null }),
    }),
    killSwitch: t.loadable({
      type: KillSwitchType,
      description: 'Set while the client is stopped, whatever its status.',
      ...rowBy(KillSwitch, 'client'),
    }),
    reviews: t.loadableList({
      type: ClientReviewType,
      description: 'Newest first.',
      ...rowsBy(ClientReview, 'client', { orderBy: { id: 'desc' }, refresh: true }),
    }),
    changesSinceApproval: t.loadableList({
      type: RegistrationChangeType,
      nullable: true,
      description: 'How the registration differs from the one that was approved last; null where none was.',
      load: async (clients: Client[], { context }) => {
        const approvals = await lastApprovals(
          context,
          clients.map(({ id }) => id),
        );
        return clients.map((client) => {
          const approved = approvals.get(client.id);
          return approved ? changesBetween(approved.registration, registrationOf(client)) : null;
        });
      },
      resolve: (client) => client,
    }),
    history: t.connection({
      type: AuditEntryType,
      description: 'What was done to it, and by whom.',
      resolve: (client, page, { context }) => pageOfEntries(context, { subject: client.id }, page),
    }),
  }),
});

builder.objectField(PartnerType, 'clients', (t) =>
  t.connection({
    type: ClientType,
    resolve: (partner, page, { context }) => pageOf(context, Client, page, [{ partner: partner.id }]),
  }),
);

queryById('client', ClientType, Client, 'client');

builder.queryFields((t) => ({
  clients: t.connection({
    type: ClientType,
    authScopes: right('console:read'),
    args: {
      search: t.arg.string({ description: 'A part of the name, or the whole client_id.' }),
      mode: t.arg({ type: ModeType }),
      status: t.arg({ type: [ClientStatusType], description: 'Any of these.' }),
      partnerId: t.arg.id(),
    },
    resolve: (_, { search, mode, status, partnerId, ...page }, { context }) =>
      pageOf(context, Client, page, [
        search?.trim() && foundBy(search.trim()),
        mode && { mode },
        status && { status: { $in: status } },
        partnerId && { partner: knownId('ptn', partnerId) },
      ]),
  }),
}));

function foundBy(text: string): FilterQuery<Client> {
  return isId('client', text) ? { id: text } : { name: containing(text) };
}
