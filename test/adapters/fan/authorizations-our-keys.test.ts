import { configAddress } from '@fan-api/cosign-policy/program-addresses';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureChainKeys } from '../../../src/wallet/create-keys.ts';
import { anotherUser, type ChainApp, oneTicket, rows } from '../../support/chain-app.ts';
import { countStatements } from '../../support/count-statements.ts';
import {
  authorizeListing,
  cancellation,
  type ListChoice,
  listing,
  type Marketplace,
  putOnSale,
  randomAddress,
  unseenBlockhash,
} from '../../support/ticket-transactions.ts';
import { authorizationsStage } from './authorizations-stage.ts';

/** No wallet or key of the service but the declared ones, and no marketplace that could never sell. */
const stage = authorizationsStage();
const { expectRefusal, ownerOf } = stage;
let app: ChainApp;
let market: Marketplace;
const addresses = new Map<string, string>();
beforeAll(async () => {
  ({ app, market } = stage);
  const production = await ensureChainKeys(app.context(), 'production');
  const endsAt = new Date(Date.now() + 600_000);
  const unissued = await oneTicket(app, app.users[0], { issue: false, endsAt });
  // so that nobody brings them onto the chain
  await rows(app, 'update permit set issued_at = now() where tix_permit_id = $1', [unissued.permit]);
  await rows(app, 'update event set registered_at = now() where tix_event_id = $1', [unissued.tixEventId]);
  const issued = await oneTicket(app, app.users[1]);
  addresses.set('the wallet of another fan', app.users[1].wallet_address);
  addresses.set('the wallet of a fan without tickets', (await anotherUser(app)).wallet_address);
  addresses.set('the authority of production', production.authority);
  addresses.set('the payer of production', production.payer);
  addresses.set('the authority of sandbox', app.chain.authority);
  addresses.set('the payer of sandbox', app.chain.payer);
  addresses.set('a permit of another ticket', issued.permit);
  addresses.set('a permit that is not issued yet', unissued.permit);
  addresses.set('an event that is not registered yet', unissued.tixEventId);
  const unknown = await oneTicket(app, app.users[1]);
  await rows(app, 'update permit set tix_permit_id = $2 where tix_permit_id = $1', [unknown.permit, randomAddress()]);
  addresses.set('a permit that only the chain knows', unknown.permit);
  addresses.set('an Event account', issued.tixEventId);
  addresses.set('the Config account', configAddress(app.chain.programId).address);
  addresses.set('the ticket program', app.chain.programId);
  addresses.set('a program', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
  addresses.set('a sysvar', 'SysvarC1ock11111111111111111111111111111111');
});

function called(name: string): string {
  const address = addresses.get(name);
  if (address === undefined) throw new Error(`no address is called ${name}`);
  return address;
}

/** Expects the second of two listings to be refused, which is good but for `choice`. */
async function refusedAsSecond(choice: ListChoice, code: string, message: RegExp) {
  const [one, two] = [await oneTicket(app, app.users[0]), await oneTicket(app, app.users[0])];
  const good = await listing(app, market, one, ownerOf());
  const bad = await listing(app, market, two, ownerOf(), choice);
  return expectRefusal(() => authorizeListing(app, app.users[0], 'list', [good, bad]), 400, code, message);
}

const OURS = [
  'the wallet of another fan',
  'the wallet of a fan without tickets',
  'the authority of production',
  'the payer of production',
  'the authority of sandbox',
  'the payer of sandbox',
];

describe('a wallet or key of the service is refused', () => {
  it.each(OURS.filter((name) => name !== 'the authority of sandbox'))('as marketplace: %s', async (name) => {
    const marketplace = called(name);
    const message = new RegExp(`^transactions\\[1\\]: .*only in their declared places .*${marketplace}`);
    await refusedAsSecond({ marketplace }, 'our_key_misplaced', message);
  });

  it('as marketplace: the authority of the mode, which stands in its own place already', async () => {
    const marketplace = called('the authority of sandbox');
    await refusedAsSecond({ marketplace }, 'our_key_misplaced', /^transactions\[1\]: /);
  });

  it.each(OURS)('as fee payer of a listing: %s', async (name) => {
    const feePayer = called(name);
    const message = new RegExp(`^transactions\\[1\\]: the fee payer is never .*${feePayer}`);
    await refusedAsSecond({ feePayer, signers: [] }, 'our_key_pays', message);
  });

  it.each(OURS)('as fee payer of a cancellation: %s', async (name) => {
    const ticket = await oneTicket(app, app.users[0]);
    await putOnSale(app, market, ticket, app.users[0]);
    const bytes = await cancellation(app, market, ticket, ownerOf(), { feePayer: called(name), signers: [] });
    const message = /^transactions\[0\]: the fee payer is never/;
    await expectRefusal(() => authorizeListing(app, app.users[0], 'cancel', [bytes]), 400, 'our_key_pays', message);
  });

  it('of the mode itself without asking the cluster', async () => {
    const bytes = await listing(app, market, { permit: randomAddress() }, ownerOf(), {
      feePayer: called('the payer of sandbox'),
      signers: [],
    });
    app.proxy.reset();
    const refused = () => authorizeListing(app, app.users[0], 'list', [bytes]);
    await expectRefusal(refused, 400, 'our_key_pays', /the fee payer is never/);
    expect(app.proxy.calls).toEqual([]);
  });

  it('only where the ticket is there: a partner without one learns nothing about addresses', async () => {
    const foreign = await oneTicket(app, app.users[1]);
    const wallet = called('the wallet of a fan without tickets');
    for (const choice of [{ marketplace: wallet }, { feePayer: wallet, signers: [] }]) {
      const bytes = await listing(app, market, foreign, ownerOf(), choice);
      const refused = () => authorizeListing(app, app.users[0], 'list', [bytes]);
      await expectRefusal(refused, 404, 'not_found', /the ticket was not found/);
    }
  });
});

describe('a marketplace that nobody could sign for is refused', () => {
  it.each([
    'a permit of another ticket',
    'a permit that is not issued yet',
    'an event that is not registered yet',
    'a permit that only the chain knows',
    'an Event account',
    'a program',
    'a sysvar',
  ])('%s', async (name) => {
    const marketplace = called(name);
    const message = new RegExp(`^transactions\\[1\\]: a listing names a marketplace that can sign .*${marketplace}`);
    await refusedAsSecond({ marketplace }, 'marketplace_cannot_sign', message);
  });

  it('the Config account and the ticket program, which stand in the transaction already', async () => {
    const marketplace = called('the Config account');
    await refusedAsSecond({ marketplace }, 'repeated_account', /^transactions\[1\]: /);
    const program = { marketplace: called('the ticket program') };
    await refusedAsSecond(program, 'marketplace_cannot_sign', /^transactions\[1\]: /);
  });

  it('a wallet that nobody has used yet is a good marketplace', async () => {
    const ticket = await oneTicket(app, app.users[0]);
    const bytes = await listing(app, market, ticket, ownerOf(), { marketplace: randomAddress() });
    expect((await authorizeListing(app, app.users[0], 'list', [bytes])).status).toBe(200);
  });
});

it('a listing is signed with two statements and two calls of the node', async () => {
  const ticket = await oneTicket(app, app.users[0]);
  await app.users[0].tokens();
  // opens the keys, which stay open for a minute
  const warm = await oneTicket(app, app.users[0]);
  await authorizeListing(app, app.users[0], 'list', [await listing(app, market, warm, ownerOf())]);
  const bytes = await listing(app, market, ticket, ownerOf(), { blockhash: await unseenBlockhash(app) });
  app.proxy.reset();
  const { result, statements } = await countStatements(() => authorizeListing(app, app.users[0], 'list', [bytes]));
  expect(result.status).toBe(200);
  expect(statements).toHaveLength(2);
  expect(app.proxy.calls.map(({ method }) => method).sort()).toEqual(['getMultipleAccounts', 'isBlockhashValid']);
});
