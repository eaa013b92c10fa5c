import { describe, expect, test } from 'vitest';
import { ConsentGrant } from '../../src/entities/consent-grant.ts';
import { Permit } from '../../src/entities/permit.ts';
import { Ticket } from '../../src/entities/ticket.ts';
import { uuidOf } from '../../src/platform/identifier/type-id.ts';
import { apply, eventRow, PRODUCTION_PROGRAM_ID, ticketRow, typeRow } from '../src/inventory/stage.ts';
import { enableProductionClient } from '../support/production.ts';
import { askAs, newStaff } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

const app = await testApp({ env: { PRODUCTION_PROGRAM_ID } });
const admin = await newStaff(app, 'admin');
await apply(app, [
  eventRow('main'),
  typeRow('main', 'a'),
  typeRow('main', 'b'),
  ticketRow('main', 'a', 'one'),
  ticketRow('main', 'a', 'two'),
  ticketRow('main', 'b', 'three', { status: 'refunded' }),
]);
const ticket = (reference: string) => app.context().em.findOneOrFail(Ticket, { reference });
const ask = (document: string) => askAs(app, admin, document);
/** References of the tickets that arguments leave. */
async function listed(args: string): Promise<string[]> {
  const { nodes } = await ask(`{ tickets(mode: PRODUCTION, ${args}) { nodes { reference } } }`);
  return nodes.map(({ reference }: { reference: string }) => reference).toSorted();
}

describe('tickets', () => {
  test('are filtered by the state of their permit, also by those that the cluster refused', async () => {
    expect(await listed('permitState: WAITING')).toEqual(['one', 'two']);
    expect(await listed('permitState: REVOKED')).toEqual(['three']);
    expect(await listed('permitState: ISSUED')).toEqual([]);
    await app.context().em.execute(`update waiting_permit set tries = 1, reason = 'no'
      where permit_id = (select p.id from permit p join ticket t on t.id = p.ticket_id where t.reference = 'one')`);
    expect(await listed('setAside: true')).toEqual(['one']);
    expect(await listed('setAside: false')).toEqual(['three', 'two']);
  });

  test('are found by reference, and by the ID or address of themselves, their permit and their holder', async () => {
    const { id, tixTicketId, owner } = await ticket('two');
    const permit = await app.context().em.findOneOrFail(Permit, { ticket: id });
    for (const text of ['two', id, tixTicketId, permit.id, permit.tixPermitId]) {
      expect(await listed(`search: "${text}"`)).toEqual(['two']);
    }
    expect(await listed(`search: "${owner?.id}"`)).toEqual(['one', 'three', 'two']);
    expect(await listed('search: "nothing\\u0000"')).toEqual([]);
  });

  test('name the grants that show them: of all tickets and of chosen ones, unless they ended or the ticket is withdrawn', async () => {
    const { clientId } = await enableProductionClient(app);
    const [one, two] = [await ticket('one'), await ticket('two')];
    const { em, now } = app.context();
    const common = { fan: one.owner?.id as never, client: clientId, scope: '', actions: [], consentedActions: [] };
    const at = { createdAt: now(), endsAfter: now() };
    const all = em.create(ConsentGrant, { ...common, ...at, mode: 'all_current_future', ticketIds: [] });
    const chosen = em.create(ConsentGrant, { ...common, ...at, mode: 'selected', ticketIds: [uuidOf('tkt', one.id)] });
    em.create(ConsentGrant, { ...common, ...at, mode: 'all_current_future', ticketIds: [], revokedAt: now() });
    await em.flush();
    const grantsOf = async (id: string): Promise<{ id: string }[]> =>
      (await ask(`{ ticket(id: "${id}") { grants { nodes { id } } } }`)).grants.nodes;
    expect(new Set((await grantsOf(one.id)).map(({ id }) => id))).toEqual(new Set([all.id, chosen.id]));
    expect(await grantsOf(two.id)).toEqual([{ id: all.id }]);
    expect(await grantsOf((await ticket('three')).id)).toEqual([]);

    const events = await ask('{ events(search: "main") { nodes { id ticketCount { count more } } } }');
    const [event] = events.nodes;
    expect(event.ticketCount).toEqual({ count: 3, more: false });
    const inUse = `{ event(id: "${event.id}") { inUse { tickets { count } grants { count } listings { count } } } }`;
    expect(await ask(inUse)).toEqual({
      inUse: { tickets: { count: 2 }, grants: { count: 2 }, listings: { count: 0 } },
    });
  });
});

test('rows of a person that name no holder leave the ticket to whom it was sold on', async () => {
  await apply(app, [ticketRow('main', 'a', 'four'), ticketRow('main', 'a', 'five', { holder_phone: '+12025550199' })]);
  const [buyer, { owner: seller }] = [(await ticket('five')).owner?.id, await ticket('four')];
  await app.context().em.nativeUpdate(Ticket, { reference: 'four' }, { owner: buyer as never });
  const row = { kind: 'ticket', reference: 'four', event: 'main', ticket_type: 'a' };
  const results = await apply(app, [
    { ...row, status: 'void' },
    { ...row, reference: 'new' },
  ]);
  expect(results.map(({ outcome, reason, field }) => [outcome, reason, field])).toEqual([
    ['updated', undefined, undefined],
    ['failed', 'invalid_row', 'holder_phone'],
  ]);
  const after = await ticket('four');
  expect(after).toMatchObject({ status: 'void', owner: { id: buyer }, namedHolder: { id: seller?.id } });
});
