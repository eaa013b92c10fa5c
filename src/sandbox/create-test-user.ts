import { randomInt } from 'node:crypto';
import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { Fan } from '../entities/fan.ts';
import type { Partner } from '../entities/partner.ts';
import { TestUser } from '../entities/test-user.ts';
import type { Wallet } from '../entities/wallet.ts';
import type { WithSecrets } from '../keys/seal.ts';
import { createWallet } from '../wallet/create-wallet.ts';
import { freeTestPhones } from './test-phone.ts';

/** The sandbox: test users, test events and permits for partners to build against. */
export interface CreatedTestUser {
  fan: Fan;
  testUser: TestUser;
  wallet: Wallet;
}

/**
 * Makes a test user with a phone number from the range reserved for fiction, a static code and a wallet. Written with the
 * caller's unit of work.
 * @param testPhone one of `freeTestPhones`, where the caller has asked for several already
 */
export async function createTestUser(
  context: Pick<Context, 'em' | 'now' | 'requestId'> & WithSecrets,
  partner: Partner,
  actor: string,
  testPhone?: string,
): Promise<CreatedTestUser> {
  const { em, now } = context;
  const phone = testPhone ?? (await freeTestPhones(em, 1)).join();
  const fan = em.create(Fan, { mode: 'sandbox', phone, createdAt: now() });
  const wallet = await createWallet(context, fan);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const testUser = em.create(TestUser, { fan, partner, code, createdAt: now() });
  recordAudit(context, { actor, action: 'test_user.created', subject: fan.id, details: { partner: partner.id } });
  return { fan, testUser, wallet };
}
