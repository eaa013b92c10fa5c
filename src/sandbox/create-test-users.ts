import type { Context } from '../context.ts';
import { Partner } from '../entities/partner.ts';
import { DomainError } from '../errors.ts';
import { knownId, nothingUnder } from '../identifier/known-id.ts';
import type { WithSecrets } from '../keys/seal.ts';
import { type CreatedTestUser, createTestUser } from './create-test-user.ts';
import { freeTestPhones } from './test-phone.ts';

const MOST_AT_ONCE = 50;

/**
 * Makes test users for a partner, all or none.
 * @param plan.count 1 to 50
 * @throws DomainError `invalid_request`; `not_found` where there is no such partner
 */
export async function createTestUsers(
  context: Pick<Context, 'em' | 'now' | 'requestId'> & WithSecrets,
  plan: { partnerId: string; count: number },
  actor: string,
): Promise<CreatedTestUser[]> {
  const { partnerId, count } = plan;
  if (!Number.isInteger(count) || count < 1 || count > MOST_AT_ONCE) {
    throw new DomainError('invalid_request', `count must be 1 to ${MOST_AT_ONCE}.`);
  }
  return context.em.transactional(async (em) => {
    const failHandler = () => nothingUnder('ptn', partnerId);
    const partner = await em.findOneOrFail(Partner, { id: knownId('ptn', partnerId) }, { failHandler });
    const created: CreatedTestUser[] = [];
    for (const phone of await freeTestPhones(em, count)) {
      created.push(await createTestUser({ ...context, em }, partner, actor, phone));
    }
    return created;
  });
}
