import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Event } from '../../../src/entities/event.ts';
import { Fan } from '../../../src/entities/fan.ts';
import { Permit } from '../../../src/entities/permit.ts';
import { Ticket, TicketType } from '../../../src/entities/ticket.ts';
import { Wallet } from '../../../src/entities/wallet.ts';
import { MOST_ROWS } from '../../../src/inventory/apply-rows.ts';
import { registerFan } from '../../../src/sign-in/fan/register-fan.ts';
import { rows } from '../../support/chain-app.ts';
import { countStatements } from '../../support/count-statements.ts';
import { login } from '../../support/partner.ts';
import { enableProductionClient, readCodesFromLog } from '../../support/production.ts';
import { startApp } from '../../support/start-app.ts';
import { testApp } from '../../support/test-app.ts';
import { DAY, fanOf, type NumberOwner, proveNumber } from '../sign-in/verification/long-unused.ts';
import {
  apply,
  eventRow,
  newEvent,
  outcomes,
  PRODUCTION_PROGRAM_ID,
  signInProduction,
  ticketRow,
  ticketsSeen,
} from './stage.ts';

const app = await testApp({ env: { PRODUCTION_PROGRAM_ID, ACCESS_TOKEN_TTL: '3600' } });
const client = await enableProductionClient(app);
let numbers = 700;
function newPhone(): string {
  numbers += 1;
  return `+12025550${numbers}`;
}

const ticketOf = (reference: string) =>
  app.context().em.findOneOrFail(Ticket, { reference }, { populate: ['owner', 'ticketType.event'] });

describe('rows are what something is to be', () => {
  it('creates an event, its type and a ticket with a permit that waits to be issued', async () => {
    const { event, type, rows: before } = newEvent({ time_zone: 'Europe/Berlin', updated_at: '2026-01-01T00:00:00Z' });
    expect(await outcomes(app, [...before, ticketRow(event, type, 'first')])).toEqual(Array(3).fill('created'));
    const ticket = await ticketOf('first');
    expect(ticket).toMatchObject({ status: 'valid', owner: { phone: '+12025550101', mode: 'production' } });
    expect(ticket.ticketType.event).toMatchObject({ mode: 'production', timeZone: 'Europe/Berlin', partner: null });
    const permit = await app.context().em.findOneOrFail(Permit, { ticket });
    expect(permit).toMatchObject({ partner: null, issuedAt: null, revokedAt: null });
    expect(permit.tixPermitId).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
  });

  it('keeps what a row leaves out, and changes what it says', async () => {
    const { event, rows: before } = newEvent({ time_zone: 'Europe/Paris' });
    await apply(app, before);
    const times = { starts_at: '2030-06-01T18:00:00+02:00', ends_at: '2030-06-01T23:00:00Z' };
    const moved = eventRow(event, { name: 'Moved', ...times });
    expect(await outcomes(app, [moved])).toEqual(['updated']);
    const startsAt = new Date('2030-06-01T16:00:00Z');
    const stored = await app.context().em.findOneOrFail(Event, { reference: event });
    expect(stored).toMatchObject({ name: 'Moved', timeZone: 'Europe/Paris', startsAt });
    expect(await outcomes(app, [{ ...moved, venue: null }])).toEqual(['updated']);
  });

  it('applies the rows of one thing in their order within a batch', async () => {
    const { event, type, rows: before } = newEvent();
    const batch = [...before, ticketRow(event, type, 'twice'), ticketRow(event, type, 'twice', { status: 'void' })];
    const said = [...Array(3).fill('created'), 'updated', 'updated'];
    expect(await outcomes(app, [...batch, eventRow(event, { name: 'Last' })])).toEqual(said);
    expect(await ticketOf('twice')).toMatchObject({ status: 'void', ticketType: { event: { name: 'Last' } } });
    const permit = await app.context().em.findOneOrFail(Permit, { ticket: (await ticketOf('twice')).id });
    expect(permit.revokedAt).not.toBeNull();
  });
});

describe('one bad row leaves the others alone', () => {
  it('names the member that is wrong, and applies the rest', async () => {
    const { event, type, rows: before } = newEvent();
    const ticket = ticketRow(event, type, 'bad');
    const bad: [row: unknown, outcome: string][] = [
      [null, 'failed invalid_row'],
      [[], 'failed invalid_row'],
      ['text', 'failed invalid_row'],
      [{ kind: 'seat', reference: 'x' }, 'failed invalid_row kind'],
      [{ ...ticket, seat: 'A 1' }, 'failed invalid_row seat'],
      [{ ...ticket, reference: undefined }, 'failed invalid_row reference'],
      [{ ...ticket, reference: 'x'.repeat(201) }, 'failed invalid_row reference'],
      [{ ...ticket, reference: 'a\0b' }, 'failed invalid_row reference'],
      [{ ...ticket, reference: '\ud800' }, 'failed invalid_row reference'],
      [{ ...ticket, reference: ' x' }, 'failed invalid_row reference'],
      [{ ...ticket, reference: 7 }, 'failed invalid_row reference'],
      [{ ...ticket, holder_phone: '555 0101' }, 'failed invalid_row holder_phone'],
      [{ ...ticket, holder_phone: undefined }, 'failed invalid_row holder_phone'],
      [{ ...ticket, holder_fan_id: 'usr_01h455vb4pex5vsknk084sn02q' }, 'failed invalid_row holder_phone'],
      [{ ...ticket, holder_phone: undefined, holder_fan_id: 'fan' }, 'failed invalid_row holder_fan_id'],
      [{ ...ticket, status: 'lost' }, 'failed invalid_row status'],
      [{ ...ticket, purchased_at: 'yesterday' }, 'failed invalid_row purchased_at'],
      [{ ...ticket, purchased_at: '0000-01-01T00:00:00Z' }, 'failed invalid_row purchased_at'],
      [{ ...ticket, updated_at: '2999-01-01T00:00:00Z' }, 'failed invalid_row updated_at'],
      [eventRow('bad', { ends_at: '2030-05-01T18:00:00Z' }), 'failed invalid_row ends_at'],
      [eventRow('bad', { starts_at: '2030-05-01T18:00:00' }), 'failed invalid_row starts_at'],
      [eventRow('bad', { time_zone: 'Mars/Base' }), 'failed invalid_row time_zone'],
      [eventRow('bad', { name: '' }), 'failed invalid_row name'],
      [ticketRow('nowhere', type, 'bad'), 'failed unknown_event event'],
    ];
    const good = ticketRow(event, type, 'good');
    const results = await apply(app, [...before, ...bad.map(([row]) => row), good]);
    const told = results.map(({ outcome, reason, field }) => [outcome, reason, field].filter(Boolean).join(' '));
    expect(told).toEqual(['created', 'created', ...bad.map(([, outcome]) => outcome), 'created']);
    expect(results.map(({ index }) => index)).toEqual(results.map((_, index) => index));
    const failed = results.filter(({ outcome }) => outcome === 'failed');
    expect(failed.filter(({ message }) => !message?.endsWith('.'))).toEqual([]);
    expect(JSON.stringify(results)).not.toContain('0101');
    expect(await app.context().em.count(Ticket, { reference: 'bad' })).toBe(0);
  });

  it('fails only the row that the database itself refuses', async () => {
    const { event, type, rows: before } = newEvent();
    await apply(app, before);
    await app.runtime.pool.query(
      `alter table ticket add constraint refuses_one check (reference is distinct from 'refused')`,
    );
    try {
      const batch = ['kept-1', 'refused', 'kept-2'].map((reference) => ticketRow(event, type, reference));
      const results = await apply(app, batch);
      expect(results.map(({ index, outcome, reason }) => ({ index, outcome, reason }))).toEqual([
        { index: 0, outcome: 'created', reason: undefined },
        { index: 1, outcome: 'failed', reason: 'not_stored' },
        { index: 2, outcome: 'created', reason: undefined },
      ]);
    } finally {
      await app.runtime.pool.query('alter table ticket drop constraint refuses_one');
    }
  });

  it('refuses more than 1,000 rows, and a service without a production program', async () => {
    await expect(apply(app, Array(1_001).fill(eventRow('many')))).rejects.toMatchObject({ code: 'invalid_request' });
    const without = await startApp();
    try {
      await expect(apply(without, [])).rejects.toMatchObject({ code: 'cluster_missing' });
    } finally {
      await without.stop();
    }
  });
});

it('a holder may be named by an ID, which must be of production', async () => {
  const { event, type, rows: before } = newEvent();
  const production = await registerFan(app.context(), 'production', '+12025550113');
  const sandbox = await registerFan(app.context(), 'sandbox', '+12025550113');
  const byId = (reference: string, holder_fan_id: string) =>
    ticketRow(event, type, reference, { holder_phone: undefined, holder_fan_id });
  const said = [...Array(3).fill('created'), 'failed unknown_fan holder_fan_id'];
  expect(await outcomes(app, [...before, byId('id-1', production.id), byId('id-2', sandbox.id)])).toEqual(said);
  expect(await ticketOf('id-1')).toMatchObject({ owner: { id: production.id } });
  const byPhone = ticketRow(event, type, 'id-1', { holder_phone: '+12025550113' });
  expect(await outcomes(app, [byPhone])).toEqual(['unchanged']);
});

it('a batch of 1,000 rows takes a few statements', async () => {
  const { event, type, rows: before } = newEvent();
  const batch = Array.from({ length: 998 }, (_, index) =>
    ticketRow(event, type, `many-${index}`, { holder_phone: `+1202556${String(index).padStart(4, '0')}` }),
  );
  const { statements } = await countStatements(() => apply(app, [...before, ...batch]));
  expect(statements.length).toBeLessThan(20);
  const again = await countStatements(() => apply(app, [...before, ...batch]));
  expect(again.statements.length).toBeLessThan(12);
  expect(await app.context().em.count(TicketType, { event: { reference: event } })).toBe(1);
});

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** The most CPU time that passes between two turns of the event loop: unlike the clock, it leaves out what other processes take. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = cpuMs();
  const probe = setInterval(() => {
    const now = cpuMs();
    longest = Math.max(longest, now - before);
    before = now;
  }, 1);
  await work();
  clearInterval(probe);
  return longest;
}

it('1,000 rows of new holders are applied in turns of the event loop that no request notices', async () => {
  const { event, type, rows } = newEvent();
  await apply(app, rows);
  const tickets = (part: number) =>
    Array.from({ length: MOST_ROWS }, (_, index) =>
      ticketRow(event, type, `${part}-${index}`, { holder_phone: `+4930${part}${String(index).padStart(5, '0')}` }),
    );
  // the first time code is compiled
  for (const part of [1, 2]) await apply(app, tickets(part));
  const turns: number[] = [];
  for (const part of [3, 4, 5]) turns.push(await longestTurn(() => apply(app, tickets(part))));
  expect(Math.min(...turns)).toBeLessThan(30);
});

let owner: NumberOwner;
let phone: string;
beforeEach(() => {
  owner = { app, client, codeFor: readCodesFromLog(app) };
  phone = newPhone();
});

afterEach(() => app.resetClock());

/** A ticket of a new event in 2030, for the number; its row. */
async function imported(changes: object = {}) {
  const { event, type, rows } = newEvent();
  const ticket = ticketRow(event, type, `ticket of ${event}`, { holder_phone: phone, ...changes });
  expect(await outcomes(app, [...rows, ticket])).toEqual(['created', 'created', 'created']);
  return { event, type, ticket };
}

const stepOf = async (number = phone) => (await proveNumber(owner, number)).step;

/** The fan proved the number, and then left it alone until a code for it alone opens the account no more. */
async function longUnused(changes: object = {}) {
  const made = await imported(changes);
  expect(await stepOf()).toBe('consent');
  app.advance(366 * DAY);
  return made;
}

it('two years later opens the account by the code alone where its fan never signed in: nobody has used it', async () => {
  const { event } = await imported();
  app.advance(730 * DAY);
  expect(await ticketsSeen(app, await signInProduction(app, phone))).toEqual([`Event ${event}`]);
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
});

it('none is vouched for where a fan without a number is named by the ID', async () => {
  await imported();
  const { id, numberVouchedAt } = await fanOf(app, phone);
  const { em } = app.context();
  await em.nativeUpdate(Fan, { id }, { phone: null });
  app.advance(60 * DAY);
  await imported({ holder_phone: undefined, holder_fan_id: id });
  expect(await em.findOneOrFail(Fan, { id })).toMatchObject({ phone: null, numberVouchedAt });
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

describe('a holder who has never signed in', () => {
  it('sees the tickets at the first sign-in, with the wallet that was made by the import', async () => {
    const { event } = await imported();
    const wallets = () => app.context().em.count(Wallet, { fan: { phone } });
    expect(await wallets()).toBe(1);
    expect(await ticketsSeen(app, await signInProduction(app, phone))).toEqual([`Event ${event}`]);
    expect(await wallets()).toBe(1);
  });
});

describe('what the company changes shows with the next call', () => {
  it.each(['refunded', 'void', 'used'])(
    'a ticket that is %s is hidden, and comes back with status valid',
    async (status) => {
      const { event, ticket } = await imported();
      const tokens = await signInProduction(app, phone);
      expect(await outcomes(app, [{ ...ticket, status }])).toEqual(['updated']);
      expect(await ticketsSeen(app, tokens)).toEqual([]);
      expect(await outcomes(app, [ticket])).toEqual(['unchanged']);
      expect(await ticketsSeen(app, tokens)).toEqual([]);
      expect(await outcomes(app, [{ ...ticket, status: 'valid' }])).toEqual(['updated']);
      expect(await ticketsSeen(app, tokens)).toEqual([`Event ${event}`]);
    },
  );

  it('tickets of a cancelled event are hidden at once, also new ones, until it is reinstated', async () => {
    const { event, type } = await imported();
    const tokens = await signInProduction(app, phone);
    const another = ticketRow(event, type, `another of ${event}`, { holder_phone: phone });
    await apply(app, [eventRow(event, { status: 'cancelled' }), another]);
    expect(await ticketsSeen(app, tokens)).toEqual([]);
    await apply(app, [eventRow(event)]);
    expect(await ticketsSeen(app, tokens)).toEqual([]);
  });

  it('a ticket that is not issued yet goes to its new holder at once, and leaves the grant of the one before', async () => {
    const { event, type, ticket } = await imported();
    await apply(app, [ticketRow(event, type, 'kept', { holder_phone: phone })]);
    const ofFan = 'select t.id from ticket t join fan f on f.id = t.owner_id where f.phone = $1';
    const ids = await rows<{ id: string }>(app, ofFan, [phone]);
    const from = await signInProduction(app, phone);
    await app.runtime.pool.query(
      `update consent_grant set mode = 'selected', ticket_ids = $1 where fan_id = (select id from fan where phone = $2)`,
      [ids.map(({ id }) => id), phone],
    );
    expect(await ticketsSeen(app, from)).toHaveLength(2);
    const to = newPhone();
    expect(await outcomes(app, [{ ...ticket, holder_phone: to }])).toEqual(['updated']);
    expect(await ticketsSeen(app, from)).toHaveLength(1);
    expect(await ticketsSeen(app, await signInProduction(app, to))).toEqual([`Event ${event}`]);
    const narrowed = `select details->>'reason' as reason from audit_entry where action = 'grant.narrowed' and subject = $1`;
    expect(await rows(app, narrowed, [from.grant_id])).toEqual([{ reason: 'ticket_moved' }]);
    expect(await outcomes(app, [{ ...ticket, holder_phone: to }])).toEqual(['unchanged']);
  });
});
