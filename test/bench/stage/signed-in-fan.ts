import { Client } from '../../../src/entities/client.ts';
import type { Id } from '../../../src/platform/identifier/type-id.ts';
import type { ServiceContext } from '../../../src/runtime.ts';
import { createTestUser } from '../../../src/sandbox/create-test-users.ts';
import type { StarterKit } from '../../../src/sandbox/starter-kit.ts';

const fans = new WeakMap<StarterKit, Promise<Id<'usr'>>>();

/**
 * The test user of exchanges and refreshes, made on first use. Nobody who sells tickets: these paths leave a grant for each request, and
 * a claim looks through the grants of the seller.
 */
export function signedInFan(context: ServiceContext, kit: StarterKit): Promise<Id<'usr'>> {
  const fan = fans.get(kit) ?? makeFan(context, kit);
  fans.set(kit, fan);
  return fan;
}

async function makeFan(context: ServiceContext, kit: StarterKit): Promise<Id<'usr'>> {
  const { partner } = await context.em.findOneOrFail(Client, { id: kit.client_id }, { populate: ['partner'] });
  const { fan } = await createTestUser(context, partner, 'system');
  await context.em.flush();
  return fan.id;
}
