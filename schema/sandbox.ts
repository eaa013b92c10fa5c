import { Client } from '../src/entities/client.ts';
import { SandboxKit, TestUser } from '../src/entities/test-user.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import type { ServiceContext } from '../src/runtime.ts';
import { createClientKit } from '../src/sandbox/create-client-kit.ts';
import { provisionSoon } from '../src/sandbox/provision-soon.ts';
import {
  resetSandbox,
  type SandboxContents,
  type SandboxReset,
  sandboxContents,
} from '../src/sandbox/reset-sandbox.ts';
import { describeKit } from '../src/sandbox/starter-kit.ts';
import { builder, CHANGE, forBoth, forPartners, mutation, right } from './builder.ts';
import { ClientType } from './client.ts';
import { callerOf } from './context.ts';
import { EventType, TestEventType } from './event.ts';
import { rowBy } from './loaders.ts';
import { own, ownPartner, requireOwn } from './own.ts';
import { TestUserType } from './test-user.ts';

const testUserOf = rowBy(TestUser, 'fan');

const StarterKitType = builder.objectRef<SandboxKit>('StarterKit').implement({
  description: 'A test user, a test event and three permits, created for a sandbox client.',
  fields: (t) => ({
    ...forBoth({
      id: t.exposeID('id'),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      client: t.field({ type: ClientType, resolve: (kit) => kit.client.id }),
      configuration: t.loadable({
        type: 'JSON',
        description:
          'Everything a developer needs, ready to copy: client_id, redirect_uris, scopes, test_users (phone, code, wallet_address), auth_url (the issuer), api_url, login_url, rpc_url.',
        load: (kits: SandboxKit[], { context }) => kitConfigurations(context, kits),
        resolve: (kit) => kit,
      }),
    }),
    ...forPartners({ eventForPartners: t.field({ type: TestEventType, resolve: (kit) => kit.event.id }) }),
    event: t.field({ type: EventType, resolve: (kit) => kit.event.id }),
    testUser: t.loadable({
      type: TestUserType,
      load: async (ids: string[], call) =>
        (await testUserOf.load(ids, call)).map((user, index) => user ?? new Error(`there is no ${ids[index]}`)),
      resolve: (kit) => kit.fan.id,
    }),
  }),
});

/**
 * What a partner’s developer needs, for each kit. Reads once per client, not per kit: kits of one client differ in the test user
 * only.
 */
async function kitConfigurations(context: ServiceContext, kits: readonly SandboxKit[]): Promise<unknown[]> {
  const testUsers = await context.em.find(
    TestUser,
    { fan: { $in: kits.map(({ fan }) => fan.id) } },
    { populate: ['fan'] },
  );
  const described = new Map<string, Awaited<ReturnType<typeof describeKit>>>();
  for (const clientId of new Set(kits.map(({ client }) => client.id))) {
    const client = await context.em.findOneOrFail(Client, { id: clientId });
    described.set(clientId, await describeKit(context, client, testUsers));
  }
  return kits.map(({ client, fan }) => {
    const kit = described.get(client.id);
    if (!kit) return new Error(`there is no ${client.id}`);
    const { admin_url: _admin, test_users, ...forPartners } = kit;
    return { ...forPartners, test_users: test_users.filter(({ id }) => id === fan.id) };
  });
}

const SandboxContentsType = builder.objectRef<SandboxContents>('SandboxContents').implement({
  description: 'What a reset would revoke, end or delete.',
  fields: (t) =>
    forBoth({
      permits: t.exposeInt('permits'),
      grants: t.exposeInt('grants'),
      events: t.exposeInt('events'),
      testUsers: t.exposeInt('testUsers'),
    }),
});

const SandboxResetType = builder.objectRef<SandboxReset>('SandboxReset').implement({
  description: 'IDs of what was revoked, ended or deleted.',
  fields: (t) =>
    forBoth({
      permits: t.exposeStringList('permits'),
      grants: t.exposeStringList('grants'),
      events: t.exposeStringList('events'),
      testUsers: t.exposeStringList('testUsers', { description: 'IDs of the fans.' }),
    }),
});

builder.queryFields((t) => ({
  ...forBoth({
    starterKits: t.field({
      type: [StarterKitType],
      authScopes: right('console:read'),
      description: 'A client’s starter kits since the last reset, newest first.',
      args: { clientId: t.arg.id({ required: true }) },
      resolve: (_, { clientId }, call) =>
        call.context.em.find(
          SandboxKit,
          { client: { $and: [{ id: knownId('client', clientId) }, own(call)] } },
          { orderBy: { id: 'desc' }, limit: 20 },
        ),
    }),
  }),
  ...forPartners({
    sandboxContentsForPartners: t.field({
      type: SandboxContentsType,
      resolve: (_, _args, call) => sandboxContents(call.context, ownPartner(call)),
    }),
  }),
  sandboxContents: t.field({
    type: SandboxContentsType,
    authScopes: right('console:read'),
    args: { partnerId: t.arg.id({ required: true }) },
    resolve: (_, { partnerId }, { context }) => sandboxContents(context, partnerId),
  }),
}));

builder.mutationFields((t) => {
  const args = {
    confirm: t.arg.string({ required: true, description: 'The partner’s name.' }),
    keepTestUsers: t.arg.boolean({ required: true }),
  };
  return {
    ...forBoth({
      createStarterKit: t.field({
        type: StarterKitType,
        ...mutation('sandbox:write'),
        description:
          'Creates a starter kit for a sandbox client. Calling again with the same key returns the same kit.',
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
          const kit = await createClientKit(context, { clientId, requestKey }, callerOf(call));
          provisionSoon(context);
          return kit;
        },
      }),
    }),
    ...forPartners({
      resetSandboxForPartners: t.field({
        type: SandboxResetType,
        ...CHANGE,
        description:
          'Empties the sandbox: permits and grants are revoked, your own test events end, your test users are deleted. Clients are kept.',
        args,
        resolve: (_, request, call) =>
          resetSandbox(call.work(), { ...request, partnerId: ownPartner(call) }, callerOf(call)),
      }),
    }),
    resetSandbox: t.field({
      type: SandboxResetType,
      ...mutation('sandbox:write'),
      description:
        'Empties a partner’s sandbox: permits and grants are revoked, its own test events end, its test users are deleted. Clients are kept.',
      args: { partnerId: t.arg.id({ required: true }), ...args },
      resolve: (_, request, call) => resetSandbox(call.work(), request, callerOf(call)),
    }),
  };
});
