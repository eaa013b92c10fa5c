import { expect, it } from 'vitest';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { Ticket } from '../../../src/entities/ticket.ts';
import { applyRows } from '../../../src/inventory/apply-rows.ts';
import type { RowResult } from '../../../src/inventory/row-result.ts';
import { countStatements } from '../../support/count-statements.ts';
import { testApp } from '../../support/test-app.ts';
import { apply, newEvent, PRODUCTION_PROGRAM_ID, signInProduction, ticketRow } from './stage.ts';

const app = await testApp({ env: { PRODUCTION_PROGRAM_ID } });
const { event, type, rows: before } = newEvent();
await apply(app, before);

async function makeTickets(name: string, count: number): Promise<string[]> {
  const references = Array.from({ length: count }, (_, index) => `${name}-${index}`);
  await apply(
    app,
    references.map((reference) => ticketRow(event, type, reference)),
  );
  return references;
}

/** A row as a gate sends it. */
const scan = (reference: string, changes: object = {}) => ({
  kind: 'ticket',
  ...{ event, ticket_type: type, reference, status: 'used', ...changes },
});

const GATE = { actor: 'service:sva_gate', staffToken: 'svt_gate' };

/** The calls at one moment, the n-th by the request `req-{name}-{n}`. */
function callTogether(name: string, calls: readonly (readonly object[])[], source = GATE): Promise<RowResult[][]> {
  return Promise.all(
    calls.map((rows, index) => applyRows(app.context(), rows, { ...source, requestId: `req-${name}-${index}` })),
  );
}

const entriesOf = (request: string) =>
  app.context().em.find(AuditEntry, { requestId: request }, { orderBy: { id: 1 } });
const transactionsIn = (statements: readonly string[]) => statements.filter((text) => text === 'begin').length;

it('rows of a service account that wait for each other share a transaction, and each call has its own answer', async () => {
  const references = await makeTickets('shared', 20);
  const calls = references.map((reference) => [scan(reference)]);
  const { result, statements } = await countStatements(() => callTogether('shared', calls));
  expect(result).toEqual(references.map((reference) => [{ index: 0, kind: 'ticket', reference, outcome: 'updated' }]));
  expect(transactionsIn(statements)).toBeLessThanOrEqual(2);
  expect(await app.context().em.count(Ticket, { reference: { $in: references }, status: 'used' })).toBe(20);
});

it('the audit log names the request and the account of each call', async () => {
  await signInProduction(app, '+12025550101');
  const references = await makeTickets('audited', 6);
  await callTogether(
    'audited',
    references.map((reference) => [scan(reference), scan(reference)]),
  );
  for (const [index, reference] of references.entries()) {
    const { id } = await app.context().em.findOneOrFail(Ticket, { reference });
    const entries = await entriesOf(`req-audited-${index}`);
    expect(entries.map(({ action, subject, actor }) => [action, subject, actor])).toEqual([
      ['ticket.withdrawn', id, GATE.actor],
      ['inventory.applied', 'inventory', GATE.actor],
    ]);
    const counts = { created: 0, updated: 1, unchanged: 1, stale: 0, failed: 0 };
    expect(entries.at(-1)?.details).toEqual({ ...counts, staffToken: GATE.staffToken });
  }
});

it('a row that fails or is refused by the database changes nothing for the calls beside it', async () => {
  const references = await makeTickets('beside', 5);
  await app.runtime.pool.query(`alter table ticket add constraint refuses check (label is distinct from 'refused')`);
  const wrong = [scan('beside-1', { event: 'nowhere' }), scan('beside-2', { label: 'refused' })];
  const calls = references.map((reference, index) => [wrong[index - 1] ?? scan(reference)]);
  try {
    const told = (await callTogether('beside', calls)).map(([result]) => [result?.outcome, result?.reason]);
    const fine = ['updated', undefined];
    expect(told).toEqual([fine, ['failed', 'unknown_event'], ['failed', 'not_stored'], fine, fine]);
  } finally {
    await app.runtime.pool.query('alter table ticket drop constraint refuses');
  }
});

it('calls about one ticket are applied in the order in which they arrived', async () => {
  const [reference = ''] = await makeTickets('order', 1);
  const states = ['used', 'valid', 'used', 'used', 'valid'];
  const told = await callTogether(
    'order',
    states.map((status) => [scan(reference, { status })]),
  );
  expect(told.map(([result]) => result?.outcome)).toEqual(['updated', 'updated', 'updated', 'unchanged', 'updated']);
  expect((await app.context().em.findOneOrFail(Ticket, { reference })).status).toBe('valid');
});

it.each([
  ['another account', (index: number) => ({ source: { ...GATE, actor: `service:sva_${index}` } })],
  ['another token', (index: number) => ({ source: { ...GATE, staffToken: `svt_${index}` } })],
  ['a reason', () => ({ source: { ...GATE, reason: 'Doors' } })],
  ['a check', () => ({ source: { ...GATE, check: async () => {} } })],
  ['a holder', () => ({ row: { holder_phone: '+12025550101' } })],
])('a call with %s has its own transaction', async (name, differ) => {
  const references = await makeTickets(`alone ${name}`, 6);
  const { statements } = await countStatements(() =>
    Promise.all(
      references.map((reference, index) => {
        const { source = GATE, row = {} } = differ(index) as { source?: typeof GATE; row?: object };
        return applyRows(app.context(), [scan(reference, row)], { ...source, requestId: `req-${index}` });
      }),
    ),
  );
  expect(transactionsIn(statements)).toBeGreaterThanOrEqual(6);
});
