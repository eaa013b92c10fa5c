import { TestUser } from '../src/entities/test-user.ts';
import { knownId } from '../src/identifier/known-id.ts';
import type { Id } from '../src/identifier/type-id.ts';
import { createTestUsers } from '../src/sandbox/create-test-users.ts';
import { builder, right } from './builder.ts';
import { callerOf } from './context.ts';
import { FanType } from './fan.ts';
import { pageOf } from './keyset.ts';
import { PartnerType } from './partner.ts';
import { containing } from './search-text.ts';

/** A test user as GraphQL has it: known by its fan. Its number is nobody's, so it is not masked. */
export const TestUserType = builder.objectRef<TestUser>('TestUser').implement({
  description: 'A sandbox fan with a static code in place of the SMS.',
  fields: (t) => ({
    id: t.id({ description: 'The fan’s.', resolve: ({ fan }) => fan.id }),
    phone: t.loadable({
      type: 'String',
      description: 'E.164, whole: it belongs to nobody.',
      load: async (ids: Id<'usr'>[], { context }) => {
        const fans = await context.em.find(TestUser, { fan: { $in: ids } }, { populate: ['fan'] });
        return ids.map((id) => fans.find(({ fan }) => fan.id === id)?.fan.phone ?? new Error(`there is no ${id}`));
      },
      resolve: ({ fan }) => fan.id,
    }),
    code: t.exposeString('code'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    partner: t.field({ type: PartnerType, resolve: ({ partner }) => partner.id }),
    fan: t.field({ type: FanType, resolve: ({ fan }) => fan.id }),
  }),
});

builder.queryFields((t) => ({
  testUsers: t.connection({
    type: TestUserType,
    authScopes: right('console:read'),
    args: {
      partnerId: t.arg.id(),
      search: t.arg.string({ description: 'A part of the phone number.' }),
    },
    resolve: (_, { partnerId, search, ...page }, { context }) =>
      pageOf(
        context,
        TestUser,
        {
          $and: [
            ...(partnerId ? [{ partner: knownId('ptn', partnerId) }] : []),
            ...(search ? [{ fan: { phone: containing(search.replace(/[^\d+]/g, '')) } }] : []),
          ],
        },
        page,
        { property: 'fan', valueOf: ({ fan }) => fan.id },
      ),
  }),
}));

const CreatedTestUsers = builder.objectRef<{ testUsers: TestUser[] }>('CreatedTestUsers').implement({
  fields: (t) => ({ testUsers: t.expose('testUsers', { type: [TestUserType] }) }),
});

builder.mutationFields((t) => ({
  createTestUsers: t.field({
    type: CreatedTestUsers,
    authScopes: right('sandbox:write'),
    errors: {},
    args: {
      partnerId: t.arg.id({ required: true }),
      count: t.arg.int({ required: true, description: '1 to 50.' }),
    },
    resolve: async (_, plan, call) => {
      const created = await createTestUsers(call.work(), plan, callerOf(call));
      return { testUsers: created.map(({ testUser }) => testUser) };
    },
  }),
}));
