import { Client } from '../entities/client.ts';
import { TestUser } from '../entities/test-user.ts';
import { Wallet } from '../entities/wallet.ts';
import type { Context } from '../platform/context.ts';
import type { Id } from '../platform/identifier/type-id.ts';
import { numberOf } from '../sign-in/fan/number-of.ts';

/** A test user as a developer needs it: number and code for the hosted pages, and the wallet that holds the tickets. */
export interface DescribedTestUser {
  id: Id<'usr'>;
  /** E.164. */
  phone: string;
  code: string;
  /** Base58. */
  wallet_address: string;
}

/** @param testUsers with their fans loaded */
export async function describeTestUsers(
  em: Context['em'],
  testUsers: readonly TestUser[],
): Promise<DescribedTestUser[]> {
  const wallets = await em.find(Wallet, { fan: { $in: testUsers.map((user) => user.fan.id) } });
  return testUsers.map(({ fan, code }) => {
    const wallet = wallets.find((candidate) => candidate.fan.id === fan.id);
    if (!wallet) throw new Error(`test user ${fan.id} has no wallet`);
    return { id: fan.id, phone: numberOf(fan), code, wallet_address: wallet.address };
  });
}

/**
 * The test users of a sandbox client's own partner, oldest first. Those made for every partner are left out: their codes open sign-ins
 * of other partners as well.
 * @param most at most so many
 */
export async function listOwnTestUsers(
  { em }: Pick<Context, 'em'>,
  clientId: Id<'client'>,
  most: number,
): Promise<DescribedTestUser[]> {
  const client = await em.findOneOrFail(Client, { id: clientId, mode: 'sandbox' });
  const testUsers = await em.find(
    TestUser,
    { partner: client.partner, fan: { phone: { $ne: null } } },
    { populate: ['fan'], orderBy: { fan: 'asc' }, limit: most },
  );
  return describeTestUsers(em, testUsers);
}
