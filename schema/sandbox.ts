import { SandboxKit, TestUser } from '../src/entities/test-user.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { createClientKit } from '../src/sandbox/create-client-kit.ts';
import { provisionSoon } from '../src/sandbox/provision-soon.ts';
import {
  resetSandbox,
  type SandboxContents,
  type SandboxReset,
  sandboxContents,
} from '../src/sandbox/reset-sandbox.ts';
import { builder, mutation, right } from './builder.ts';
import { ClientType } from './client.ts';
import { callerOf } from './context.ts';
import { EventType } from './event.ts';
import { kitConfigurations } from './kit-configurations.ts';
import { rowBy } from './load-rows.ts';
import { TestUserType } from './test-user.ts';

const testUserOf = rowBy(TestUser, 'fan');

const StarterKitType = builder.objectRef<SandboxKit>('StarterKit').implement({
  description: 'A test user, a test event and three permits, created for a sandbox client.',
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    client: t.field({ type: ClientType, resolve: (kit) => kit.client.id }),
    event: t.field({ type: EventType, resolve: (kit) => kit.event.id }),
    testUser: t.loadable({
      type: TestUserType,
      load: async (ids: string[], call) =>
        (await testUserOf.load(ids, call)).map((user, index) => user ?? new Error(`there is no ${ids[index]}`)),
      resolve: (kit) => kit.fan.id,
    }),
    configuration: t.loadable({
      type: 'JSON',
      description:
        'Everything a partner’s developer needs, ready to copy: client_id, redirect_uris, scopes, test_users (phone, code, wallet_address), auth_url (the issuer), api_url, login_url, rpc_url.',
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

builder.queryFields((t) => ({
  starterKits: t.field({
    type: [StarterKitType],
    authScopes: right('console:read'),
    description: 'A client’s starter kits since the last reset, newest first.',
    args: { clientId: t.arg.id({ required: true }) },
    resolve: (_, { clientId }, { context }) =>
      context.em.find(SandboxKit, { client: knownId('client', clientId) }, { orderBy: { id: 'desc' }, limit: 20 }),
  }),
  sandboxContents: t.field({
    type: SandboxContentsType,
    authScopes: right('console:read'),
    args: { partnerId: t.arg.id({ required: true }) },
    resolve: (_, { partnerId }, { context }) => sandboxContents(context, partnerId),
  }),
}));

builder.mutationFields((t) => ({
  createStarterKit: t.field({
    type: StarterKitType,
    ...mutation('sandbox:write'),
    description: 'Creates a starter kit for a sandbox client. Calling again with the same key returns the same kit.',
    args: {
      clientId: t.arg.id({ required: true }),
      requestKey: t.arg.string({
        required: true,
        description: '1 to 100 ASCII characters. Use a new key for a new kit.',
      }),
    },
    resolve: async (_, request, call) => {
      const context = call.work();
      const kit = await createClientKit(context, request, callerOf(call));
      provisionSoon(context);
      return kit;
    },
  }),
  resetSandbox: t.field({
    type: SandboxResetType,
    ...mutation('sandbox:write'),
    description:
      'Empties a partner’s sandbox: permits and grants are revoked, its own test events end, its test users are deleted. Clients are kept.',
    args: {
      partnerId: t.arg.id({ required: true }),
      confirm: t.arg.string({ required: true, description: 'The partner’s name.' }),
      keepTestUsers: t.arg.boolean({ required: true }),
    },
    resolve: (_, request, call) => resetSandbox(call.work(), request, callerOf(call)),
  }),
}));
