import type { FilterQuery } from '@mikro-orm/core';
import { CLAIM_STATES, Claim } from '../src/entities/claim.ts';
import { CLIENT_STATUSES, Client, ClientReview } from '../src/entities/client.ts';
import { ConsentGrant } from '../src/entities/consent-grant.ts';
import { KillSwitch } from '../src/entities/kill-switch.ts';
import { type GoLiveStep, stepsToGoLive } from '../src/people/workspace/edit-own-client.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { isId } from '../src/platform/identifier/type-id.ts';
import { AuditEntryType, pageOfEntries } from './audit-entry.ts';
import { builder, enumOf, forBoth, forPartners, right, STAFF_ONLY } from './builder.ts';
import { ClaimStateType } from './claim.ts';
import { ClientReviewType } from './client-review.ts';
import { ModeType } from './event.ts';
import { KillSwitchType } from './kill-switch.ts';
import { byMoment, byPlace, byText } from './list-order.ts';
import { containing, pageOf } from './lists.ts';
import { countBy, entityType, rowBy, rowsBy } from './loaders.ts';
import { own } from './own.ts';
import { PartnerType } from './partner.ts';
import { sortEnum } from './sorts.ts';

export const ClientStatusType = enumOf(
  'ClientStatus',
  CLIENT_STATUSES,
  'Sandbox: SANDBOX_READY. Production: DRAFT, IN_REVIEW, APPROVED, ENABLED, SUSPENDED, or REJECTED.',
);

export const ClientType = entityType('Client', Client);

const GoLiveStepType = builder.objectRef<GoLiveStep>('GoLiveStep').implement({
  description: 'A step on the way to production.',
  fields: (t) =>
    forPartners({
      name: t.exposeString('name', { description: 'Stable: `registered`, `submitted`, `approved`, `enabled`.' }),
      says: t.exposeString('says', { description: 'What happens in it, and who does it.' }),
      done: t.exposeBoolean('done'),
      isNext: t.exposeBoolean('isNext'),
      isYours: t.exposeBoolean('isYours', { description: 'Whether a person of the partner takes it, and not staff.' }),
    }),
});

const ClaimCountType = builder.objectRef<{ state: Claim['state']; count: number }>('ClaimCount').implement({
  fields: (t) => forPartners({ state: t.expose('state', { type: ClaimStateType }), count: t.exposeInt('count') }),
});

ClientType.implement({
  description: 'An OAuth client of a partner: public, without a secret, in a mode that never changes.',
  fields: (t) => ({
    ...forBoth({
      id: t.exposeID('id', { description: 'The `client_id`.' }),
      name: t.exposeString('name', { description: 'Fans see it.' }),
      mode: t.expose('mode', { type: ModeType }),
      status: t.expose('status', { type: ClientStatusType }),
      redirectUris: t.exposeStringList('redirectUris', {
        description:
          'In force once the client is approved, like scopes, loopback option, privacy page and marketplaces; see `openReview` for an edit.',
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
      marketplaces: t.exposeStringList('marketplaces', {
        description: 'Addresses (base58) of the marketplaces on which it can list tickets; none: on any.',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
      version: t.exposeInt('version', {
        description: 'Increases with every change to the client or its open review. Edits and decisions require it.',
      }),
      grantCount: t.loadable({
        description: 'Grants of fans that no one has revoked.',
        ...countBy(ConsentGrant, 'client', { revokedAt: null }),
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
    }),
    ...forPartners({
      isStopped: t.loadable({
        type: 'Boolean',
        description: 'Whether staff have stopped the client, whatever its status.',
        load: async (ids: string[], call) =>
          (await rowBy(KillSwitch, 'client').load(ids, call)).map((found) => found !== undefined),
        resolve: ({ id }) => id,
      }),
      endedGrantCount: t.loadable({
        description: 'Grants that have ended.',
        ...countBy(ConsentGrant, 'client', { revokedAt: { $ne: null } }),
      }),
      claimCounts: t.field({
        type: [ClaimCountType],
        description: 'Claims of its fans by state, each counted up to 10,000.',
        resolve: (client, _args, { context }) =>
          Promise.all(
            CLAIM_STATES.map(async (state) => ({
              state,
              count: await context.em.count(Claim, { state, grant: { client: client.id } }),
            })),
          ),
      }),
      goLive: t.field({
        type: [GoLiveStepType],
        description: 'The way of a production client to its fans; empty for a sandbox client.',
        resolve: stepsToGoLive,
      }),
    }),
    partner: t.field({ type: PartnerType, resolve: (client) => client.partner.id }),
    killSwitch: t.loadable({
      type: KillSwitchType,
      description: 'Set while a kill switch stops the client, whatever its status.',
      ...rowBy(KillSwitch, 'client'),
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

const ClientSort = sortEnum<Client>('ClientSort', {
  name: byText('name', 'name'),
  status: byPlace('status', 'status', CLIENT_STATUSES),
  updated: byMoment('updatedAt', { nullable: false }),
});

builder.queryFields((t) =>
  forBoth({
    clients: t.connection({
      type: ClientType,
      authScopes: right('console:read'),
      description: 'Newest first, unless they are sorted.',
      args: {
        search: t.arg.string({ ...STAFF_ONLY, description: 'Part of the name, or the full client_id.' }),
        mode: t.arg({ type: ModeType, description: 'Both if omitted.' }),
        status: t.arg({ ...STAFF_ONLY, type: [ClientStatusType], description: 'Any of these.' }),
        partnerId: t.arg.id(STAFF_ONLY),
        sort: t.arg({ ...STAFF_ONLY, type: ClientSort }),
      },
      resolve: (_, { search, mode, status, partnerId, ...page }, call) =>
        pageOf(call.context, Client, page, [
          own(call),
          search?.trim() && foundBy(search.trim()),
          mode && { mode },
          status && { status: { $in: status } },
          partnerId && { partner: knownId('ptn', partnerId) },
        ]),
    }),
    client: t.field({
      type: ClientType,
      nullable: true,
      authScopes: right('console:read'),
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, call) =>
        call.context.em.findOne(Client, { $and: [{ id: knownId('client', id) }, own(call)] }),
    }),
  }),
);

function foundBy(text: string): FilterQuery<Client> {
  return isId('client', text) ? { id: text } : containing('name', text);
}
