import { beforeAll, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../src/entities/audit-entry.ts';
import type { SignedInStaff } from '../../src/staff/rights.ts';
import { PRODUCTION_PROGRAM_ID } from '../src/inventory/stage.ts';
import { newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

/** The inventory through GraphQL. */
let admin: SignedInStaff;
const app = await testApp({ env: { PRODUCTION_PROGRAM_ID } });
beforeAll(async () => {
  admin = await newStaff(app, 'admin');
});

async function run<Data>(document: string, variables: Record<string, unknown> = {}): Promise<Data> {
  return Object.values(await runAs<Record<string, Data>>(app, admin, document, variables))[0] as Data;
}

interface Applied {
  results: { index: number; outcome: string; reason: string | null; field: string | null }[];
}
const upsert = (name: string, type: string, rows: object[]) =>
  run<Applied>(
    `mutation ($rows: [${type}!]!) { ${name}(rows: $rows) { __typename ... on Refusal { code message }
      ... on InventoryRowsApplied { results { index kind reference outcome reason message field } } } }`,
    { rows },
  );

const EVENT = {
  reference: 'summer-night',
  name: 'Summer Night',
  venue: 'Arena',
  startsAt: '2031-06-01T18:00:00Z',
  endsAt: '2031-06-01T23:00:00Z',
  timeZone: 'Europe/Berlin',
};
const TICKET = { reference: 'seat-1', event: 'summer-night', ticketType: 'standing', holderPhone: '+12025550171' };

beforeAll(async () => {
  await upsert('upsertEvents', 'EventRowInput', [EVENT]);
  const type = { reference: 'standing', event: 'summer-night', name: 'Standing' };
  await upsert('upsertTicketTypes', 'TicketTypeRowInput', [type]);
  await upsert('upsertTickets', 'TicketRowInput', [TICKET]);
});

describe('batches of rows', () => {
  it('answer with how each row went, and name fields as GraphQL does', async () => {
    const { results } = await upsert('upsertTickets', 'TicketRowInput', [
      TICKET,
      { ...TICKET, reference: 'seat-2', purchasedAt: 'today' },
      { ...TICKET, reference: 'seat-3', ticketType: 'sitting' },
    ]);
    expect(results.map(({ outcome, reason, field }) => ({ outcome, reason, field }))).toEqual([
      { outcome: 'UNCHANGED', reason: null, field: null },
      { outcome: 'FAILED', reason: 'invalid_row', field: 'purchasedAt' },
      { outcome: 'FAILED', reason: 'unknown_ticket_type', field: 'ticketType' },
    ]);
  });

  it('leave a venue that is left out, and remove it with null', async () => {
    const venue = async () =>
      (await run<{ nodes: { venue: string | null }[] }>(EVENTS, { search: 'summer-night' })).nodes[0]?.venue;
    const { venue: _, ...without } = EVENT;
    await upsert('upsertEvents', 'EventRowInput', [without]);
    expect(await venue()).toBe('Arena');
    await upsert('upsertEvents', 'EventRowInput', [{ ...EVENT, venue: null }]);
    expect(await venue()).toBeNull();
  });

  it('leave one audit entry each and one per change of a life, without a phone number', async () => {
    await upsert('upsertTickets', 'TicketRowInput', [{ ...TICKET, status: 'refunded' }]);
    await upsert('upsertTickets', 'TicketRowInput', [{ ...TICKET, status: 'valid' }]);
    const entries = await app
      .context()
      .em.find(AuditEntry, { actor: `staff:${admin.id}` }, { orderBy: { id: 'desc' }, limit: 4 });
    expect(entries.map(({ action }) => action)).toEqual([
      'inventory.applied',
      'ticket.restored',
      'inventory.applied',
      'ticket.withdrawn',
    ]);
    expect(entries[0]?.details).toEqual({ created: 0, updated: 1, unchanged: 0, stale: 0, failed: 0 });
    expect(entries[3]?.details).toEqual({ status: 'refunded' });
    expect(JSON.stringify(await app.context().em.findAll(AuditEntry))).not.toContain('2025550171');
  });
});

const EVENTS = `query ($search: String, $mode: Mode, $status: EventStatus) {
  events(search: $search, mode: $mode, status: $status) { nodes { id name reference status venue mode ticketTypes { reference } } } }`;

describe('the console finds', () => {
  it('events by reference, name, mode and status', async () => {
    type Events = { nodes: { reference: string | null; mode: string; status: string }[] };
    const found = async (variables: object) => (await run<Events>(EVENTS, { ...variables })).nodes;
    for (const search of ['summer-night', 'mer nig']) {
      expect(await found({ search })).toMatchObject([
        { reference: 'summer-night', ticketTypes: [{ reference: 'standing' }] },
      ]);
    }
    expect(
      (await found({ mode: 'SANDBOX' })).every(({ mode, reference }) => mode === 'SANDBOX' && reference === null),
    ).toBe(true);
    expect(await found({ mode: 'PRODUCTION', status: 'SCHEDULED' })).toHaveLength(1);
    expect(await found({ status: 'CANCELLED' })).toEqual([]);
  });

  it('tickets by reference, event, holder, status and mode, with the state of their permit', async () => {
    type Tickets = { nodes: { reference: string; permit: { state: string }; owner: { id: string } }[] };
    const found = async (args: string) =>
      (await run<Tickets>(`{ tickets(${args}) { nodes { id reference status owner { id } permit { state } } } }`))
        .nodes;
    const [ticket] = await found('search: "seat-1"');
    expect(ticket).toMatchObject({ reference: 'seat-1', status: 'VALID', permit: { state: 'WAITING' } });
    const [event] = (await run<{ nodes: { id: string }[] }>(EVENTS, { search: 'summer-night' })).nodes;
    for (const args of [`eventId: "${event?.id}"`, `fanId: "${ticket?.owner.id}"`, 'status: VALID, mode: PRODUCTION']) {
      expect((await found(args)).map(({ reference }) => reference)).toEqual(['seat-1']);
    }
    expect((await found('mode: SANDBOX')).every(({ reference }) => reference === null)).toBe(true);
    expect(await found('search: "seat-\\u0000"')).toEqual([]);
  });

  it('permits of production by the reference of their ticket or event', async () => {
    type Permits = { nodes: { ticket: { reference: string } }[] };
    const found = async (args: string) =>
      (await run<Permits>(`{ permits(${args}) { nodes { ticket { reference } } } }`)).nodes;
    for (const args of ['search: "seat-1"', 'search: "summer-night"', 'mode: PRODUCTION']) {
      expect(await found(args)).toEqual([{ ticket: { reference: 'seat-1' } }]);
    }
  });

  it('tickets and events by reference in the search of everything', async () => {
    type Hits = { kind: string; title: string }[];
    const hits = (text: string) => run<Hits>('query ($text: String!) { search(text: $text) { kind title } }', { text });
    expect(await hits('seat-1')).toMatchObject([{ title: 'Summer Night' }]);
    expect(await hits('summer-night')).toMatchObject([{ title: 'Summer Night' }]);
  });

  it('what rows ask of the chain, with why it waits', async () => {
    await upsert('upsertTickets', 'TicketRowInput', [{ ...TICKET, holderPhone: '+12025550172' }]);
    type Moves = { nodes: { permit: { ticket: { reference: string } } }[] };
    const found = async (args: string) =>
      (
        await run<Moves>(`{ custodyMoves(${args}) { nodes {
          id kind state tries reason fromWallet fromFan { id } toFan { id } permit { id ticket { reference } moves { id } } } } }`)
      ).nodes;
    const [move, ...others] = await found('state: OPEN, waiting: true');
    expect(others).toEqual([]);
    expect(move).toMatchObject({
      kind: 'TRANSFER',
      state: 'OPEN',
      tries: 0,
      reason: 'The permit is not issued yet.',
      fromWallet: null,
      permit: { ticket: { reference: 'seat-1' }, moves: [{}] },
    });
    expect(await found('waiting: false')).toEqual([]);
  });
});
