import { addressBytes } from '@fan-api/cosign-policy/address-bytes';
import { PublicKey } from '@solana/web3.js';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeInstruction } from '../../../../src/chain/instruction/instructions.ts';
import { runOwnTransaction } from '../../../../src/chain/wallet/own-transaction.ts';
import { issueRun } from '../../../../src/inventory/issuing/issue-run.ts';
import { closeTurn } from '../../../../src/inventory/issuing/issue-turn.ts';
import { storeIssueWhen } from '../../../../src/inventory/issuing/issue-when.ts';
import { readSpared } from '../../../../src/inventory/issuing/read-costs.ts';
import { registerEvents } from '../../../../src/inventory/issuing/register-events.ts';
import { readBacklog } from '../../../../src/inventory/issuing/watch-issuing.ts';
import { turnActionOff, turnActionOn } from '../../../../src/oauth/grant/switch-action.ts';
import { idOf, type Uuid } from '../../../../src/platform/identifier/type-id.ts';
import { CHAIN_SCOPE, rows } from '../../../support/chain-app.ts';
import type { FanChoice } from '../../../support/partner.ts';
import {
  authorizeListing,
  claim,
  FIRST_SALE,
  fundedMarketplace,
  land,
  listing,
  randomAddress,
  signedBytes,
  transfer,
} from '../../../support/ticket-transactions.ts';
import { fanOf, issueAll, newPhone, startProductionChain, ticketOf } from '../chain-stage.ts';
import { apply, newEvent, signInProduction, ticketRow } from '../stage.ts';

/** Permits that are issued once an app may list the ticket. */
const app = await startProductionChain();
afterAll(() => app.stop());
const market = await fundedMarketplace(app);

async function issueWhen(when: 'demand' | 'import'): Promise<void> {
  app.config.issuing.onDemand = when === 'demand';
  await storeIssueWhen(app.context());
}
beforeEach(() => issueWhen('demand'));

/** Tickets of a new fan, imported, and nothing issued. */
async function imported(count = 1, changes: object = {}, ofEvent: object = {}) {
  const { event, type, rows: before } = newEvent(ofEvent);
  const phone = newPhone();
  const tickets = Array.from({ length: count }, (_, at) =>
    ticketRow(event, type, `${event}-${at}`, { holder_phone: phone, ...changes }),
  );
  await apply(app, [...before, ...tickets]);
  return { event, type, phone, references: tickets.map(({ reference }) => reference) };
}

const connect = (phone: string, choice: FanChoice & { scope?: string } = {}) =>
  signInProduction(app, phone, { scope: CHAIN_SCOPE, ...choice });

/** Issues what is due. @returns for each ticket whether it has an account on the chain */
async function issuedOf(references: readonly string[]): Promise<boolean[]> {
  await issueAll(app);
  const permits = await Promise.all(references.map((reference) => ticketOf(app, reference)));
  return (await app.chain.gateway.permits(permits.map(({ permit }) => permit))).map((account) => account !== undefined);
}

async function grantOf(phone: string) {
  const [row] = await rows<{ grant: Uuid; fan: Uuid }>(
    app,
    `select g.id as grant, f.id as fan from consent_grant g join fan f on f.id = g.fan_id where f.phone = $1 and f.mode = 'production'
     order by g.id desc limit 1`,
    [phone],
  );
  if (!row) throw new Error('there is no grant');
  return { grant: idOf('grant', row.grant), fan: idOf('usr', row.fan) };
}

/** What the feed says of a ticket, and its position there. */
async function feedOf(reference: string) {
  const [row] = await rows<{ pending: boolean; permit: string }>(
    app,
    `select f.pending, p.id as permit from ticket t join permit p on p.ticket_id = t.id join ticket_feed f on f.ticket_id = t.id
     where t.reference = $1`,
    [reference],
  );
  return row;
}

describe('a permit is issued', () => {
  it('once an app may list the ticket, and not at its import', async () => {
    const { phone, references } = await imported(2);
    expect(await issuedOf(references)).toEqual([false, false]);
    expect(await readBacklog(app.context(), 'production')).toMatchObject({ waiting: 0, oldest: null });
    await connect(phone, { scope: 'openid fan:tickets:read' });
    expect(await issuedOf(references)).toEqual([false, false]);
    await connect(phone);
    expect(await readBacklog(app.context(), 'production')).toMatchObject({ waiting: 2 });
    expect(await issuedOf(references)).toEqual([true, true]);
  });

  it('of the chosen tickets only, and of the others once they are chosen, too', async () => {
    const { phone, references } = await imported(2);
    const ids = await Promise.all(
      references.map(async (reference) => idOf('tkt', (await ticketOf(app, reference)).id)),
    );
    await connect(phone, { mode: 'selected', ticketIds: ids.slice(0, 1) });
    expect(await issuedOf(references)).toEqual([true, false]);
    await connect(phone, { mode: 'selected', ticketIds: ids });
    expect(await issuedOf(references)).toEqual([true, true]);
  });

  it('when the action is turned on again', async () => {
    const { phone, event, type } = await imported(0);
    await apply(app, [ticketRow(event, type, `${event}-early`, { holder_phone: phone })]);
    await connect(phone);
    const { grant, fan } = await grantOf(phone);
    const listing = { grantIds: [grant], action: 'fan:listings:write' } as const;
    await turnActionOff(app.context(), fan, { ...listing });
    await apply(app, [ticketRow(event, type, `${event}-late`, { holder_phone: phone })]);
    expect(await issuedOf([`${event}-late`])).toEqual([false]);
    await turnActionOn(app.context(), fan, listing);
    expect(await issuedOf([`${event}-late`])).toEqual([true]);
  });

  it('when a ticket comes to a fan with such an app, by an import or from another holder', async () => {
    const { phone, event, type } = await imported(1);
    await connect(phone);
    await apply(app, [
      ticketRow(event, type, `${event}-new`, { holder_phone: phone }),
      ticketRow(event, type, `${event}-given`, { holder_phone: newPhone() }),
    ]);
    expect(await issuedOf([`${event}-new`, `${event}-given`])).toEqual([true, false]);
    await apply(app, [ticketRow(event, type, `${event}-given`, { holder_phone: phone })]);
    expect(await issuedOf([`${event}-given`])).toEqual([true]);
    expect((await ticketOf(app, `${event}-given`)).owner).toBe(phone);
  });

  it('of a valid ticket only: one that is void or used never costs anything', async () => {
    const { phone, event, type, references } = await imported(3);
    const [kept, voided, used] = references;
    const row = (reference: string | undefined, status: string) =>
      ticketRow(event, type, reference ?? '', { holder_phone: phone, status });
    await apply(app, [row(voided, 'void'), row(used, 'used')]);
    await connect(phone);
    expect(await issuedOf(references)).toEqual([true, false, false]);
    expect(kept).toBeDefined();
    await apply(app, [row(voided, 'valid'), row(used, 'valid')]);
    expect(await issuedOf(references)).toEqual([true, true, true]);
  });

  it('of an event that is over never', async () => {
    const { phone, event, references } = await imported(1);
    await rows(
      app,
      `update event set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where reference = $1`,
      [event],
    );
    await connect(phone);
    expect(await issuedOf(references)).toEqual([false]);
  });

  it('at its import again where the company wants that; what is in the queue stays in it', async () => {
    const { references } = await imported(2);
    expect(await issuedOf(references)).toEqual([false, false]);
    await issueWhen('import');
    expect(await issuedOf(references)).toEqual([true, true]);
    const later = await imported(1);
    await issueWhen('demand');
    expect(await issuedOf(later.references)).toEqual([true]);
  });
});

it('a fan who waits goes before tickets of an import', async () => {
  await issueWhen('import');
  const { event, type } = await imported(30);
  await issueWhen('demand');
  const phone = newPhone();
  await apply(app, [ticketRow(event, type, `${event}-fan`, { holder_phone: phone })]);
  await connect(phone);
  const due = await rows<{ reference: string }>(
    app,
    `select t.reference from waiting_permit w join permit p on p.id = w.permit_id join ticket t on t.id = p.ticket_id
     where w.mode = 'production' and w.retry_at is not null order by w.retry_at limit 1`,
  );
  expect(due).toEqual([{ reference: `${event}-fan` }]);
  await issueAll(app);
});

it('what was issued stays when the access ends, and nothing further is issued', async () => {
  const { phone, event, type, references } = await imported(1);
  const tokens = await connect(phone);
  expect(await issuedOf(references)).toEqual([true]);
  expect(tokens.access_token).toBeDefined();
  await rows(
    app,
    `update consent_grant g set revoked_at = now(), revoked_reason = 'revoked_by_fan' from fan f
    where f.id = g.fan_id and f.phone = $1`,
    [phone],
  );
  await apply(app, [ticketRow(event, type, `${event}-after`, { holder_phone: phone })]);
  expect(await issuedOf([...references, `${event}-after`])).toEqual([true, false]);
});

it('the company gives a ticket without a permit to somebody else in the database', async () => {
  const { event, type, references } = await imported(1);
  const other = newPhone();
  await apply(app, [ticketRow(event, type, references[0] ?? '', { holder_phone: other })]);
  expect((await ticketOf(app, references[0] ?? '')).owner).toBe(other);
  expect(await issuedOf(references)).toEqual([false]);
});

it('after the event, permits that were never needed are closed without a transaction', async () => {
  const usual = { ...app.config.issuing };
  Object.assign(app.config.issuing, { closeAfter: 1, closableAfter: -7_200 });
  const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const { phone, event, references } = await imported(3, {}, { starts_at: soon(0.5), ends_at: soon(1) });
  const permits = await Promise.all(references.map((reference) => ticketOf(app, reference)));
  const ids = permits.slice(0, 1).map(({ id }) => idOf('tkt', id));
  await connect(phone, { mode: 'selected', ticketIds: ids });
  expect(await issuedOf(references)).toEqual([true, false, false]);
  const over = "starts_at = now() - interval '3 hours', ends_at = now() - interval '2 hours'";
  await rows(app, `update event set ${over} where reference = $1`, [event]);
  const closed = async () => {
    await issueAll(app);
    await closeTurn(issueRun(app.context(), 'production'));
    app.advance(21);
    const found = await rows<{ at: Date | null }>(
      app,
      'select closed_at as at from permit where tix_permit_id = any($1) order by id',
      [permits.map(({ permit }) => permit)],
    );
    return found.every(({ at }) => at !== null);
  };
  await expect.poll(closed, { timeout: 20_000 }).toBe(true);
  const sent = await rows<{ permits: number }>(app, 'select permits from issue_transaction where closes');
  expect(sent).toEqual([{ permits: 1 }]);
  Object.assign(app.config.issuing, usual);
  app.resetClock();
});

it('the books say how many tickets are not onchain, and what rent that spares', async () => {
  const before = await readSpared(app.context(), 'production');
  await imported(5);
  const after = await readSpared(app.context(), 'production');
  expect(after.permits - before.permits).toBe(5);
  expect((after.rent ?? 0n) - (before.rent ?? 0n)).toBe(5n * ((after.rent ?? 0n) / BigInt(after.permits)));
});

it('the feed has a ticket again when its permit is needed', async () => {
  const { phone, references } = await imported(1);
  const [reference = ''] = references;
  await rows(
    app,
    'update ticket_feed set pending = false, position = (select coalesce(max(position), 0) + 1 from ticket_feed) where ticket_id = (select id from ticket where reference = $1)',
    [reference],
  );
  expect(await feedOf(reference)).toMatchObject({ pending: false });
  await connect(phone);
  expect(await feedOf(reference)).toMatchObject({ pending: true });
});

/** Whether a permit of the queue is due because a fan waits for it. */
async function isDue(permit: string): Promise<boolean> {
  const found = await rows(
    app,
    `select from waiting_permit w join permit p on p.id = w.permit_id where p.tix_permit_id = $1 and w.retry_at = 'epoch'`,
    [permit],
  );
  return found.length === 1;
}

describe('POST /authorizations of a ticket that is not onchain yet', () => {
  async function offer() {
    const { phone, references } = await imported(1);
    const fan = await fanOf(app, phone);
    await fan.tokens();
    const { permit, wallet } = await ticketOf(app, references[0] ?? '');
    return { fan, permit, bytes: await listing(app, market, { permit }, wallet), references };
  }

  it('waits until it is, and is signed', async () => {
    const { fan, permit, bytes } = await offer();
    const answer = authorizeListing(app, fan, 'list', [bytes]);
    await expect.poll(() => isDue(permit)).toBe(true);
    await issueAll(app);
    const signed = await answer;
    expect(signed.status).toBe(200);
    await land(app, signedBytes(signed));
    expect((await app.chain.gateway.permits([permit]))[0]).toMatchObject({ state: 'listed' });
  });

  it('is answered 503 after ten seconds, which says when to send it again, never 404', async () => {
    const { fan, bytes } = await offer();
    const began = performance.now();
    const answer = await authorizeListing(app, fan, 'list', [bytes]);
    expect(performance.now() - began).toBeGreaterThan(9_900);
    expect([answer.status, answer.headers.get('x-error-code'), answer.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '2',
    ]);
    expect(answer.body).toEqual({ message: expect.stringMatching(/is being put onchain for the first time/) });
    await issueAll(app);
    expect((await authorizeListing(app, fan, 'list', [bytes])).status).toBe(200);
  });

  it('makes it due where consent and a new holder committed in the same moment', async () => {
    const { fan, permit, bytes, references } = await offer();
    await rows(
      app,
      'update waiting_permit w set retry_at = null from permit p where p.id = w.permit_id and p.tix_permit_id = $1',
      [permit],
    );
    expect(await issuedOf(references)).toEqual([false]);
    const answer = authorizeListing(app, fan, 'list', [bytes]);
    await expect.poll(() => isDue(permit)).toBe(true);
    await issueAll(app);
    expect((await answer).status).toBe(200);
  });

  it('is issued, and signed, where somebody has sent lamports to its address before', async () => {
    const { fan, permit, bytes } = await offer();
    await app.connection.requestAirdrop(new PublicKey(permit), 1_000_000);
    await expect.poll(() => app.connection.getBalance(new PublicKey(permit), 'confirmed')).toBe(1_000_000);
    const answer = authorizeListing(app, fan, 'list', [bytes]);
    await expect.poll(() => isDue(permit)).toBe(true);
    await issueAll(app);
    expect((await answer).status).toBe(200);
  });

  it('is not signed while the day’s budget is used up', async () => {
    const { fan, bytes } = await offer();
    const { dailyBudget } = app.config.issuing;
    app.config.issuing.dailyBudget = 0;
    const answer = authorizeListing(app, fan, 'list', [bytes]);
    await issueAll(app);
    expect((await answer).status).toBe(503);
    app.config.issuing.dailyBudget = dailyBudget;
    await issueAll(app);
    expect((await authorizeListing(app, fan, 'list', [bytes])).status).toBe(200);
  });

  it('is not signed where somebody else’s permit is at its address', async () => {
    const { fan, permit, bytes, references } = await offer();
    const [ticket] = await rows<{ event: string; id: string }>(
      app,
      `select e.tix_event_id as event, t.tix_ticket_id as id from ticket t join ticket_type tt on tt.id = t.ticket_type_id
         join event e on e.id = tt.event_id where t.reference = $1`,
      [references[0]],
    );
    if (!ticket) throw new Error('the ticket is there');
    await registerEvents(issueRun(app.context(), 'production'));
    const { programId, authority, payer } = app.chain;
    const accounts = { event: ticket.event, permit, authority, payer };
    const args = { ticket_id: addressBytes(ticket.id), owner: randomAddress() };
    const issue = encodeInstruction(programId, 'issue_permit_v1', accounts, args);
    await runOwnTransaction(app.chain, app.runtime.signer, [issue], [authority]);
    const answer = await authorizeListing(app, fan, 'list', [bytes]);
    expect(answer.status).toBe(404);
    await issueAll(app);
    expect((await authorizeListing(app, fan, 'list', [bytes])).status).toBe(404);
  });

  it('cannot be claimed: no transfer of it is submitted', async () => {
    const { fan, permit } = await offer();
    const sale = await transfer(app, market, { permit }, fan.wallet_address, { terms: FIRST_SALE });
    expect((await claim(app, fan, [sale])).status).toBe(404);
    expect((await app.chain.gateway.permits([permit]))[0]).toBeUndefined();
    await issueAll(app);
  });

  it('of another fan’s ticket is answered 404 at once', async () => {
    const { permit, bytes } = await offer();
    const stranger = await imported(1);
    const other = await fanOf(app, stranger.phone);
    await other.tokens();
    const began = performance.now();
    expect((await authorizeListing(app, other, 'list', [bytes])).status).not.toBe(200);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect((await app.chain.gateway.permits([permit]))[0]).toBeUndefined();
    await issueAll(app);
  });
});
