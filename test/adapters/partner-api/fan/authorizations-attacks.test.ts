import { configAddress } from '@fan-api/cosign-policy/program-addresses';
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { describe, expect } from 'vitest';
import { ensureChainKeys } from '../../../../src/chain/wallet/create-keys.ts';
import { computeLimit, computePrice } from '../../../src/chain/transaction/build-transaction.ts';
import { anotherUser, moreTickets, oneTicket, rows, type TestTicket } from '../../../support/chain-app.ts';
import { countStatements } from '../../../support/count-statements.ts';
import { newPartner } from '../../../support/make-client.ts';
import { signIn } from '../../../support/partner.ts';
import {
  authorizeListing,
  build,
  cancelInstruction,
  cancellation,
  type ListChoice,
  listInstruction,
  listing,
  postFan,
  putOnSale,
  randomAddress,
  unseenBlockhash,
} from '../../../support/ticket-transactions.ts';
import { authorizationsStage } from './authorizations-stage.ts';

const { app, market, seller, buyer, owner, it, expectRefusal, expectRefused } = await authorizationsStage();
const [ticket, other] = [await oneTicket(app, seller), await oneTicket(app, seller)];

/**
 * What the judgement alone refuses is in test/src/tickets/listing and test/cosign-policy; here is what a partner is told, and that nothing
 * was signed.
 */

const list = (of = ticket) => listInstruction(app, of, owner, market.address);
const paid = (...instructions: TransactionInstruction[]) => build(app, instructions, { payer: market.wallet });

const beside = SystemProgram.transfer({
  fromPubkey: new PublicKey(owner),
  toPubkey: market.wallet.publicKey,
  lamports: 1,
});

it.each([
  ['list', 'foreign_program', /only the ticket program/, [list(), beside]],
  ['list', 'compute_unit_limit', /within the cap.*400001 units/, [computeLimit(400_001), list()]],
  ['list', 'compute_unit_price', /within the cap.*5000001/, [computePrice(5_000_001n), list()]],
  ['list', 'wrong_instruction', /the one that was asked for/, [cancelInstruction(app, ticket, owner)]],
  ['cancel', 'wrong_instruction', /the one that was asked for/, [list()]],
] as const)(
  'bad input: POST /authorizations refuses, names the rule and the transaction, and signs nothing: %s: %s',
  async (type, code, message, instructions) => {
    const good = await paid(type === 'list' ? list(other) : cancelInstruction(app, other, owner));
    const attempt = async () => authorizeListing(app, seller, type, [good, await paid(...instructions)]);
    const answer = await expectRefusal(attempt, 400, code, message);
    expect(answer.body.message).toMatch(/^transactions\[1\]: /);
  },
);

const production = await ensureChainKeys(app.context(), 'production');
const unissued = await oneTicket(app, seller, { issue: false, endsAt: new Date(Date.now() + 600_000) });
// so that nobody brings them onto the chain
await rows(app, 'update permit set issued_at = now() where tix_permit_id = $1', [unissued.permit]);
await rows(app, 'update event set registered_at = now() where tix_event_id = $1', [unissued.tixEventId]);
const issued = await oneTicket(app, buyer);
const onChainOnly = await oneTicket(app, buyer);
await rows(app, 'update permit set tix_permit_id = $2 where tix_permit_id = $1', [onChainOnly.permit, randomAddress()]);

const OURS = {
  'the wallet of another fan': buyer.wallet_address,
  'the wallet of a fan without tickets': (await anotherUser(app)).wallet_address,
  'the authority of production': production.authority,
  'the payer of production': production.payer,
  'the authority of sandbox': app.chain.authority,
  'the payer of sandbox': app.chain.payer,
};

const NO_SIGNERS = {
  'a permit of another ticket': issued.permit,
  'a permit that is not issued yet': unissued.permit,
  'an event that is not registered yet': unissued.tixEventId,
  'a permit that only the chain knows': onChainOnly.permit,
  'an Event account': issued.tixEventId,
  'a program': 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'a sysvar': 'SysvarC1ock11111111111111111111111111111111',
};

/** Expects the second of two listings to be refused, which is good but for `choice`. */
async function refusedAsSecond(choice: ListChoice, code: string, message: RegExp) {
  const [one, two] = [await oneTicket(app, seller), await oneTicket(app, seller)];
  const good = await listing(app, market, one, owner);
  const bad = await listing(app, market, two, owner, choice);
  return expectRefused([good, bad], 400, code, message);
}

describe('a wallet or key of the service is refused', () => {
  /** The database knows the other wallets and keys; these, the process. */
  const isKnown = (name: string) => /sandbox|of the fan$/.test(name);

  it.each(Object.entries(OURS))('as marketplace: %s', async (name, marketplace) => {
    const words = isKnown(name) ? '.*only in their declared places .*' : 'no other wallet or key of this service .*';
    const message = new RegExp(`^transactions\\[1\\]: ${words}${marketplace}`);
    await refusedAsSecond({ marketplace }, isKnown(name) ? 'our_key_misplaced' : 'service_key', message);
  });

  it.each(Object.entries(OURS))('as fee payer of a listing: %s', async (name, feePayer) => {
    const words = isKnown(name) ? 'the fee payer is never .*' : 'no other wallet or key of this service .*';
    const message = new RegExp(`^transactions\\[1\\]: ${words}${feePayer}`);
    await refusedAsSecond({ feePayer, signers: [] }, isKnown(name) ? 'our_key_pays' : 'service_key', message);
  });

  it('as fee payer of a cancellation', async () => {
    const ticket = await oneTicket(app, seller);
    await putOnSale(app, market, ticket, seller);
    const choice = { feePayer: OURS['the wallet of another fan'], signers: [] };
    const bytes = await cancellation(app, market, ticket, owner, choice);
    const message = /^transactions\[0\]: no other wallet or key of this service/;
    await expectRefusal(() => authorizeListing(app, seller, 'cancel', [bytes]), 400, 'service_key', message);
  });

  it('the payer of the client’s own mode is refused without asking the cluster', async () => {
    const bytes = await listing(app, market, { permit: randomAddress() }, owner, {
      feePayer: OURS['the payer of sandbox'],
      signers: [],
    });
    app.proxy.reset();
    await expectRefused([bytes], 400, 'our_key_pays', /the fee payer is never/);
    expect(app.proxy.calls).toEqual([]);
  });

  it('only where the ticket is there: a partner without one learns nothing about addresses', async () => {
    const foreign = await oneTicket(app, buyer);
    const wallet = OURS['the wallet of a fan without tickets'];
    for (const choice of [{ marketplace: wallet }, { feePayer: wallet, signers: [] }]) {
      const bytes = await listing(app, market, foreign, owner, choice);
      await expectRefused([bytes], 404, 'not_found', /the ticket was not found/);
    }
  });
});

describe('a marketplace that nobody could sign for is refused', () => {
  it.each(Object.entries(NO_SIGNERS))('%s', async (_, marketplace) => {
    const message = new RegExp(`^transactions\\[1\\]: a listing names a marketplace that can sign .*${marketplace}`);
    await refusedAsSecond({ marketplace }, 'marketplace_cannot_sign', message);
  });

  it('the Config account and the ticket program, which stand in the transaction already', async () => {
    const marketplace = configAddress(app.chain.programId).address;
    await refusedAsSecond({ marketplace }, 'repeated_account', /^transactions\[1\]: /);
    const program = { marketplace: app.chain.programId };
    await refusedAsSecond(program, 'marketplace_cannot_sign', /^transactions\[1\]: /);
  });

  it('a wallet that nobody has used yet is a good marketplace', async ({ heldTicket }) => {
    const bytes = await listing(app, market, heldTicket, owner, { marketplace: randomAddress() });
    expect((await authorizeListing(app, seller, 'list', [bytes])).status).toBe(200);
  });
});

it('a listing is signed with two statements and two calls of the node', async ({ heldTicket }) => {
  await seller.tokens();
  // opens the keys, which stay open for a minute
  const warm = await oneTicket(app, seller);
  await authorizeListing(app, seller, 'list', [await listing(app, market, warm, owner)]);
  const bytes = await listing(app, market, heldTicket, owner, { blockhash: await unseenBlockhash(app) });
  app.proxy.reset();
  const { result, statements } = await countStatements(() => authorizeListing(app, seller, 'list', [bytes]));
  expect(result.status).toBe(200);
  expect(statements).toHaveLength(2);
  expect(app.proxy.calls.map(({ method }) => method).sort()).toEqual(['getMultipleAccounts', 'isBlockhashValid']);
});

const four = await moreTickets(app, seller, { count: 4 });
const [granted, grantedListed, ungranted, ungrantedListed] = four as [TestTicket, TestTicket, TestTicket, TestTicket];
const [theirs, theirsListed] = [await oneTicket(app, buyer), await oneTicket(app, buyer)];
await putOnSale(app, market, grantedListed, seller);
await putOnSale(app, market, ungrantedListed, seller);
await putOnSale(app, market, theirsListed, buyer);
const revoked = await oneTicket(app, seller);
await putOnSale(app, market, revoked, seller);
await rows(app, 'update permit set revoked_at = now() where tix_permit_id = $1', [revoked.permit]);
const otherMode = await oneTicket(app, seller, { endsAt: new Date(Date.now() + 600_000) });
await rows(app, `update event set mode = 'production' where tix_event_id = $1`, [otherMode.tixEventId]);
const over = await oneTicket(app, seller, { endsAt: new Date(Date.now() + 600_000) });
await putOnSale(app, market, over, seller);
await rows(app, `update event set ends_at = now() - interval '1 s' where tix_event_id = $1`, [over.tixEventId]);
const moved = await oneTicket(app, seller);
await rows(
  app,
  'update ticket set owner_id = (select owner_id from ticket where tix_ticket_id = $2) where tix_ticket_id = $1',
  [moved.tixTicketId, theirs.tixTicketId],
);
const ofAnotherPartner = await oneTicket(app, seller, { partner: await newPartner(app) });
const notIssued = await oneTicket(app, seller, { issue: false });
// so that nobody brings it onto the chain
await rows(app, 'update permit set issued_at = now() where tix_permit_id = $1', [notIssued.permit]);

/** What the fan could not have chosen is put into the grant: only the rule in question keeps it out. */
const KEPT_OUT = {
  'a permit of the fan whose ticket another fan has here': moved,
  'a revoked permit': revoked,
  'a permit of the other mode': otherMode,
  'a permit of an event that is over': over,
  'a permit of another partner': ofAnotherPartner,
  'a permit that is not issued': notIssued,
};
const PERMITS: Record<string, Permit> = {
  ...KEPT_OUT,
  'a permit of another fan': theirs,
  'a listed permit of another fan': theirsListed,
  'an address that is no account': { permit: randomAddress() },
  'a funded wallet': { permit: (await app.network.funded()).publicKey.toBase58() },
  'an Event account': { permit: granted.tixEventId },
  'a permit that was not granted': ungranted,
  'a listed permit that was not granted': ungrantedListed,
};
/** Of a grant of selected tickets. */
const { access_token: token } = await signIn(app, {
  scope: 'openid fan:listings:write',
  mode: 'selected',
  ticketIds: [granted.id, grantedListed.id],
});
await rows(
  app,
  `update consent_grant set ticket_ids = ticket_ids || (select array_agg(id) from ticket where tix_ticket_id = any($1))
   where fan_id = (select owner_id from ticket where tix_ticket_id = $2) and mode = 'selected'`,
  [Object.values(KEPT_OUT).map(({ tixTicketId }) => tixTicketId), granted.tixTicketId],
);

type Permit = Pick<TestTicket, 'permit'>;

const NAMES = Object.keys(PERMITS);

/** A fan can always take a ticket off sale (D-357). */
const STILL_CANCELLED = ['a revoked permit', 'a permit of an event that is over'];

/** The fan’s own wallet, that of another fan, a key that nobody knows, and the payer of the service. */
const OWNERS = [owner, buyer.wallet_address, randomAddress(), app.chain.payer];

async function ask(type: 'list' | 'cancel', permit: Permit, owner: string) {
  const [make, good] = type === 'list' ? ([listing, granted] as const) : ([cancellation, grantedListed] as const);
  // as the second of two: the place of a fault is told, and nothing else
  const transactions = [await make(app, market, good, owner), await make(app, market, permit, owner)];
  return postFan(app, '/authorizations', token, { type, transactions: transactions.map((tx) => tx.toString('hex')) });
}

it.each([
  ...NAMES.map((name) => ['list', name] as const),
  ...NAMES.filter((name) => !STILL_CANCELLED.includes(name)).map((name) => ['cancel', name] as const),
])('404 in one wording, byte for byte: %s %s, with any owner', async (type, name) => {
  for (const named of OWNERS) {
    const answer = await expectRefusal(() => ask(type, PERMITS[name] as Permit, named), 404, 'not_found', /not found/);
    expect(JSON.stringify(answer.body)).toBe('{"message":"transactions[1]: the ticket was not found."}');
  }
});

describe('a granted ticket of the fan', () => {
  it.each(STILL_CANCELLED)('%s that is on sale can be taken off sale', async (name) => {
    expect(await ask('cancel', PERMITS[name] as Permit, owner)).toMatchObject({ status: 200 });
  });

  it('with another owner than the fan’s wallet: 400, the same for a wallet of another fan and a foreign key', async ({
    heldTicket,
  }) => {
    const access = (await seller.tokens()).access_token;
    for (const named of [buyer.wallet_address, randomAddress()]) {
      const bytes = (await listing(app, market, heldTicket, named)).toString('hex');
      const answer = await expectRefusal(
        () => postFan(app, '/authorizations', access, { type: 'list', transactions: [bytes] }),
        400,
        'wrong_owner',
        /fan’s wallet/,
      );
      const rule = 'the owner that the ticket instruction names is the fan’s wallet';
      expect(answer.body.message).toBe(`transactions[0]: ${rule} (owner is ${named}, not ${owner})`);
    }
  });

  it('a missing ticket is reported before a stale blockhash, every time', async () => {
    const permit = { permit: randomAddress() };
    for (let round = 0; round < 5; round++) {
      const bytes = await listing(app, market, permit, owner, { blockhash: randomAddress() });
      const body = { type: 'list', transactions: [bytes.toString('hex')] };
      await expectRefusal(() => postFan(app, '/authorizations', token, body), 404, 'not_found', /not found/);
    }
  });
});
