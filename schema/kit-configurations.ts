import { Client } from '../src/entities/client.ts';
import { type SandboxKit, TestUser } from '../src/entities/test-user.ts';
import type { ServiceContext } from '../src/runtime.ts';
import { describeKit } from '../src/sandbox/starter-kit.ts';

/**
 * What a partner’s developer needs, for each kit. Reads once per client, not per kit: kits of one client differ in the test user
 * only.
 */
export async function kitConfigurations(context: ServiceContext, kits: readonly SandboxKit[]): Promise<unknown[]> {
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
