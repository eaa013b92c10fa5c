import { beforeAll, expect, it } from 'vitest';
import { type ChainApp, moreTickets, rows, type TestTicket } from '../../support/chain-app.ts';
import { authorizeListing, listing, type Marketplace } from '../../support/ticket-transactions.ts';
import { authorizationsStage } from './authorizations-stage.ts';

/** Requests that wait share a statement and a call of the cluster: each has its own answer. */
const stage = authorizationsStage();
let app: ChainApp;
let market: Marketplace;
beforeAll(() => {
  ({ app, market } = stage);
});

async function recordedOf({ permit }: TestTicket): Promise<{ signatures: number; audited: number }> {
  const [count] = await rows<{ signatures: number; audited: number }>(
    app,
    `select (select count(*)::int from listing_signature s join permit p on p.id = s.permit_id where p.tix_permit_id = $1) as signatures,
       (select count(*)::int from audit_entry where action = 'listing.co_signed' and subject = $1) as audited`,
    [permit],
  );
  return count ?? { signatures: -1, audited: -1 };
}

it('a refused one, a repeated one and one of another fan leave the others alone', async () => {
  const [owner, stranger] = app.users;
  const tickets = await moreTickets(app, owner, { count: 8 });
  const sent = await Promise.all(tickets.map((ticket) => listing(app, market, ticket, owner.wallet_address)));
  const foreign = await listing(app, market, tickets[0] as TestTicket, stranger.wallet_address);
  app.proxy.reset();
  const [answers, repeated, refused] = await Promise.all([
    Promise.all(sent.map((bytes) => authorizeListing(app, owner, 'list', [bytes]))),
    authorizeListing(app, owner, 'list', [sent[3] as Buffer]),
    authorizeListing(app, stranger, 'list', [foreign]),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(tickets.map(() => 200));
  expect(repeated.body).toEqual(answers[3]?.body);
  expect(refused.status).toBe(404);
  for (const ticket of tickets) expect(await recordedOf(ticket)).toEqual({ signatures: 1, audited: 1 });
  // ten requests: one call each would be ten
  expect(app.proxy.count('getMultipleAccounts')).toBeLessThan(10);
});

it('a permit that somebody has locked holds up its own request only', async () => {
  const [owner] = app.users;
  const tickets = await moreTickets(app, owner, { count: 6 });
  const sent = await Promise.all(tickets.map((ticket) => listing(app, market, ticket, owner.wallet_address)));
  const client = await app.runtime.pool.connect();
  await client.query('begin');
  await client.query('select from permit where tix_permit_id = $1 for update', [tickets[2]?.permit]);
  let isHeld = true;
  const all = sent.map((bytes) => authorizeListing(app, owner, 'list', [bytes]));
  const held = all[2]?.then(() => expect(isHeld).toBe(false));
  try {
    const free = await Promise.all(all.filter((_, at) => at !== 2));
    expect(free.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  } finally {
    isHeld = false;
    await client.query('rollback');
    client.release();
  }
  await held;
  expect((await all[2])?.status).toBe(200);
  for (const ticket of tickets) expect(await recordedOf(ticket)).toEqual({ signatures: 1, audited: 1 });
});
