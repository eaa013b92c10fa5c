import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fan } from '../../../src/entities/fan.ts';
import { enableProductionClient, readCodesFromLog } from '../../support/production.ts';
import { testApp } from '../../support/test-app.ts';
import { DAY, fanOf, type NumberOwner, proveNumber } from '../verification/long-unused.ts';
import { apply, newEvent, outcomes, PRODUCTION_PROGRAM_ID, signInProduction, ticketRow, ticketsSeen } from './stage.ts';

/** D-073 for fans whom the company has brought in: it vouches for a number until the fan's own first proof. */
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

describe('a fan who was imported and never signed in', () => {
  it('signs in by the code alone today and sees the tickets', async () => {
    const { event } = await imported();
    expect(await ticketsSeen(app, await signInProduction(app, phone))).toEqual([`Event ${event}`]);
  });

  it('signs in by the code alone 89 days later', async () => {
    await imported();
    app.advance(89 * DAY);
    expect(await stepOf()).toBe('consent');
  });

  it('is asked for more 91 days later', async () => {
    await imported();
    app.advance(91 * DAY);
    expect(await stepOf()).toBe('continuity');
  });

  it('is vouched for from the clock of the import on', async () => {
    app.advance(200 * DAY);
    await imported();
    expect((await fanOf(app, phone)).numberVouchedAt).toEqual((await fanOf(app, phone)).createdAt);
    app.advance(91 * DAY);
    expect(await stepOf()).toBe('continuity');
  });
});

describe('a row that names the number again', () => {
  it('renews it, also where nothing else is new', async () => {
    const { ticket } = await imported();
    app.advance(60 * DAY);
    expect(await outcomes(app, [ticket])).toEqual(['unchanged']);
    app.advance(60 * DAY);
    expect(await stepOf()).toBe('consent');
  });

  it('renews it once it has run out, too', async () => {
    const { ticket } = await imported();
    app.advance(91 * DAY);
    expect(await stepOf()).toBe('continuity');
    await apply(app, [ticket]);
    app.advance(31);
    expect(await stepOf()).toBe('consent');
  });

  it('renews it by another ticket', async () => {
    await imported();
    app.advance(91 * DAY);
    await imported();
    expect(await stepOf()).toBe('consent');
  });

  it('counts for nothing once the fan has proved the number', async () => {
    const { ticket } = await imported();
    expect(await stepOf()).toBe('consent');
    const { numberVouchedAt } = await fanOf(app, phone);
    app.advance(91 * DAY);
    await apply(app, [ticket]);
    expect((await fanOf(app, phone)).numberVouchedAt).toEqual(numberVouchedAt);
    expect(await stepOf()).toBe('continuity');
  });

  it('counts for nothing where the row is older than what is stored, or fails', async () => {
    const { ticket } = await imported({ updated_at: '2026-03-01T00:00:00Z' });
    app.advance(91 * DAY);
    expect(await outcomes(app, [{ ...ticket, updated_at: '2026-02-01T00:00:00Z' }])).toEqual(['stale']);
    expect(await outcomes(app, [{ ...ticket, reference: 'none', event: 'none' }])).toEqual([
      'failed unknown_event event',
    ]);
    expect(await stepOf()).toBe('continuity');
  });

  it('is of no use to others: each number is vouched for by its own rows', async () => {
    await imported();
    const first = phone;
    phone = newPhone();
    const { ticket } = await imported();
    app.advance(91 * DAY);
    await apply(app, [ticket]);
    expect(await stepOf(first)).toBe('continuity');
    app.advance(31);
    expect(await stepOf(phone)).toBe('consent');
  });

  it('that now is a new account’s gives the account before nothing', async () => {
    const { ticket } = await imported();
    const before = await fanOf(app, phone);
    await app.context().em.nativeUpdate(Fan, { id: before.id }, { phone: null });
    await imported();
    const after = await fanOf(app, phone);
    expect(after.id).not.toBe(before.id);
    app.advance(60 * DAY);
    await apply(app, [ticket]);
    const { em } = app.context();
    expect((await em.findOneOrFail(Fan, { id: before.id })).numberVouchedAt).toEqual(before.numberVouchedAt);
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
