import { expect, it } from 'vitest';
import type { RowResult } from '../../src/inventory/row-result.ts';
import { settleEvents } from '../../src/inventory/settle-events.ts';
import { registerFan } from '../../src/sign-in/fan/register-fan.ts';
import { apply, eventRow, newEvent, PRODUCTION_PROGRAM_ID, ticketRow, typeRow } from '../src/inventory/stage.ts';
import { rows } from '../support/chain-app.ts';
import { waitingForALock } from '../support/waiting-for-a-lock.ts';
import { atOnce, testTwoProcesses } from './two-processes.ts';

const processes = await testTwoProcesses({ env: { PRODUCTION_PROGRAM_ID } });

const shuffled = <Row>(of: readonly Row[]): Row[] =>
  of
    .map((row) => ({ row, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ row }) => row);

function counts(results: readonly RowResult[]): Record<string, number> {
  const groups = [...Map.groupBy(results, ({ outcome }) => outcome)];
  return Object.fromEntries(groups.map(([outcome, all]) => [outcome, all.length]));
}

it('the same rows in two processes at once, in any order, make one of each', async () => {
  const events = Array.from({ length: 10 }, (_, index) => eventRow(`race-${index}`));
  const types = events.map(({ reference }) => typeRow(reference, 'standing'));
  const tickets = Array.from({ length: 200 }, (_, index) =>
    ticketRow(`race-${index % 10}`, 'standing', `race-ticket-${index}`, {
      holder_phone: `+1202557${String(index % 80).padStart(4, '0')}`,
    }),
  );
  const all = [...events, ...types, ...tickets];
  const batches = await atOnce(processes, 6, (app) => apply(app, shuffled(all)));
  expect(counts(batches.flat())).toEqual({ created: all.length, unchanged: 5 * all.length });
  const [stored] = await rows(
    processes.one,
    `select (select count(*)::int from ticket where reference like 'race-%') as tickets,
      (select count(*)::int from permit p join ticket t on t.id = p.ticket_id where t.reference like 'race-%') as permits,
      (select count(*)::int from fan where phone like '+1202557%') as fans,
      (select count(*)::int from wallet w join fan f on f.id = w.fan_id where f.phone like '+1202557%') as wallets`,
  );
  expect(stored).toEqual({ tickets: 200, permits: 200, fans: 80, wallets: 80 });
});

it.each([
  ['events', (event: string) => [eventRow(`${event}-new`)]],
  ['ticket types', (event: string) => [typeRow(event, 'new')]],
  ['tickets', (event: string, type: string) => [ticketRow(event, type, `${event}-new`)]],
])('new %s of which all else is known are created once, whoever is first', async (_, newRows) => {
  const { event, type, rows: before } = newEvent();
  await apply(processes.one, [...before, ticketRow(event, type, `${event}-known`)]);
  const batches = await atOnce(processes, 8, (app) => apply(app, newRows(event, type)));
  expect(counts(batches.flat())).toEqual({ created: 1, unchanged: 7 });
});

it('changes of the same rows in two processes at once each count once, and none is lost', async () => {
  const { event, type, rows: before } = newEvent();
  const tickets = Array.from({ length: 50 }, (_, index) => ticketRow(event, type, `change-${event}-${index}`));
  await apply(processes.one, [...before, ...tickets]);
  const changed = tickets.map((ticket) => ({ ...ticket, status: 'void' }));
  const renamed = eventRow(event, { name: 'Renamed' });
  const batches = await atOnce(processes, 6, (app) => apply(app, shuffled([...changed, renamed])));
  expect(counts(batches.flat())).toEqual({ updated: 51, unchanged: 5 * 51 });
  const entries = await rows(
    processes.one,
    `select count(*)::int as count from audit_entry where action = 'ticket.withdrawn'`,
  );
  expect(entries).toEqual([{ count: 50 }]);
});

it('a fan who signs in for the first time while tickets come in is one fan', async () => {
  const { event, type, rows: before } = newEvent();
  await apply(processes.one, before);
  const phones = Array.from({ length: 20 }, (_, index) => `+1202558${String(index).padStart(4, '0')}`);
  const tickets = phones.map((holder_phone) => ticketRow(event, type, `sign-in-${holder_phone}`, { holder_phone }));
  const [results, fans] = await Promise.all([
    apply(processes.one, tickets),
    Promise.all(phones.map((phone) => registerFan(processes.two.context(), 'production', phone))),
  ]);
  expect(counts(results)).toEqual({ created: 20 });
  const owners = await rows<{ phone: string }>(
    processes.one,
    `select distinct f.phone from ticket t join fan f on f.id = t.owner_id where t.reference like 'sign-in-%'`,
  );
  expect(owners).toHaveLength(20);
  expect(fans.map(({ phone }) => phone).sort()).toEqual(phones);
  const [stored] = await rows(processes.one, `select count(*)::int as count from fan where phone like '+1202558%'`);
  expect(stored).toEqual({ count: 20 });
});

it('an event that is cancelled while tickets come in leaves none of them with a permit', async () => {
  const { event, type, rows: before } = newEvent();
  await apply(processes.one, before);
  const tickets = (part: number) =>
    Array.from({ length: 30 }, (_, index) => ticketRow(event, type, `cancel-${event}-${part}-${index}`));
  await Promise.all([
    ...[0, 1, 2, 3].map((part) => apply(part % 2 ? processes.one : processes.two, tickets(part))),
    apply(processes.two, [eventRow(event, { status: 'cancelled' })]),
  ]);
  await Promise.all([settleEvents(processes.one.context()), settleEvents(processes.two.context())]);
  const counted = await rows(
    processes.one,
    `select count(*)::int as tickets, count(*) filter (where p.revoked_at is null)::int as valid, e.permits_due_at as due
     from event e join ticket_type tt on tt.event_id = e.id join ticket t on t.ticket_type_id = tt.id
       join permit p on p.ticket_id = t.id where e.reference = $1 group by e.id`,
    [event],
  );
  expect(counted).toEqual([{ tickets: 120, valid: 0, due: null }]);
});

it('an event is not cancelled between the plan of its ticket and the ticket', async () => {
  const { event, type, rows: before } = newEvent();
  await apply(processes.one, [...before, ticketRow(event, type, `${event}-known`)]);
  const waiting = () => waitingForALock(processes.one);
  const writer = await processes.one.runtime.pool.connect();
  try {
    await writer.query('begin');
    // a batch with this ticket waits here, with its plan made
    await writer.query(
      `insert into ticket select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'reference', $1::text,
         'tix_ticket_id', $1::text))).* from ticket t where reference = $2`,
      [`${event}-held`, `${event}-known`],
    );
    const made = apply(processes.one, [ticketRow(event, type, `${event}-held`)]);
    await expect.poll(waiting).toBe(1);
    const cancelled = apply(processes.two, [eventRow(event, { status: 'cancelled' })]);
    await expect.poll(waiting).toBe(2);
    await writer.query('rollback');
    expect(counts([...(await made), ...(await cancelled)])).toEqual({ created: 1, updated: 1 });
  } finally {
    await writer.query('rollback');
    writer.release();
  }
  await settleEvents(processes.two.context());
  const valid = await rows(
    processes.one,
    `select 1 from permit p join ticket t on t.id = p.ticket_id where t.reference like $1 and p.revoked_at is null`,
    [`${event}-%`],
  );
  expect(valid).toEqual([]);
});
