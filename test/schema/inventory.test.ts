import { describe, expect, it } from 'vitest';
import { AuditEntry } from '../../src/entities/audit-entry.ts';
import { Event } from '../../src/entities/event.ts';
import { Ticket } from '../../src/entities/ticket.ts';
import type { SignedInStaff } from '../../src/partners/rights.ts';
import { PRODUCTION_PROGRAM_ID } from '../src/inventory/stage.ts';
import { askAs, newStaff } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

const app = await testApp({ env: { PRODUCTION_PROGRAM_ID } });
const admin = await newStaff(app, 'admin');
const run = (document: string, variables = {}, as = admin) => askAs(app, as, document, variables);
const ROWS = {
  upsertEvents: 'EventRowInput',
  upsertTicketTypes: 'TicketTypeRowInput',
  upsertTickets: 'TicketRowInput',
};
const upsert = (name: keyof typeof ROWS, rows: object[], reason?: string | null, as = admin) =>
  run(
    `mutation ($rows: [${ROWS[name]}!]!, $reason: String) { ${name}(rows: $rows, reason: $reason) { __typename ... on Refusal { code message }
      ... on InventoryRowsApplied { results { index kind reference outcome reason message field } proposal { id effects details } } } }`,
    { rows, reason },
    as,
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
await upsert('upsertEvents', [EVENT]);
const type = { reference: 'standing', event: 'summer-night', name: 'Standing' };
await upsert('upsertTicketTypes', [type]);
await upsert('upsertTickets', [TICKET]);
type Answer = Awaited<ReturnType<typeof upsert>>;
const EVENTS = `query ($search: String, $mode: Mode, $status: EventStatus) {
  events(search: $search, mode: $mode, status: $status) { nodes { id name reference status venue mode ticketTypes { reference } } } }`;

describe('batches of rows', () => {
  it('answer with how each row went, and name fields as GraphQL does', async () => {
    const { results } = await upsert('upsertTickets', [
      TICKET,
      { ...TICKET, reference: 'seat-2', purchasedAt: 'today' },
      { ...TICKET, reference: 'seat-3', ticketType: 'sitting' },
    ]);
    expect(results).toMatchObject([
      { outcome: 'UNCHANGED', reason: null, field: null },
      { outcome: 'FAILED', reason: 'invalid_row', field: 'purchasedAt' },
      { outcome: 'FAILED', reason: 'unknown_ticket_type', field: 'ticketType' },
    ]);
  });

  it('leave a venue that is left out, and remove it with null', async () => {
    const venue = async () => (await run(EVENTS, { search: 'summer-night' })).nodes[0].venue;
    const { venue: _, ...without } = EVENT;
    await upsert('upsertEvents', [without]);
    expect(await venue()).toBe('Arena');
    await upsert('upsertEvents', [{ ...EVENT, venue: null }]);
    expect(await venue()).toBeNull();
  });

  it('leave a label and an end of resale that are left out, and remove them with null', async () => {
    const stored = async () => {
      const { em } = app.context();
      const ticket = await em.findOneOrFail(Ticket, { reference: 'seat-1' }, { populate: ['ticketType.event'] });
      return [ticket.label, ticket.ticketType.event.resaleUntil?.toISOString()];
    };
    await upsert('upsertEvents', [{ ...EVENT, resaleUntil: '2031-06-01T12:00:00Z' }]);
    await upsert('upsertTickets', [{ ...TICKET, label: 'Row 1' }]);
    await upsert('upsertEvents', [EVENT]);
    await upsert('upsertTickets', [TICKET]);
    expect(await stored()).toEqual(['Row 1', '2031-06-01T12:00:00.000Z']);
    await upsert('upsertEvents', [{ ...EVENT, resaleUntil: null }]);
    await upsert('upsertTickets', [{ ...TICKET, label: null }]);
    expect(await stored()).toEqual([null, undefined]);
  });

  it('leave one audit entry each and one per change of a life, without a phone number', async () => {
    await upsert('upsertTickets', [{ ...TICKET, status: 'refunded' }], 'Paid back');
    await upsert('upsertTickets', [{ ...TICKET, status: 'valid' }]);
    const { em } = app.context();
    const by = { actor: `staff:${admin.id}` };
    expect(await em.find(AuditEntry, by, { orderBy: { id: 'desc' }, limit: 4 })).toMatchObject([
      { action: 'inventory.applied', details: { created: 0, updated: 1, unchanged: 0, stale: 0, failed: 0 } },
      { action: 'ticket.restored' },
      { action: 'inventory.applied' },
      { action: 'ticket.withdrawn', details: { status: 'refunded', reason: 'Paid back' } },
    ]);
    expect(JSON.stringify(await em.findAll(AuditEntry))).not.toContain('2025550171');
  });
});

describe('the console finds', () => {
  it('events by reference, name, mode and status', async () => {
    const found = async (variables: object): Promise<Record<string, unknown>[]> => (await run(EVENTS, variables)).nodes;
    const night = { reference: 'summer-night', ticketTypes: [{ reference: 'standing' }] };
    for (const search of ['summer-night', 'mer nig']) expect(await found({ search })).toMatchObject([night]);
    for (const event of await found({ mode: 'SANDBOX' }))
      expect(event).toMatchObject({ mode: 'SANDBOX', reference: null });
    expect(await found({ mode: 'PRODUCTION', status: 'SCHEDULED' })).toHaveLength(1);
    expect(await found({ status: 'CANCELLED' })).toEqual([]);
  });

  it('tickets by reference, event, holder, status and mode, with the state of their permit', async () => {
    type Found = { reference: string | null; owner: { id: string } }[];
    const found = async (args: string): Promise<Found> =>
      (await run(`{ tickets(${args}) { nodes { reference status owner { id } permit { state } } } }`)).nodes;
    const [ticket] = await found('search: "seat-1"');
    expect(ticket).toMatchObject({ reference: 'seat-1', status: 'VALID', permit: { state: 'WAITING' } });
    const [event] = (await run(EVENTS, { search: 'summer-night' })).nodes;
    for (const args of [`eventId: "${event.id}"`, `fanId: "${ticket?.owner.id}"`, 'status: VALID, mode: PRODUCTION']) {
      expect((await found(args)).map(({ reference }) => reference)).toEqual(['seat-1']);
    }
    expect((await found('mode: SANDBOX')).every(({ reference }) => reference === null)).toBe(true);
    expect(await found('search: "seat-\\u0000"')).toEqual([]);
  });

  it('permits of production by the reference of their ticket or event', async () => {
    const found = async (args: string) => (await run(`{ permits(${args}) { nodes { ticket { reference } } } }`)).nodes;
    for (const args of ['search: "seat-1"', 'search: "summer-night"', 'mode: PRODUCTION']) {
      expect(await found(args)).toEqual([{ ticket: { reference: 'seat-1' } }]);
    }
  });

  it('tickets and events by reference, ID and onchain address in the search of everything', async () => {
    const { em } = app.context();
    const ticket = await em.findOneOrFail(Ticket, { reference: 'seat-1' });
    const event = await em.findOneOrFail(Event, { reference: 'summer-night' });
    const hits = (text: string) => run('query ($text: String!) { search(text: $text) { id title } }', { text });
    for (const text of ['seat-1', ticket.id, ticket.tixTicketId])
      expect(await hits(text)).toEqual([{ id: ticket.id, title: 'Summer Night' }]);
    for (const text of ['summer-night', event.id, event.tixEventId])
      expect(await hits(text)).toEqual([{ id: event.id, title: 'Summer Night' }]);
  });

  it('what rows ask of the chain, with why it waits', async () => {
    await upsert('upsertTickets', [{ ...TICKET, holderPhone: '+12025550172' }], 'Given away');
    const found = (args: string) =>
      run(`{ custodyMoves(${args}) { nodes {
        kind state tries reason fromWallet fromFan { id } toFan { id } permit { ticket { reference } moves { id } } } } }`);
    const permit = { ticket: { reference: 'seat-1' }, moves: [{}] };
    const waits = { state: 'OPEN', tries: 0, reason: 'The permit is not issued yet.' };
    const move = { kind: 'TRANSFER', fromWallet: null, ...waits };
    expect(await found('state: OPEN, waiting: true')).toMatchObject({ nodes: [{ ...move, permit }] });
    expect(await found('waiting: false')).toEqual({ nodes: [] });
  });
});

/** D-341 */
describe('rows of a person that take tickets from fans', () => {
  const AFRESH = 'The buyer called, and named the order.';
  const FIRST = '+12025550181';
  const NEXT = '+12025550182';
  let made = 0;

  /** An event with tickets that FIRST holds. */
  async function eventWith(count: number) {
    made += 1;
    const event = { ...EVENT, reference: `taken-${made}`, name: `Taken ${made}` };
    const tickets = Array.from({ length: count }, (_, seat) => ({
      reference: `taken-${made}-${seat}`,
      event: event.reference,
      ticketType: 'standing',
      holderPhone: FIRST,
    }));
    await upsert('upsertEvents', [event]);
    await upsert('upsertTicketTypes', [{ reference: 'standing', event: event.reference, name: 'Standing' }]);
    await upsert('upsertTickets', tickets);
    return { event, tickets, given: tickets.map((ticket) => ({ ...ticket, holderPhone: NEXT })) };
  }
  const holders = async ({ event }: { event: { reference: string } }): Promise<string[]> => {
    const holding = await app.context().em.execute<{ phone: string }[]>(
      `select distinct f.phone from ticket t join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
       join fan f on f.id = t.owner_id where e.reference = ?`,
      [event.reference],
    );
    return holding.map(({ phone }) => phone);
  };
  const take = (rows: object[], as: SignedInStaff, reason: string | null = AFRESH) =>
    upsert('upsertTickets', rows, reason, as);
  const cancel = (event: object, as: SignedInStaff, reason: string | null = AFRESH) =>
    upsert('upsertEvents', [{ ...event, status: 'cancelled' }], reason, as);
  const decide = (name: 'approve' | 'decline', { id }: { id: string }, as: SignedInStaff) =>
    run(
      `mutation { ${name}Proposal(proposalId: "${id}", reason: "Checked") { ... on Proposal { state outcome } ... on Refusal { code } } }`,
      {},
      as,
    );

  type Stage = Awaited<ReturnType<typeof eventWith>>;
  type Taking = (stage: Stage, as: SignedInStaff, reason?: string | null) => Promise<unknown>;
  const past = { startsAt: '2020-06-01T18:00:00Z', endsAt: '2020-06-01T23:00:00Z' };

  it.each<[string, Taking]>([
    ['a holder', ({ given }, as, reason) => take(given, as, reason)],
    ['a withdrawal', ({ tickets }, as, reason) => take([{ ...tickets[0], status: 'void' }], as, reason)],
    ['a cancelled event', ({ event }, as, reason) => cancel(event, as, reason)],
    [
      'an event that is moved to the past',
      ({ event }, as, reason = AFRESH) => upsert('upsertEvents', [{ ...event, ...past }], reason, as),
    ],
  ])('need a fresh sign-in, no token, and a reason: %s', async (_, act) => {
    const stage = await eventWith(1);
    const person = await newStaff(app, 'admin');
    const longAgo = { ...person, authenticatedAt: new Date(app.runtime.now().getTime() - 3_600_000) };
    expect(await act(stage, longAgo)).toMatchObject({ code: 'fresh_sign_in_required' });
    const token = { ...person, authenticatedAt: null, scopes: ['inventory:write'] };
    expect(await act(stage, token)).toMatchObject({ code: 'forbidden' });
    expect(await act(stage, person, null)).toMatchObject({ code: 'invalid_request' });
    expect(await act(stage, person)).toMatchObject({ results: [{ outcome: 'UPDATED' }] });
  });

  it('other rows need neither: new tickets, names, the same holder', async () => {
    const { event, tickets } = await eventWith(2);
    const person = { ...(await newStaff(app, 'admin')), authenticatedAt: new Date(0) };
    expect(await take([...tickets, { ...tickets[0], reference: `${event.reference}-new` }], person)).toMatchObject({
      results: [{ outcome: 'UNCHANGED' }, { outcome: 'UNCHANGED' }, { outcome: 'CREATED' }],
    });
    expect(await upsert('upsertEvents', [{ ...event, name: 'Renamed' }], undefined, person)).toMatchObject({
      results: [{ outcome: 'UPDATED' }],
    });
  });

  it('above 20 tickets become a proposal, without a phone number; they are applied when a second person approves', async () => {
    const stage = await eventWith(21);
    const [person, second] = [await newStaff(app, 'admin'), await newStaff(app, 'reviewer')];
    const { results, proposal } = await take(stage.given, person);
    expect(results).toEqual([]);
    expect(proposal.effects[0]).toContain('(21)');
    expect(JSON.stringify(proposal)).not.toContain('2025550182');
    expect(await holders(stage)).toEqual([FIRST]);
    expect(await decide('approve', proposal, person)).toMatchObject({ code: 'forbidden' });
    expect(await decide('approve', proposal, second)).toEqual({ state: 'DONE', outcome: null });
    expect(await holders(stage)).toEqual([NEXT]);
    // what a second person approved counts for neither
    expect(await take((await eventWith(1)).given, person)).toMatchObject({ proposal: null });
  });

  it('are counted over a day, in whatever pieces they come, also at once', async () => {
    const stages = await Promise.all([eventWith(15), eventWith(15)]);
    const person = await newStaff(app, 'admin');
    const answers = await Promise.all(stages.map(({ given }) => take(given, person)));
    expect(answers.map(({ proposal }) => proposal === null).sort()).toEqual([false, true]);
    const one = (await eventWith(6)).given;
    expect(await take(one, person)).toMatchObject({ proposal: { id: expect.any(String) } });
    expect(await take(one.slice(0, 5), await newStaff(app, 'admin'))).toMatchObject({ proposal: null });
  });

  it('of an event with more than 20 tickets that is cancelled too; declined, it takes place', async () => {
    const { event } = await eventWith(21);
    const person = await newStaff(app, 'admin');
    const { proposal } = await cancel(event, person);
    expect(proposal.effects[0]).toMatch(/^Taken \d+ .*\(21\)/);
    const status = async () => (await run(EVENTS, { search: event.reference })).nodes[0]?.status;
    expect(await decide('decline', proposal, await newStaff(app, 'reviewer'))).toMatchObject({ state: 'DECLINED' });
    expect(await status()).toBe('SCHEDULED');
    const again = (await cancel(event, person)).proposal;
    expect(await decide('approve', again, await newStaff(app, 'reviewer'))).toMatchObject({ state: 'DONE' });
    expect(await status()).toBe('CANCELLED');
  });

  it('that no longer fit when they are approved change nothing, and the proposal says why', async () => {
    const stage = await eventWith(21);
    const { proposal } = await take(stage.given, await newStaff(app, 'admin'));
    const { em } = app.context();
    await em.execute('update ticket set owner_id = null where reference = ?', [stage.given[0]?.reference]);
    const ended = await decide('approve', proposal, await newStaff(app, 'reviewer'));
    expect(ended).toMatchObject({ state: 'FAILED', outcome: expect.stringMatching(/^1 of 21 rows .*wallet outside/) });
    expect(await holders(stage)).toEqual([NEXT]);
  });

  /** Puts tickets on sale in the database alone: nothing here reads the chain. */
  const listed = (tickets: readonly { reference: string }[]) =>
    app.context().em.execute(
      `insert into listing (id, permit_id, marketplace, price, opened_at)
       select gen_random_uuid(), p.id, 'market', 1, now() from permit p join ticket t on t.id = p.ticket_id
       where t.reference = any(string_to_array(?, ' '))`,
      [tickets.map(({ reference }) => reference).join(' ')],
    );
  const EXCLUDES: [string, (stage: Stage, as: SignedInStaff, reason?: string | null) => Promise<Answer>][] = [
    [
      'a type that is no longer for resale',
      ({ event }, as, reason = AFRESH) =>
        upsert(
          'upsertTicketTypes',
          [{ reference: 'standing', event: event.reference, name: 'Standing', resale: 'no' }],
          reason,
          as,
        ),
    ],
    [
      'an earlier end of resale',
      ({ event }, as, reason = AFRESH) =>
        upsert('upsertEvents', [{ ...event, resaleUntil: '2031-05-01T00:00:00Z' }], reason, as),
    ],
  ];

  it.each(EXCLUDES)(
    'and take what is on sale off it, likewise; where nothing is, they need none of it: %s',
    async (_, exclude) => {
      const [stage, idle] = [await eventWith(1), await eventWith(1)];
      await listed(stage.tickets);
      const person = await newStaff(app, 'admin');
      const longAgo = { ...person, authenticatedAt: new Date(app.runtime.now().getTime() - 3_600_000) };
      expect(await exclude(idle, longAgo, null)).toMatchObject({ results: [{ outcome: 'UPDATED' }] });
      expect(await exclude(stage, longAgo)).toMatchObject({ code: 'fresh_sign_in_required' });
      expect(await exclude(stage, person, null)).toMatchObject({ code: 'invalid_request' });
      expect(await exclude(stage, person)).toMatchObject({ results: [{ outcome: 'UPDATED' }] });
    },
  );

  it.each(EXCLUDES)('off sale from more than 20 become a proposal, in whatever pieces: %s', async (_, exclude) => {
    const [many, first, second] = [await eventWith(21), await eventWith(15), await eventWith(15)];
    for (const { tickets } of [many, first, second]) await listed(tickets);
    const person = await newStaff(app, 'admin');
    const { proposal } = await exclude(many, person);
    expect(proposal.effects[0]).toBe('Tickets that are on sale are taken off sale (21): they may no longer be resold.');
    expect(await exclude(first, person)).toMatchObject({ proposal: null });
    expect((await exclude(second, person)).proposal).not.toBeNull();
    expect(await decide('approve', proposal, await newStaff(app, 'reviewer'))).toMatchObject({ state: 'DONE' });
  });
});
