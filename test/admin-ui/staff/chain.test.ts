import { signEd25519Sync } from '@fan-api/solana-wire/ed25519';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { Permit } from '../../../src/entities/permit.ts';
import { carryOutMoves } from '../../../src/inventory/custody-move/carry-out-moves.ts';
import { orderMove } from '../../../src/inventory/custody-move/order-move.ts';
import { settleProposals } from '../../../src/people/proposal/settle-proposals.ts';
import { oneTicket, type TestTicket } from '../../support/chain-app.ts';
import { fillIn, openConsole, openView } from '../../support/console.ts';
import { barriersFrom, TWO_SIDES } from '../../support/find-barriers.ts';
import { rotateBack, rotateTo } from '../../support/foreign-authority.ts';
import { testBrowser } from '../../support/test-browser.ts';
import { testChainApp } from '../../support/test-chain-app.ts';
import { fundedMarketplace, onChain } from '../../support/ticket-transactions.ts';

/** D-146, D-188: support proposes, a reviewer approves, and the ticket is in the wallet outside; everything by clicks. */
const [app, browser] = await Promise.all([testChainApp(), testBrowser()]);

/** The permit of a ticket, and the title of its page. */
async function pageOf({ permit: tixPermitId }: TestTicket) {
  const { em } = app.context();
  const permit = await em.findOneOrFail(Permit, { tixPermitId }, { populate: ['ticket.ticketType.event'] });
  const { event, name } = permit.ticket.ticketType;
  return { permit, title: `${event.name}, ${name}` };
}

async function propose(page: Page, permitId: string, wallet: Keypair, title: string): Promise<void> {
  await openView(page, app, `/permits/${permitId}`, title);
  await page.getByRole('button', { name: 'Move out' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move a ticket to a wallet outside' });
  await fillIn(dialog, { 'Wallet address': app.chain.payer }, 'Continue');
  await dialog.getByText('is a key of this service').waitFor();
  await fillIn(dialog, { 'Wallet address': wallet.publicKey.toBase58() }, 'Continue');
  const text = await dialog.getByRole('region', { name: 'Text to sign' }).textContent();
  const signature = signEd25519Sync(wallet.secretKey.subarray(0, 32), Buffer.from(text ?? ''));
  await fillIn(dialog, {
    Signature: bs58.encode(signature),
    Reason: 'The fan wrote from their account and leaves with this ticket.',
  });
  expect(await barriersFrom(page, { within: dialog, sides: TWO_SIDES })).toEqual([]);
  await dialog.getByRole('button', { name: 'Propose' }).click();
  await page.getByRole('heading', { name: 'Move a ticket to a wallet outside', level: 1 }).waitFor();
}

test('a ticket leaves for a wallet outside: support proposes, withdraws and proposes again, a reviewer approves', async () => {
  const ticket = await oneTicket(app, app.users[0]);
  const { permit, title } = await pageOf(ticket);
  const wallet = Keypair.generate();
  const support = await openConsole(browser, app, 'support');
  await propose(support, permit.id, wallet, title);
  expect(await support.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await support.getByRole('button', { name: 'Withdraw' }).click();
  const withdrawal = support.getByRole('dialog', { name: 'Withdraw the proposal' });
  await fillIn(withdrawal, { Reason: 'The fan has changed their mind.' }, 'Withdraw');
  await support.locator('.state-mark', { hasText: 'Withdrawn' }).waitFor();
  await propose(support, permit.id, wallet, title);

  const reviewer = await openConsole(browser, app, 'reviewer');
  await reviewer.getByRole('link', { name: /1 proposal waits/ }).click();
  await reviewer.getByRole('heading', { name: 'Proposals', level: 1 }).waitFor();
  await reviewer.getByText('Can decide').waitFor();
  await reviewer.getByRole('rowheader', { name: 'Move a ticket to a wallet outside' }).click();
  await reviewer.getByRole('button', { name: 'Approve' }).click();
  const dialog = reviewer.getByRole('dialog', { name: 'Approve the proposal' });
  await dialog.getByText(wallet.publicKey.toBase58()).waitFor();
  await fillIn(dialog, { Reason: 'I called the fan back.' }, 'Approve');
  await reviewer.getByText('Approved, under way').waitFor();
  expect(await reviewer.getByRole('button', { name: 'Approve' }).count()).toBe(0);

  await carryOutMoves(app.context());
  await settleProposals(app.context());
  expect(await onChain(app, ticket)).toMatchObject({ owner: wallet.publicKey.toBase58() });
  await openView(support, app, `/permits/${permit.id}`, title);
  await support.getByText('To a wallet outside').waitFor();
  await support.getByRole('link', { name: 'the proposal' }).click();
  await support.locator('.state-mark', { hasText: 'Done' }).waitFor();
});

test('a move that is still open is given up by a reviewer, on the page of its permit', async () => {
  const ticket = await oneTicket(app, app.users[0]);
  const { permit, title } = await pageOf(ticket);
  const context = app.context();
  const order = { permitId: permit.id, to: { fanId: app.users[1].id }, origin: 'a test', actor: 'system' };
  await context.em.transactional((em) => orderMove({ ...context, em }, { ...order, reason: 'Sold by us.' }));
  const reviewer = await openConsole(browser, app, 'reviewer');
  await openView(reviewer, app, `/permits/${permit.id}`, title);
  await reviewer.getByRole('button', { name: 'Give up' }).click();
  const dialog = reviewer.getByRole('dialog', { name: 'Give up the move' });
  await fillIn(dialog, { Reason: 'The buyer is not found.' }, 'Give up');
  await reviewer.getByText('Given up: The buyer is not found.').waitFor();
  expect(await reviewer.getByRole('button', { name: 'Give up' }).count()).toBe(0);
});

const { lowPermits } = app.config.issuing;

test.each([
  {
    when: 'the chain names another authority, every view says that no listing can be signed',
    title: 'Listings can’t be signed',
    begin: async () => rotateTo(app, (await fundedMarketplace(app)).wallet, Keypair.generate()),
    end: () => rotateBack(app),
    says: [/the ticket program names a different authority/],
  },
  {
    when: 'the payer is low, every view says for how many permits it lasts, and where to send SOL',
    title: 'The SOL for permits runs low',
    begin: () => Object.assign(app.config.issuing, { lowPermits: 1_000_000_000 }),
    end: () => Object.assign(app.config.issuing, { lowPermits }),
    says: [/lasts for \d+ more\. Send SOL to/, new RegExp(app.chain.payer)],
  },
])('while $when', async ({ title, begin, end, says }) => {
  const page = await openConsole(browser, app, 'support');
  const banner = page.getByRole('status').filter({ hasText: title });
  await openView(page, app, '/partners', 'Partners');
  expect(await banner.count()).toBe(0);
  await begin();
  await page.reload();
  await banner.getByText('in sandbox').waitFor();
  for (const text of says) expect(await banner.textContent()).toMatch(text);
  await end();
  await page.reload();
  await page.getByRole('rowheader', { name: 'Front Row' }).waitFor();
  await expect.poll(() => banner.count()).toBe(0);
});
