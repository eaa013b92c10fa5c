import type { FilterQuery } from '@mikro-orm/core';
import { CLIENT_STATUSES, Client, ClientReview } from '../src/entities/client.ts';
import { ConsentGrant } from '../src/entities/consent-grant.ts';
import { KillSwitch } from '../src/entities/kill-switch.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { isId } from '../src/platform/identifier/type-id.ts';
import { AuditEntryType, pageOfEntries } from './audit-entry.ts';
import { builder, enumOf, right } from './builder.ts';
import { ClientReviewType } from './client-review.ts';
import { ModeType } from './event.ts';
import { KillSwitchType } from './kill-switch.ts';
import { byMoment, byPlace, byText } from './list-order.ts';
import { containing, pageOf } from './lists.ts';
import { countBy, rowBy, rowsBy } from './load-rows.ts';
import { entityType, queryById } from './loaders.ts';
import { PartnerType } from './partner.ts';
import { sortEnum } from './sorts.ts';

export const ClientStatusType = enumOf(
  'ClientStatus',
  CLIENT_STATUSES,
  'Sandbox: SANDBOX_READY. Production: DRAFT, IN_REVIEW, APPROVED, ENABLED, SUSPENDED, or REJECTED.',
);

export const ClientType = entityType('Client', Client);

ClientType.implement({
  description: 'An OAuth client of a partner: public (no secret), in a mode that never changes.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The `client_id`.' }),
    name: t.exposeString('name', { description: 'Fans see it.' }),
    mode: t.expose('mode', { type: ModeType }),
    status: t.expose('status', { type: ClientStatusType }),
    redirectUris: t.exposeStringList('redirectUris', {
      description:
        'In force once the client is approved, like scopes, loopback option and privacy page; see `openReview` for an edit.',
    }),
    scopes: t.exposeStringList('scopes'),
    corsOrigins: t.exposeStringList('corsOrigins', { description: 'Origins from which its pages can call.' }),
    loopbackAnyPort: t.exposeBoolean('loopbackAnyPort', {
      description: 'Redirect URIs on 127.0.0.1 and [::1] match with any port (RFC 8252 §7.3).',
    }),
    refreshRetryWindow: t.exposeInt('refreshRetryWindow', {
      description: 'Seconds in which a used refresh token is accepted a second time.',
    }),
    privacyUrl: t.exposeString('privacyUrl', {
      description: 'Of the company’s privacy page, which fans see when they consent; empty for none.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    version: t.exposeInt('version', {
      description: 'Increases with every change to the client or its open review. Edits and decisions require it.',
    }),
    partner: t.field({ type: PartnerType, resolve: (client) => client.partner.id }),
    grantCount: t.loadable({
      description: 'Grants that no one has revoked.',
      ...countBy(ConsentGrant, 'client', { revokedAt: null }),
    }),
    killSwitch: t.loadable({
      type: KillSwitchType,
      description: 'Set while a kill switch stops the client, whatever its status.',
      ...rowBy(KillSwitch, 'client'),
    }),
    openReview: t.loadable({
      type: ClientReviewType,
      description: 'Of its first registration, or of an edit beside the registration in force.',
      ...rowBy(ClientReview, 'client', { where: { decision: null }, refresh: true }),
    }),
    reviews: t.loadableList({
      type: ClientReviewType,
      description: 'Newest first.',
      ...rowsBy(ClientReview, 'client', { orderBy: { id: 'desc' }, refresh: true }),
    }),
    history: t.connection({
      type: AuditEntryType,
      description: 'Its entries in the audit log.',
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

const ClientSort = sortEnum<Client>('ClientSort', {
  name: byText('name', 'name'),
  status: byPlace('status', 'status', CLIENT_STATUSES),
  updated: byMoment('updatedAt', { nullable: false }),
});

builder.queryFields((t) => ({
  clients: t.connection({
    type: ClientType,
    authScopes: right('console:read'),
    args: {
      search: t.arg.string({ description: 'Part of the name, or the full client_id.' }),
      mode: t.arg({ type: ModeType }),
      status: t.arg({ type: [ClientStatusType], description: 'Any of these.' }),
      partnerId: t.arg.id(),
      sort: t.arg({ type: ClientSort }),
    },
    resolve: (_, { search, mode, status, partnerId, sort, ...page }, { context }) =>
      pageOf(
        context,
        Client,
        page,
        [
          search?.trim() && foundBy(search.trim()),
          mode && { mode },
          status && { status: { $in: status } },
          partnerId && { partner: knownId('ptn', partnerId) },
        ],
        { sort },
      ),
  }),
}));

function foundBy(text: string): FilterQuery<Client> {
  return isId('client', text) ? { id: text } : containing('name', text);
}
