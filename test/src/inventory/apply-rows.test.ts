import { describe, expect, it } from 'vitest';
import { Event } from '../../../src/entities/event.ts';
import { Fan } from '../../../src/entities/fan.ts';
import { Permit } from '../../../src/entities/permit.ts';
import { Ticket, TicketType } from '../../../src/entities/ticket.ts';
import { Wallet } from '../../../src/entities/wallet.ts';
import { registerFan } from '../../../src/fan/register-fan.ts';
import { rows } from '../../support/chain-app.ts';
import { countStatements } from '../../support/count-statements.ts';
import { startApp } from '../../support/start-app.ts';
import { testApp } from '../../support/test-app.ts';
import { apply, eventRow, newEvent, outcomes, PRODUCTION_PROGRAM_ID, ticketRow, typeRow } from './stage.ts';

const app = await testApp({ env: { PRODUCTION_PROGRAM_ID } });

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

  it('changes nothing when the same rows come again, whatever their order', async () => {
    const { event, type, rows: before } = newEvent();
    const all = [ticketRow(event, type, 'again-1'), ticketRow(event, type, 'again-2'), ...before].reverse();
    expect(await outcomes(app, all.reverse())).toEqual(Array(4).fill('created'));
    const stored = await rows(app, 'select xmin, * from ticket order by id');
    expect(await outcomes(app, all)).toEqual(Array(4).fill('unchanged'));
    expect(await rows(app, 'select xmin, * from ticket order by id')).toEqual(stored);
  });

  it('keeps what a row leaves out, and changes what it says', async () => {
    const { event, rows: before } = newEvent({ time_zone: 'Europe/Paris' });
    await apply(app, before);
    const moved = eventRow(event, {
      name: 'Moved',
      starts_at: '2030-06-01T18:00:00+02:00',
      ends_at: '2030-06-01T23:00:00Z',
    });
    expect(await outcomes(app, [moved])).toEqual(['updated']);
    const stored = await app.context().em.findOneOrFail(Event, { reference: event });
    expect(stored).toMatchObject({
      name: 'Moved',
      timeZone: 'Europe/Paris',
      startsAt: new Date('2030-06-01T16:00:00Z'),
    });
    expect(await outcomes(app, [{ ...moved, venue: null }])).toEqual(['updated']);
  });

  it('applies the rows of one thing in their order within a batch', async () => {
    const { event, type, rows: before } = newEvent();
    const batch = [...before, ticketRow(event, type, 'twice'), ticketRow(event, type, 'twice', { status: 'void' })];
    expect(await outcomes(app, [...batch, eventRow(event, { name: 'Last' })])).toEqual([
      'created',
      'created',
      'created',
      'updated',
      'updated',
    ]);
    expect(await ticketOf('twice')).toMatchObject({ status: 'void', ticketType: { event: { name: 'Last' } } });
    const permit = await app.context().em.findOneOrFail(Permit, { ticket: (await ticketOf('twice')).id });
    expect(permit.revokedAt).not.toBeNull();
  });

  it('ignores a row that is older than what is stored', async () => {
    const { event, type, rows: before } = newEvent({ updated_at: '2026-03-02T00:00:00Z' });
    const ticket = ticketRow(event, type, 'versions', { updated_at: '2026-03-02T00:00:00Z' });
    await apply(app, [...before, ticket]);
    const older = { updated_at: '2026-03-01T23:59:59Z' };
    const stale = [eventRow(event, { ...older, name: 'Old' }), { ...ticket, ...older, status: 'void' }];
    expect(await outcomes(app, stale)).toEqual(['stale', 'stale']);
    expect(await ticketOf('versions')).toMatchObject({
      status: 'valid',
      ticketType: { event: { name: `Event ${event}` } },
    });
    expect(await outcomes(app, [{ ...ticket, updated_at: '2026-03-03T00:00:00Z' }])).toEqual(['unchanged']);
    expect(await outcomes(app, [{ ...ticket, status: 'void' }])).toEqual(['stale']);
    const type2 = typeRow(event, type, { updated_at: '2026-03-03T00:00:00Z', name: 'New' });
    expect(await outcomes(app, [type2, { ...type2, ...older, name: 'Old' }])).toEqual(['updated', 'stale']);
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
      [ticketRow(event, 'nothing', 'bad'), 'failed unknown_ticket_type ticket_type'],
      [typeRow('nowhere', 'bad'), 'failed unknown_event event'],
      [typeRow(event, 'other', { name: `Type ${type}` }), 'failed name_taken name'],
      [
        { ...ticket, holder_phone: undefined, holder_fan_id: 'usr_01h455vb4pex5vsknk084sn02q' },
        'failed unknown_fan holder_fan_id',
      ],
    ];
    const good = ticketRow(event, type, 'good');
    const results = await apply(app, [...before, ...bad.map(([row]) => row), good]);
    const told = results.map(({ outcome, reason, field }) => [outcome, reason, field].filter(Boolean).join(' '));
    expect(told).toEqual(['created', 'created', ...bad.map(([, outcome]) => outcome), 'created']);
    expect(results.map(({ index }) => index)).toEqual(results.map((_, index) => index));
    expect(results.filter(({ outcome }) => outcome === 'failed').every(({ message }) => message?.endsWith('.'))).toBe(
      true,
    );
    expect(JSON.stringify(results)).not.toContain('0101');
    expect(await app.context().em.count(Ticket, { reference: 'bad' })).toBe(0);
  });

  it('makes no fan for a row that fails', async () => {
    const { event, type, rows: before } = newEvent();
    const phone = '+12025550111';
    await apply(app, [...before, ticketRow(event, 'nothing', 'orphan', { holder_phone: phone })]);
    expect(await app.context().em.count(Fan, { phone })).toBe(0);
    expect(await outcomes(app, [ticketRow(event, type, 'orphan', { holder_phone: phone })])).toEqual(['created']);
    expect(await app.context().em.count(Fan, { phone })).toBe(1);
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

describe('holders', () => {
  it('are one fan with one wallet per number, however many rows name it', async () => {
    const { event, type, rows: before } = newEvent();
    const holder_phone = '+12025550112';
    const tickets = ['h-1', 'h-2', 'h-3'].map((reference) => ticketRow(event, type, reference, { holder_phone }));
    await apply(app, [...before, ...tickets]);
    const fan = await app.context().em.findOneOrFail(Fan, { phone: holder_phone });
    expect(await app.context().em.count(Wallet, { fan })).toBe(1);
    expect(await app.context().em.count(Ticket, { owner: fan })).toBe(3);
  });

  it('may be named by their ID, which must be of production', async () => {
    const { event, type, rows: before } = newEvent();
    const production = await registerFan(app.context(), 'production', '+12025550113');
    const sandbox = await registerFan(app.context(), 'sandbox', '+12025550113');
    const byId = (reference: string, holder_fan_id: string) =>
      ticketRow(event, type, reference, { holder_phone: undefined, holder_fan_id });
    expect(await outcomes(app, [...before, byId('id-1', production.id), byId('id-2', sandbox.id)])).toEqual([
      'created',
      'created',
      'created',
      'failed unknown_fan holder_fan_id',
    ]);
    expect(await ticketOf('id-1')).toMatchObject({ owner: { id: production.id } });
    const byPhone = ticketRow(event, type, 'id-1', { holder_phone: '+12025550113' });
    expect(await outcomes(app, [byPhone])).toEqual(['unchanged']);
  });

  it('stay who they are when their number has another fan by now', async () => {
    const { event, type, rows: before } = newEvent();
    const ticket = ticketRow(event, type, 'recycled', { holder_phone: '+12025550114' });
    await apply(app, [...before, ticket]);
    const { owner } = await ticketOf('recycled');
    await app.runtime.pool.query(`update fan set phone = '+12025550115' where phone = '+12025550114'`);
    expect(await outcomes(app, [ticket])).toEqual(['unchanged']);
    expect(await ticketOf('recycled')).toMatchObject({ owner: { id: owner?.id } });
    expect(await app.context().em.count(Fan, { phone: '+12025550114' })).toBe(0);
  });
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
