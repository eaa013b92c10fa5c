import { raw } from '@mikro-orm/core';
import { TestUser } from '../src/entities/test-user.ts';
import { Wallet } from '../src/entities/wallet.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import type { Id } from '../src/platform/identifier/type-id.ts';
import { plainDigits } from '../src/platform/plain-digits.ts';
import { createTestUsers } from '../src/sandbox/test-users.ts';
import { builder, forBoth, forPartners, mutation, right, STAFF_ONLY } from './builder.ts';
import { type Call, callerOf } from './context.ts';
import { FanType } from './fan.ts';
import { pageOf } from './lists.ts';
import { rowBy } from './loaders.ts';
import { IS_SHARED, own, ownOrShared, usableBy } from './own.ts';
import { PartnerType } from './partner.ts';
import { AgeSort } from './sorts.ts';

const wallets = rowBy(Wallet, 'fan');

/** The options of a field with the address of a fan's wallet. */
export const WALLET_ADDRESS = {
  type: 'String' as const,
  nullable: true as const,
  load: async (fans: string[], call: Call) => (await wallets.load(fans, call)).map((wallet) => wallet?.address),
};

/** A test user, identified by its fan. Nobody owns its number, so it is not masked. */
export const TestUserType = builder.objectRef<TestUser>('TestUser').implement({
  description: 'A sandbox fan with a fixed code instead of an SMS.',
  fields: (t) => ({
    ...forBoth({
      id: t.id({ description: 'The ID of the fan.', resolve: ({ fan }) => fan.id }),
      phone: t.loadable({
        type: 'String',
        description: 'E.164, not masked: the number is fictional.',
        load: async (ids: Id<'usr'>[], { context }) => {
          const fans = await context.em.find(TestUser, { fan: { $in: ids } }, { populate: ['fan'] });
          return ids.map((id) => fans.find(({ fan }) => fan.id === id)?.fan.phone ?? new Error(`there is no ${id}`));
        },
        resolve: ({ fan }) => fan.id,
      }),
      code: t.exposeString('code'),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
    }),
    ...forPartners({
      isShared: t.boolean(IS_SHARED),
      walletAddress: t.loadable({
        ...WALLET_ADDRESS,
        description: 'Its wallet on the test network, base58.',
        resolve: ({ fan }) => fan.id,
      }),
    }),
    partner: t.field({
      type: PartnerType,
      nullable: true,
      description: 'The only partner whose sandbox clients can sign it in; null for all.',
      resolve: ({ partner }) => partner?.id,
    }),
    fan: t.field({ type: FanType, resolve: ({ fan }) => fan.id }),
  }),
});

/** Reads only the numbers of test users; a join would begin with those of all fans. */
function withNumber(part: string) {
  return { [raw((alias) => `(select phone from fan f where f.id = ${alias}.fan_id)`)]: { $like: `%${part}%` } };
}

builder.queryFields((t) =>
  forBoth({
    testUsers: t.connection({
      type: TestUserType,
      authScopes: right('console:read'),
      description: 'Newest first, unless they are sorted.',
      args: {
        partnerId: t.arg.id({
          ...STAFF_ONLY,
          description: 'Test users that this partner’s sandbox clients can sign in.',
        }),
        search: t.arg.string({ ...STAFF_ONLY, description: 'Part of the phone number.' }),
        sort: t.arg({ ...STAFF_ONLY, type: AgeSort }),
      },
      resolve: (_, { partnerId, search, ...page }, call) =>
        pageOf<TestUser>(
          call.context,
          TestUser,
          page,
          [
            ownOrShared(call),
            partnerId && usableBy(knownId('ptn', partnerId)),
            search && withNumber(plainDigits(search).replace(/[^\d+]/g, '')),
          ],
          { property: 'fan', valueOf: (user) => (user as TestUser).fan.id },
        ),
    }),
  }),
);

const CreatedTestUsers = builder.objectRef<{ testUsers: TestUser[] }>('CreatedTestUsers').implement({
  fields: (t) => forBoth({ testUsers: t.expose('testUsers', { type: [TestUserType] }) }),
});

builder.mutationFields((t) =>
  forBoth({
    createTestUsers: t.field({
      type: CreatedTestUsers,
      ...mutation('sandbox:write'),
      args: {
        partnerId: t.arg.id({
          ...STAFF_ONLY,
          description: 'The only partner whose sandbox clients can sign them in; all partners if omitted.',
        }),
        count: t.arg.int({ required: true, description: '1 to 50.' }),
      },
      resolve: async (_, { partnerId, count }, call) => {
        const plan = { partnerId: own(call).partner ?? partnerId, count };
        const created = await createTestUsers(call.work(), plan, callerOf(call));
        return { testUsers: created.map(({ testUser }) => testUser) };
      },
    }),
  }),
);
