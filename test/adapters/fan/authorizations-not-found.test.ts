import { beforeAll, describe, expect, it } from 'vitest';
import { Partner } from '../../../src/entities/partner.ts';
import { type ChainApp, moreTickets, oneTicket, rows, type TestTicket } from '../../support/chain-app.ts';
import { signIn } from '../../support/partner.ts';
import { only } from '../../support/rpc-proxy.ts';
import {
  cancellation,
  listing,
  type Marketplace,
  postFan,
  putOnSale,
  randomAddress,
} from '../../support/ticket-transactions.ts';
import { authorizationsStage } from './authorizations-stage.ts';

/** Tickets that a partner can't have signed are all alike, whoever owns them and whatever is said of them. */
const stage = authorizationsStage();
const { expectRefusal, ownerOf } = stage;
let app: ChainApp;
let market: Marketplace;
/** Of a grant of selected tickets. */
let token: string;
let granted: TestTicket;
let grantedListed: TestTicket;

type Permit = Pick<TestTicket, 'permit'>;
const permits = new Map<string, Permit>();
beforeAll(async () => {
  ({ app, market } = stage);
  const [first, second, ungranted, ungrantedListed] = await moreTickets(app, app.users[0], { count: 4 });
  if (!first || !second || !ungranted || !ungrantedListed) throw new Error('no tickets');
  granted = first;
  grantedListed = second;
  await putOnSale(app, market, grantedListed, app.users[0]);
  await putOnSale(app, market, ungrantedListed, app.users[0]);
  const theirs = await oneTicket(app, app.users[1]);
  const theirsListed = await oneTicket(app, app.users[1]);
  await putOnSale(app, market, theirsListed, app.users[1]);
  const { em, now } = app.context();
  const partner = em.create(Partner, { name: 'Another partner', createdAt: now() });
  await em.flush();
  const revoked = await oneTicket(app, app.users[0]);
  await putOnSale(app, market, revoked, app.users[0]);
  await rows(app, 'update permit set revoked_at = now() where tix_permit_id = $1', [revoked.permit]);
  const otherMode = await oneTicket(app, app.users[0], { endsAt: new Date(Date.now() + 600_000) });
  await rows(app, `update event set mode = 'production' where tix_event_id = $1`, [otherMode.tixEventId]);
  const over = await oneTicket(app, app.users[0], { endsAt: new Date(Date.now() + 600_000) });
  await putOnSale(app, market, over, app.users[0]);
  await rows(app, `update event set ends_at = now() - interval '1 s' where tix_event_id = $1`, [over.tixEventId]);
  const moved = await oneTicket(app, app.users[0]);
  await rows(
    app,
    'update ticket set owner_id = (select owner_id from ticket where tix_ticket_id = $2) where tix_ticket_id = $1',
    [moved.tixTicketId, theirs.tixTicketId],
  );
  permits.set('a permit of another fan', theirs);
  permits.set('a permit of the fan whose ticket another fan has here', moved);
  permits.set('a listed permit of another fan', theirsListed);
  permits.set('an address that is no account', { permit: randomAddress() });
  permits.set('a funded wallet', { permit: (await app.network.funded()).publicKey.toBase58() });
  permits.set('an Event account', { permit: granted.tixEventId });
  permits.set('a permit that was not granted', ungranted);
  permits.set('a listed permit that was not granted', ungrantedListed);
  permits.set('a revoked permit', revoked);
  permits.set('a permit of the other mode', otherMode);
  permits.set('a permit of an event that is over', over);
  permits.set('a permit of another partner', await oneTicket(app, app.users[0], { partner }));
  permits.set('a permit that is not issued', await oneTicket(app, app.users[0], { issue: false }));
  const choice = { scope: 'openid fan:listings:write', mode: 'selected' as const };
  const listed = [...permits.values()].filter((permit): permit is TestTicket => 'id' in permit);
  const outside = new Set([ungranted, ungrantedListed, theirs, theirsListed]);
  const offered = listed.filter((ticket) => !outside.has(ticket)).map(({ id }) => id);
  ({ access_token: token } = await signIn(app, { ...choice, ticketIds: [granted.id, grantedListed.id] }));
  // what the fan could not have chosen is put into the grant: only the rule in question keeps it out
  await rows(
    app,
    `update consent_grant set ticket_ids = ticket_ids || (select array_agg(id) from ticket where tix_ticket_id = any($1))
     where fan_id = (select owner_id from ticket where tix_ticket_id = $2) and mode = 'selected'`,
    [listed.filter(({ id }) => offered.includes(id)).map(({ tixTicketId }) => tixTicketId), granted.tixTicketId],
  );
});

const NAMES = [
  'a permit of another fan',
  'a permit of the fan whose ticket another fan has here',
  'a listed permit of another fan',
  'an address that is no account',
  'a funded wallet',
  'an Event account',
  'a permit that was not granted',
  'a listed permit that was not granted',
  'a revoked permit',
  'a permit of the other mode',
  'a permit of an event that is over',
  'a permit of another partner',
  'a permit that is not issued',
];

/** A fan can always take a ticket off sale (D-357). */
const STILL_CANCELLED = ['a revoked permit', 'a permit of an event that is over'];

const OWNERS: [string, () => string][] = [
  ['the fan’s own wallet', () => ownerOf()],
  ['the wallet of another fan', () => app.users[1].wallet_address],
  ['a key that nobody knows', () => randomAddress()],
  ['the payer of the service', () => app.chain.payer],
];

async function ask(type: 'list' | 'cancel', permit: Permit, owner: string) {
  const [make, good] = type === 'list' ? ([listing, granted] as const) : ([cancellation, grantedListed] as const);
  // as the second of two: the place of a fault is told, and nothing else
  const transactions = [await make(app, market, good, ownerOf()), await make(app, market, permit, owner)];
  return postFan(app, '/authorizations', token, { type, transactions: transactions.map((tx) => tx.toString('hex')) });
}

describe('404 in one wording, byte for byte', () => {
  it.each(NAMES)('%s, whoever is named as its owner', async (name) => {
    const permit = permits.get(name);
    if (!permit) throw new Error('no permit');
    for (const [, owner] of OWNERS) {
      const answer = await expectRefusal(() => ask('list', permit, owner()), 404, 'not_found', /not found/);
      expect(JSON.stringify(answer.body)).toBe('{"message":"transactions[1]: the ticket was not found."}');
    }
  });

  it.each(NAMES.filter((name) => !STILL_CANCELLED.includes(name)))('a cancellation of %s', async (name) => {
    const permit = permits.get(name);
    if (!permit) throw new Error('no permit');
    for (const [, owner] of OWNERS) {
      const answer = await expectRefusal(() => ask('cancel', permit, owner()), 404, 'not_found', /not found/);
      expect(JSON.stringify(answer.body)).toBe('{"message":"transactions[1]: the ticket was not found."}');
    }
  });
});

describe('a granted ticket of the fan', () => {
  it.each(STILL_CANCELLED)('%s that is on sale can be taken off sale', async (name) => {
    const permit = permits.get(name);
    if (!permit) throw new Error('no permit');
    expect(await ask('cancel', permit, ownerOf())).toMatchObject({ status: 200 });
  });

  it('with another owner than the fan’s wallet: 400, the same for a wallet of another fan and a foreign key', async () => {
    const ticket = await oneTicket(app, app.users[0]);
    const access = (await app.users[0].tokens()).access_token;
    for (const owner of [app.users[1].wallet_address, randomAddress()]) {
      const bytes = (await listing(app, market, ticket, owner)).toString('hex');
      const answer = await expectRefusal(
        () => postFan(app, '/authorizations', access, { type: 'list', transactions: [bytes] }),
        400,
        'wrong_account',
        /declared order/,
      );
      const rule = 'the accounts of the ticket instruction stand in their declared order';
      expect(answer.body.message).toBe(`transactions[0]: ${rule} (owner is ${owner}, not ${ownerOf()})`);
    }
  });

  it('that the node gives in a form that can not be read: 503, its fault and not the partner’s', async () => {
    const bytes = (await listing(app, market, granted, ownerOf())).toString('hex');
    app.proxy.setRule(
      only((reply) => {
        const { value } = reply.result as { value: ({ data: unknown } | null)[] };
        const [, permit] = value;
        if (permit) permit.data = [Buffer.from('no account').toString('base64'), 'base64'];
        return reply;
      }, 'getMultipleAccounts'),
    );
    const body = { type: 'list', transactions: [bytes] };
    await expectRefusal(() => postFan(app, '/authorizations', token, body), 503, 'unavailable', /can not be reached/);
  });

  it('a stale blockhash is told before a ticket that is not there, every time', async () => {
    const permit = { permit: randomAddress() };
    for (let round = 0; round < 5; round++) {
      const bytes = await listing(app, market, permit, ownerOf(), { blockhash: randomAddress() });
      const body = { type: 'list', transactions: [bytes.toString('hex')] };
      await expectRefusal(() => postFan(app, '/authorizations', token, body), 400, 'blockhash_expired', /blockhash/);
    }
  });
});
