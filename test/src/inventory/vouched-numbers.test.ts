import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fan } from '../../../src/entities/fan.ts';
import { Ticket } from '../../../src/entities/ticket.ts';
import { login } from '../../support/partner.ts';
import { enableProductionClient, readCodesFromLog } from '../../support/production.ts';
import { testApp } from '../../support/test-app.ts';
import { DAY, fanOf, type NumberOwner, proveNumber } from '../verification/long-unused.ts';
import { apply, newEvent, outcomes, PRODUCTION_PROGRAM_ID, signInProduction, ticketRow, ticketsSeen } from './stage.ts';

/** D-073 for fans whom the company has brought in: it vouches for a number by the rows that it makes or changes. */
const app = await testApp({ env: { PRODUCTION_PROGRAM_ID } });
const client = await enableProductionClient(app);
let owner: NumberOwner;
let phone: string;
let numbers = 700;
beforeEach(() => {
  owner = { app, client, codeFor: readCodesFromLog(app) };
  phone = newPhone();
});
afterEach(() => app.resetClock());

function newPhone(): string {
  numbers += 1;
  return `+12025550${numbers}`;
}

/** A ticket of an event in 2030, for the number. @returns the rows of event and type, and that of the ticket */
async function imported(changes: object = {}) {
  const { event, type, rows } = newEvent();
  const ticket = ticketRow(event, type, `ticket of ${event}`, { holder_phone: phone, ...changes });
  expect(await outcomes(app, [...rows, ticket])).toEqual(['created', 'created', 'created']);
  return { event, ticket };
}

const stepOf = async (number = phone) => (await proveNumber(owner, number)).step;

/** The fan proved the number, and then left it alone until a code for it alone opens the account no more. */
async function longUnused(changes: object = {}) {
  const made = await imported(changes);
  expect(await stepOf()).toBe('consent');
  app.advance(366 * DAY);
  return made;
}

describe('a fan who was imported and never signed in', () => {
  it('signs in by the code alone today and sees the tickets', async () => {
    const { event } = await imported();
    expect(await ticketsSeen(app, await signInProduction(app, phone))).toEqual([`Event ${event}`]);
  });

  it('does so two years later: nobody has used the account', async () => {
    const { event } = await imported();
    app.advance(730 * DAY);
    expect(await ticketsSeen(app, await signInProduction(app, phone))).toEqual([`Event ${event}`]);
  });
});

describe('a number that its fan has not proved for 365 days opens the account by the code alone', () => {
  it('after a purchase with it: a row of a new ticket', async () => {
    await longUnused();
    expect(await stepOf()).toBe('continuity');
    await imported();
    app.advance(364 * DAY);
    expect(await stepOf()).toBe('consent');
  });

  it.each([
    ['gives the ticket another date of purchase', {}, { purchased_at: '2026-02-01T00:00:00Z' }, 'updated'],
    ['makes the ticket valid again', { status: 'void' }, { status: 'valid' }, 'updated'],
  ])('after a row that names it and %s', async (_, before, changes, outcome) => {
    const { ticket } = await longUnused(before);
    expect(await outcomes(app, [{ ...ticket, ...changes }])).toEqual([outcome]);
    expect(await stepOf()).toBe('consent');
  });

  it('after a row that names it for a holder who was named by fan ID before', async () => {
    const { ticket } = await longUnused();
    const byId = { ...ticket, holder_phone: undefined, holder_fan_id: (await fanOf(app, phone)).id };
    await apply(app, [byId]);
    expect(await stepOf()).toBe('continuity');
    await apply(app, [ticket]);
    app.advance(31);
    expect(await stepOf()).toBe('consent');
  });

  it.each([
    ['is the same', {}, 'unchanged'],
    ['is the same with a newer version', { updated_at: '2026-03-02T00:00:00Z' }, 'unchanged'],
    ['is older than what is stored', { updated_at: '2026-02-01T00:00:00Z', status: 'void' }, 'stale'],
    ['fails', { ticket_type: 'none' }, 'failed unknown_ticket_type ticket_type'],
    [
      'changes something and names nobody',
      { holder_phone: undefined, purchased_at: '2026-02-01T00:00:00Z' },
      'updated',
    ],
    ['takes the ticket back', { status: 'refunded' }, 'updated'],
  ])('not after a row that %s', async (_, changes, outcome) => {
    const { ticket } = await longUnused({ updated_at: '2026-03-01T00:00:00Z' });
    expect(await outcomes(app, [{ ...ticket, ...changes }])).toEqual([outcome]);
    expect(await stepOf()).toBe('continuity');
  });

  it('not after rows of other numbers', async () => {
    await longUnused();
    const first = phone;
    phone = newPhone();
    await imported();
    expect(await stepOf(first)).toBe('continuity');
  });
});

describe('a number that is a new account’s by now', () => {
  /** @returns the fan before, and the row of the ticket that this fan has */
  async function startNew() {
    const made = await longUnused();
    const before = await fanOf(app, phone);
    await login(app, await proveNumber(owner, phone), 'continuity.startNew');
    return { ...made, before };
  }

  it('takes no ticket from an account that somebody used: the same row again fails and says why', async () => {
    const { ticket, before } = await startNew();
    expect(await outcomes(app, [ticket])).toEqual(['failed number_changed_hands holder_phone']);
    const { em } = app.context();
    expect(await em.count(Ticket, { reference: ticket.reference, owner: before.id })).toBe(1);
  });

  it('gets the ticket by the same row again where nobody used the account before, and is not vouched for by it', async () => {
    const { event, ticket, before } = await startNew();
    await app.context().em.nativeUpdate(Fan, { id: before.id }, { numberProvedAt: null });
    const { numberVouchedAt } = await fanOf(app, phone);
    app.advance(2 * DAY);
    expect(await outcomes(app, [ticket])).toEqual(['updated']);
    expect(await outcomes(app, [ticket])).toEqual(['unchanged']);
    expect((await fanOf(app, phone)).numberVouchedAt).toEqual(numberVouchedAt);
    expect(await ticketsSeen(app, await signInProduction(app, phone))).toEqual([`Event ${event}`]);
  });

  it('is vouched for by no row that changes the ticket of the fan before', async () => {
    const { ticket, before } = await startNew();
    const { numberVouchedAt } = await fanOf(app, phone);
    app.advance(2 * DAY);
    await apply(app, [{ ...ticket, purchased_at: '2026-02-01T00:00:00Z' }]);
    expect((await fanOf(app, phone)).numberVouchedAt).toEqual(numberVouchedAt);
    const { em } = app.context();
    expect((await em.findOneOrFail(Fan, { id: before.id })).numberVouchedAt).toEqual(before.numberVouchedAt);
  });

  it('is not looked up where the fan before has another number: the row still means that fan', async () => {
    const { ticket, before } = await startNew();
    await app.context().em.nativeUpdate(Fan, { id: before.id }, { phone: newPhone() });
    expect(await outcomes(app, [ticket])).toEqual(['unchanged']);
  });
});

describe('a fan without a number', () => {
  it('is found by the fan ID, and no number is vouched for', async () => {
    await imported();
    const fan = await fanOf(app, phone);
    await app.context().em.nativeUpdate(Fan, { id: fan.id }, { phone: null });
    app.advance(60 * DAY);
    await imported({ holder_phone: undefined, holder_fan_id: fan.id });
    const { em } = app.context();
    expect(await em.findOneOrFail(Fan, { id: fan.id })).toMatchObject({
      phone: null,
      numberVouchedAt: fan.numberVouchedAt,
    });
  });
});

it('of many batches at the same time that name the same numbers in other orders, all are applied', async () => {
  const { event, type, rows } = newEvent();
  const phones = Array.from({ length: 20 }, newPhone);
  const tickets = phones.map((holder_phone, index) => ticketRow(event, type, `race ${index}`, { holder_phone }));
  await apply(app, [...rows, ...tickets]);
  app.advance(60 * DAY);
  const more = Array.from({ length: 6 }, (_, batch) => {
    const others = tickets.map((ticket, index) => ({ ...ticket, reference: `race ${batch} ${index}` }));
    return batch % 2 ? others.reverse() : others;
  });
  const results = await Promise.all(more.map((batch) => outcomes(app, batch)));
  expect(new Set(results.flat())).toEqual(new Set(['created']));
  app.advance(60 * DAY);
  for (const number of phones.slice(0, 3)) expect(await stepOf(number)).toBe('consent');
});
