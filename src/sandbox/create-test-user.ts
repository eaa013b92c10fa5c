import { randomInt } from 'node:crypto';
import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { Fan } from '../entities/fan.ts';
import type { Partner } from '../entities/partner.ts';
import { TestUser } from '../entities/test-user.ts';
import type { Wallet } from '../entities/wallet.ts';
import { createWallet } from '../wallet/create-wallet.ts';

/** The sandbox: test users, test events and permits for partners to build against. */
export interface CreatedTestUser {
  fan: Fan;
  testUser: TestUser;
  wallet: Wallet;
}

/**
 * Makes a test user with a phone number from the range reserved for fiction, a static code and a wallet. Written with the
 * caller's unit of work.
 */
export async function createTestUser(
  context: Pick<Context, 'em' | 'now' | 'secrets' | 'requestId'>,
  partner: Partner,
  actor: string,
): Promise<CreatedTestUser> {
  const { em, now } = context;
  const fan = em.create(Fan, { mode: 'sandbox', phone: await freeTestPhone(em), createdAt: now() });
  const wallet = await createWallet(context, fan);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const testUser = em.create(TestUser, { fan, partner, code, createdAt: now() });
  recordAudit(context, { actor, action: 'test_user.created', subject: fan.id, details: { partner: partner.id } });
  return { fan, testUser, wallet };
}

/** Area codes in which 555-0100 to 555-0199 are kept for fiction. */
const AREA_CODES = [
  '202',
  '212',
  '213',
  '303',
  '305',
  '312',
  '404',
  '415',
  '503',
  '512',
  '602',
  '617',
  '702',
  '713',
  '808',
  '901',
];

async function freeTestPhone(em: Context['em']): Promise<string> {
  const taken = new Set<string>();
  for (const fan of await em.find(Fan, { mode: 'sandbox', phone: { $like: '+1___55501__' } }, { fields: ['phone'] })) {
    taken.add(fan.phone);
  }
  // test users of the same unit of work that are not written yet
  for (const fan of em.getUnitOfWork().getPersistStack()) if (fan instanceof Fan) taken.add(fan.phone);
  const free = AREA_CODES.flatMap((area) =>
    Array.from({ length: 100 }, (_, i) => `+1${area}55501${String(i).padStart(2, '0')}`),
  ).filter((phone) => !taken.has(phone));
  const phone = free[free.length === 0 ? 0 : randomInt(free.length)];
  if (phone === undefined) throw new Error('every test phone number is in use');
  return phone;
}
