import { randomInt } from 'node:crypto';
import { createWallet } from '../chain/wallet/create-keys.ts';
import { Fan } from '../entities/fan.ts';
import { Partner } from '../entities/partner.ts';
import { TestUser } from '../entities/test-user.ts';
import type { Wallet } from '../entities/wallet.ts';
import type { WithCustody } from '../keys/vault.ts';
import type { Context } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import { knownId, nothingUnder } from '../platform/identifier/known-id.ts';
import { recordAudit } from '../record/audit/record-audit.ts';
import { freeTestPhones } from './test-phone.ts';

const MOST_AT_ONCE = 50;

/** A sandbox fan that partners test with. */
export interface CreatedTestUser {
  fan: Fan;
  testUser: TestUser;
  wallet: Wallet;
}

/**
 * Creates a test user with a phone number reserved for fiction, a static code and a wallet. Written with the caller's unit of work.
 * @param partner the only one whose sandbox clients know it; null for every partner
 * @param testPhone one of `freeTestPhones`, where the caller has taken several
 */
export async function createTestUser(
  context: Pick<Context, 'em' | 'now' | 'requestId'> & WithCustody,
  partner: Partner | null,
  actor: string,
  testPhone?: string,
): Promise<CreatedTestUser> {
  const { em, now } = context;
  const phone = testPhone ?? (await freeTestPhones(em, 1)).join();
  const fan = em.create(Fan, { mode: 'sandbox', phone, numberVouchedAt: now(), createdAt: now() });
  const wallet = await createWallet(context, fan);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const testUser = em.create(TestUser, { fan, partner, code, createdAt: now() });
  recordAudit(context, {
    actor,
    action: 'test_user.created',
    subject: fan.id,
    details: { partner: partner?.id ?? null },
  });
  return { fan, testUser, wallet };
}

/**
 * Creates test users for a partner, or for every partner, all or none.
 * @param plan.count 1 to 50
 * @throws DomainError `invalid_request`; `not_found` where there is no such partner
 */
export async function createTestUsers(
  context: Pick<Context, 'em' | 'now' | 'requestId'> & WithCustody,
  plan: { partnerId?: string | null | undefined; count: number },
  actor: string,
): Promise<CreatedTestUser[]> {
  const { partnerId, count } = plan;
  if (!Number.isInteger(count) || count < 1 || count > MOST_AT_ONCE) {
    throw new DomainError('invalid_request', `count must be 1 to ${MOST_AT_ONCE}.`);
  }
  return context.em.transactional(async (em) => {
    const partner = partnerId == null ? null : await requirePartner(em, partnerId);
    const created: CreatedTestUser[] = [];
    for (const phone of await freeTestPhones(em, count)) {
      created.push(await createTestUser({ ...context, em }, partner, actor, phone));
    }
    return created;
  });
}

function requirePartner(em: Context['em'], id: string): Promise<Partner> {
  return em.findOneOrFail(Partner, { id: knownId('ptn', id) }, { failHandler: () => nothingUnder('ptn', id) });
}
