import { Keypair, PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { Client, ClientReview } from '../../../../src/entities/client.ts';
import { changesInForce } from '../../../../src/partners/client/review.ts';
import { refused } from '../../../support/refused.ts';
import { testApp } from '../../../support/test-app.ts';
import { ANN, BOB, clientAt, EVE, edit, readClient, restore, reviewsOf, step } from './production-client.ts';

const app = await testApp();
const LISTS = ['openid', 'fan:tickets:read', 'fan:listings:write'];
const address = () => Keypair.generate().publicKey.toBase58();
const [programAddress] = PublicKey.findProgramAddressSync([], Keypair.generate().publicKey);
const OF_A_PROGRAM = programAddress.toBase58();

async function approve(id: string, actor = BOB): Promise<Client> {
  const { version } = await readClient(app, id);
  return step(app, 'approve', id, actor, { version });
}

/** An enabled client that lists tickets, as it was approved before there was the list: on any marketplace. */
async function approvedBefore(): Promise<string> {
  const { id } = await clientAt(app, 'enabled');
  const { em } = app.context();
  await em.nativeUpdate(Client, { id }, { scopes: LISTS });
  for (const review of await reviewsOf(app, id)) {
    const { marketplaces: _, ...registration } = { ...review.registration, scopes: LISTS };
    await em.nativeUpdate(
      ClientReview,
      { id: review.id },
      { registration: registration as typeof review.registration },
    );
  }
  return id;
}

const MISSING = 'marketplaces must have at least one entry for fan:listings:write.';

describe('the marketplaces of a production client', () => {
  it('are at least one where it lists tickets, or it is not approved; a client that lists none needs none', async () => {
    const { id } = await clientAt(app, 'in_review');
    await edit(app, id, { scopes: LISTS });
    await expect(approve(id)).rejects.toEqual(
      refused('conflict', `The registration can’t be used as it is: ${MISSING} Edit or reject it.`),
    );
    const marketplaces = [address()];
    await edit(app, id, { marketplaces });
    expect(await approve(id)).toMatchObject({ status: 'approved', marketplaces });
  });

  it('are frozen at approval: a change waits for a second person, who sees what is added and removed', async () => {
    const { id } = await clientAt(app, 'in_review');
    const [first, second] = [address(), address()];
    await edit(app, id, { scopes: LISTS, marketplaces: [first] });
    await approve(id);
    const waiting = await edit(app, id, { marketplaces: [second] });
    expect(waiting.marketplaces).toEqual([first]);
    const review = (await reviewsOf(app, id)).at(-1);
    expect(review && changesInForce(waiting, review)).toMatchObject([
      { field: 'marketplaces', added: [second], removed: [first] },
    ]);
    await expect(approve(id, ANN)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await approve(id, EVE)).toMatchObject({ marketplaces: [second] });
  });

  it('of a client from before stay any until its next edit; restoring that is refused once it has some', async () => {
    const id = await approvedBefore();
    const { id: approval } = (await reviewsOf(app, id)).at(-1) ?? { id: '' };
    await step(app, 'suspend', id, BOB);
    expect(await step(app, 'enable', id, BOB)).toMatchObject({ status: 'enabled', marketplaces: [] });
    await edit(app, id, { redirectUris: ['https://resale.example/other'] });
    await expect(approve(id)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(MISSING) });
    await edit(app, id, { marketplaces: [address()] });
    await approve(id);
    await expect(restore(app, id, approval)).rejects.toEqual(
      refused('conflict', `This registration can’t be used anymore: ${MISSING}`),
    );
  });

  it.each([
    ['an address that is too short', ['abc'], 'marketplaces[0] must be an address: 32 bytes in base58.'],
    ['more than 20', Array.from({ length: 21 }, address), 'marketplaces must have at most 20 entries.'],
  ])('are addresses: not %s', async (_, marketplaces, message) => {
    const { id } = await clientAt(app, 'draft');
    await expect(edit(app, id, { marketplaces })).rejects.toEqual(refused('invalid_request', message));
  });

  it('may be addresses of a program, which have no key', async () => {
    const { id } = await clientAt(app, 'draft');
    expect((await edit(app, id, { marketplaces: [OF_A_PROGRAM] })).marketplaces).toEqual([OF_A_PROGRAM]);
  });

  it('are named once each', async () => {
    const { id } = await clientAt(app, 'draft');
    const twice = address();
    await expect(edit(app, id, { marketplaces: [twice, twice] })).rejects.toEqual(
      refused('invalid_request', 'marketplaces[1] is a duplicate.'),
    );
  });
});
