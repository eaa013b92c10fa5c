import { Client } from '../../src/entities/client.ts';
import { Partner } from '../../src/entities/partner.ts';
import { Permit } from '../../src/entities/permit.ts';
import { SandboxKit, type TestUser } from '../../src/entities/test-user.ts';
import { TicketType } from '../../src/entities/ticket.ts';
import { knownId } from '../../src/platform/identifier/known-id.ts';
import { restorePermits, revokePermits } from '../../src/sandbox/change-permits.ts';
import { createClientKit } from '../../src/sandbox/create-client-kit.ts';
import { createTestEvent } from '../../src/sandbox/create-test-event.ts';
import { createTestUsers } from '../../src/sandbox/create-test-users.ts';
import { grantPermits } from '../../src/sandbox/grant-permits.ts';
import { provisionSoon } from '../../src/sandbox/provision-soon.ts';
import {
  resetSandbox,
  type SandboxContents,
  type SandboxReset,
  sandboxContents,
} from '../../src/sandbox/reset-sandbox.ts';
import { kitConfigurations } from '../kit-configurations.ts';
import { builder, CHANGE } from './builder.ts';
import { ClientType } from './client.ts';
import { actorIn } from './context.ts';
import { own, ownOrShared, requireAllOwn, requireOwn } from './scope.ts';
import { PermitType, TestEventType, TestUserType } from './test-data.ts';

const StarterKitType = builder.objectRef<SandboxKit>('StarterKit').implement({
  description: 'A test user, a test event and three permits, created for a sandbox client.',
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    client: t.field({ type: ClientType, resolve: ({ client }) => client.id }),
    event: t.field({ type: TestEventType, resolve: ({ event }) => event.id }),
    configuration: t.loadable({
      type: 'JSON',
      description:
        'Everything a developer needs, ready to copy: client_id, redirect_uris, scopes, test_users (phone, code, wallet_address), auth_url (the issuer), api_url, login_url, rpc_url.',
      load: (kits: SandboxKit[], { context }) => kitConfigurations(context, kits),
      resolve: (kit) => kit,
    }),
  }),
});

const SandboxContentsType = builder.objectRef<SandboxContents>('SandboxContents').implement({
  description: 'What a reset would revoke, end or delete.',
  fields: (t) => ({
    permits: t.exposeInt('permits'),
    grants: t.exposeInt('grants'),
    events: t.exposeInt('events'),
    testUsers: t.exposeInt('testUsers'),
  }),
});

const SandboxResetType = builder.objectRef<SandboxReset>('SandboxReset').implement({
  description: 'IDs of what was revoked, ended or deleted.',
  fields: (t) => ({
    permits: t.exposeStringList('permits'),
    grants: t.exposeStringList('grants'),
    events: t.exposeStringList('events'),
    testUsers: t.exposeStringList('testUsers', { description: 'IDs of the fans.' }),
  }),
});

const PermitsChanged = builder.objectRef<{ permits: Permit[] }>('PermitsChanged').implement({
  fields: (t) => ({ permits: t.expose('permits', { type: [PermitType] }) }),
});

const CreatedTestUsers = builder.objectRef<{ testUsers: TestUser[] }>('CreatedTestUsers').implement({
  fields: (t) => ({ testUsers: t.expose('testUsers', { type: [TestUserType] }) }),
});

const TestEventInput = builder.inputType('TestEventInput', {
  fields: (t) => ({
    name: t.string({ required: true, description: '1 to 200 characters.' }),
    venue: t.string({ description: '1 to 200 characters.' }),
    startsAt: t.field({ type: 'DateTime', required: true }),
    endsAt: t.field({ type: 'DateTime', required: true }),
    timeZone: t.string({ description: 'IANA name of the venue’s zone, such as `Europe/Berlin`; UTC if omitted.' }),
    ticketTypes: t.stringList({ required: true, description: '1 to 50 names of 1 to 120 characters, all different.' }),
  }),
});

builder.queryFields((t) => ({
  starterKits: t.field({
    type: [StarterKitType],
    description: 'A client’s starter kits since the last reset, newest first.',
    args: { clientId: t.arg.id({ required: true }) },
    resolve: (_, { clientId }, call) =>
      call.context.em.find(
        SandboxKit,
        { client: { $and: [{ id: knownId('client', clientId) }, own(call)] } },
        { orderBy: { id: 'desc' }, limit: 20 },
      ),
  }),
  sandboxContents: t.field({
    type: SandboxContentsType,
    resolve: (_, _args, call) => sandboxContents(call.context, own(call).partner),
  }),
}));

builder.mutationFields((t) => {
  const permitIds = t.arg.idList({ required: true, description: '1 to 50.' });
  return {
    createTestUsers: t.field({
      type: CreatedTestUsers,
      ...CHANGE,
      args: { count: t.arg.int({ required: true, description: '1 to 50.' }) },
      resolve: async (_, { count }, call) => {
        const plan = { partnerId: own(call).partner, count };
        const created = await createTestUsers(call.work(), plan, actorIn(call));
        return { testUsers: created.map(({ testUser }) => testUser) };
      },
    }),
    createTestEvent: t.field({
      type: TestEventType,
      ...CHANGE,
      args: { input: t.arg({ type: TestEventInput, required: true }) },
      resolve: async (_, { input }, call) => {
        const context = call.work();
        const { venue = null, timeZone, ...plan } = input;
        const partner = await context.em.findOneOrFail(Partner, own(call).partner);
        const wish = { ...plan, venue, ...(timeZone != null && { timeZone }), partner };
        const { event } = createTestEvent(context, wish, actorIn(call));
        await context.em.flush();
        provisionSoon(context);
        return event;
      },
    }),
    createStarterKit: t.field({
      type: StarterKitType,
      ...CHANGE,
      description: 'Creates a starter kit for a sandbox client. Calling again with the same key returns the same kit.',
      args: {
        clientId: t.arg.id({ required: true }),
        requestKey: t.arg.string({
          required: true,
          description: '1 to 100 ASCII characters. Use a new key for a new kit.',
        }),
      },
      resolve: async (_, { clientId: id, requestKey }, call) => {
        const context = call.work();
        const clientId = await requireOwn(context, Client, 'client', id, own(call));
        const kit = await createClientKit(context, { clientId, requestKey }, actorIn(call));
        provisionSoon(context);
        return kit;
      },
    }),
    grantPermits: t.field({
      type: PermitsChanged,
      ...CHANGE,
      description: 'Gives each of some test users a ticket: all or none.',
      args: {
        ticketTypeId: t.arg.id({ required: true, description: 'Of a test event that you can use.' }),
        fanIds: t.arg.idList({ required: true, description: 'Test users, 1 to 50. One listed twice gets two.' }),
      },
      resolve: async (_, { ticketTypeId: id, fanIds }, call) => {
        const context = call.work();
        // the domain would name another partner's event
        const ticketTypeId = await requireOwn(context, TicketType, 'typ', id, { event: ownOrShared(call) });
        const plan = { partnerId: own(call).partner, ticketTypeId, fanIds };
        const permits = await grantPermits(context, plan, actorIn(call));
        provisionSoon(context);
        return { permits };
      },
    }),
    revokePermits: t.field({
      type: PermitsChanged,
      ...CHANGE,
      description: 'Revokes test permits: all or none. `restorePermits` undoes it. Their onchain accounts stay.',
      args: { permitIds, reason: t.arg.string({ required: true, description: '1 to 1,000 characters.' }) },
      resolve: async (_, { permitIds: ids, reason }, call) => {
        const context = call.work();
        const revoked = await requireAllOwn(context, Permit, 'perm', ids, own(call));
        return { permits: await revokePermits(context, { permitIds: revoked, reason }, actorIn(call)) };
      },
    }),
    restorePermits: t.field({
      type: PermitsChanged,
      ...CHANGE,
      description: 'Restores revoked test permits: all or none.',
      args: { permitIds },
      resolve: async (_, { permitIds: ids }, call) => {
        const context = call.work();
        const restored = await requireAllOwn(context, Permit, 'perm', ids, own(call));
        const permits = await restorePermits(context, restored, actorIn(call));
        provisionSoon(context);
        return { permits };
      },
    }),
    resetSandbox: t.field({
      type: SandboxResetType,
      ...CHANGE,
      description:
        'Empties the sandbox: permits and grants are revoked, your own test events end, your test users are deleted. Clients are kept.',
      args: {
        confirm: t.arg.string({ required: true, description: 'The partner’s name.' }),
        keepTestUsers: t.arg.boolean({ required: true }),
      },
      resolve: (_, request, call) =>
        resetSandbox(call.work(), { ...request, partnerId: own(call).partner }, actorIn(call)),
    }),
  };
});
