import { describe, expect, test, vi } from 'vitest';
import { AuditEntry } from '../../src/entities/audit-entry.ts';
import { ImportFailure } from '../../src/entities/import-run.ts';
import { purge } from '../../src/entities/retention.ts';
import { newEvent, ticketRow } from '../src/inventory/stage.ts';
import { asNdjson, IMPORT_ENV, importBody, importToken } from '../support/import-calls.ts';
import { askAs, newStaff } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

const app = await testApp({ env: IMPORT_ENV });
const token = await importToken(app);
const [admin, support] = await Promise.all([newStaff(app, 'admin'), newStaff(app, 'support')]);

interface Failures {
  nodes: { line: number; reason: string; row: Record<string, unknown> | null }[];
  pageInfo: { endCursor: string; hasNextPage: boolean };
}

const FAILURES = `query ($id: ID!, $after: String) {
  importRun(id: $id) {
    state failed created actorName
    failures(first: 2, after: $after) { nodes { line reason row } pageInfo { endCursor hasNextPage } }
  }
}`;
const RERUN = `mutation ($id: ID!) {
  rerunFailures(runId: $id) { ... on ImportRun { id } ... on Refusal { code message } }
}`;

async function read(id: string, after?: string) {
  type Read = { state: string; failed: number; created: number; actorName: string; failures: Failures };
  return (await askAs(app, support, FAILURES, { id, after: after ?? null })) as Read;
}

const ended = (run: string) => vi.waitFor(async () => expect((await read(run)).state).toBe('FINISHED'), 10_000);
const rerun = (id: string) => askAs(app, admin, RERUN, { id });

async function orphans(count: number) {
  const { event, type, rows } = newEvent();
  const prefix = crypto.randomUUID();
  const tickets = Array.from({ length: count }, (_, index) => ticketRow(event, type, `${prefix}-${index}`));
  const { run } = await importBody(app, token, `${asNdjson(tickets)}call +12025550123\n`);
  return { run, before: rows };
}

test('failed rows are read page by page in the order of the file, without phone numbers', async () => {
  const { run } = await orphans(3);
  const first = await read(run);
  expect(first).toMatchObject({ state: 'FINISHED', failed: 4, created: 0, actorName: 'Box office' });
  expect(first.failures.nodes.map(({ line, reason }) => [line, reason])).toEqual([
    [1, 'unknown_event'],
    [2, 'unknown_event'],
  ]);
  const second = await read(run, first.failures.pageInfo.endCursor);
  expect(second.failures.nodes.map(({ line, reason }) => [line, reason])).toEqual([
    [3, 'unknown_event'],
    [4, 'invalid_json'],
  ]);
  expect(second.failures.pageInfo.hasNextPage).toBe(false);
  expect(second.failures.nodes[1]?.row).toBeNull();
  const told = JSON.stringify([first, second]);
  expect(told).toContain('•••');
  expect(told).not.toMatch(/\+1202/);
});

test('a number in a member that no row has is not shown either', async () => {
  const { run } = await importBody(app, token, '{"kind":"ticket","reference":"r","phone":"+12025550123"}\n');
  const { failures } = await read(run);
  expect(failures.nodes[0]?.row).toEqual({ kind: 'ticket', reference: 'r', phone: '…' });
});

test('failures are grouped by cause, which names the missing reference; a cause leads to its rows', async () => {
  const { event, type, rows } = newEvent();
  const lost = ['a', 'b', 'c'].map((name) => ticketRow('lost', type, `${event}-${name}`));
  const wrong = { ...ticketRow(event, type, `${event}-d`), seat: 4 };
  const untyped = ticketRow(event, 'balcony', `${event}-e`);
  const { run } = await importBody(app, token, asNdjson([...rows, wrong, ...lost, untyped]));
  const query = `query ($id: ID!, $cause: String) { importRun(id: $id) {
    causes { reason message rows line } failures(cause: $cause) { nodes { line } } } }`;
  const cause = 'No event has the reference lost yet.';
  const seat = 'seat is not a member of this kind of row.';
  const balcony = `The event ${event} has no ticket type with the reference balcony yet.`;
  expect(await askAs(app, support, query, { id: run, cause })).toEqual({
    causes: [
      { reason: 'unknown_event', message: cause, rows: 3, line: rows.length + 2 },
      { reason: 'invalid_row', message: seat, rows: 1, line: rows.length + 1 },
      { reason: 'unknown_ticket_type', message: balcony, rows: 1, line: rows.length + 5 },
    ],
    failures: { nodes: [2, 3, 4].map((line) => ({ line: rows.length + line })) },
  });
});

const MEND = `mutation ($id: ID!, $rows: [JSON!]!) { mendFailures(runId: $id, rows: $rows, reason: "typing error") {
  ... on ImportRun { id } ... on Refusal { code message } } }`;
const mend = (id: string, rows: object[], staff = admin) => askAs(app, staff, MEND, { id, rows });

describe('rows that were mended', () => {
  test('take the place of those that failed, and the run goes on with them; what fails again has its new reason', async () => {
    const { event, type, rows } = newEvent();
    const first = { ...ticketRow(event, type, `${event}-1`), seat: 4 };
    const second = ticketRow('lost', type, `${event}-2`);
    const { run } = await importBody(app, token, `${asNdjson([...rows, first, second])}no row\n`);
    const at = (index: number) => ({ _line: rows.length + index, _reason: 'a note' });
    const mended = [
      { ...ticketRow(event, type, `${event}-1`), ...at(1) },
      { ...ticketRow('astray', type, `${event}-2`), ...at(2) },
      { ...ticketRow(event, type, `${event}-3`), ...at(3) },
    ];
    expect(await mend(run, mended)).toEqual({ id: run });
    await ended(run);
    expect(await read(run)).toMatchObject({ failed: 1, created: rows.length + 2 });
    const [left, ...more] = await app.context().em.find(ImportFailure, { run: run as never });
    expect(more).toEqual([]);
    expect(left).toMatchObject({ line: rows.length + 2, message: 'No event has the reference astray yet.' });
    const mending = { action: 'import_run.failures_mended', subject: run };
    const details = { reason: 'typing error', rows: 3 };
    const entry = await app.context().em.findOneOrFail(AuditEntry, mending);
    expect(entry).toMatchObject({ actor: `staff:${admin.id}`, details });
  });

  test('stay the same rows, and come from an admin who signed in just now', async () => {
    const { event, type, rows } = newEvent();
    const lost = Array.from({ length: 21 }, (_, index) => ticketRow('lost', type, `${event}-${index}`));
    const { run } = await importBody(app, token, asNdjson([...lost, ...rows]));
    const found = lost.map((row, index) => ({ ...row, event, _line: index + 1 }));
    const [one] = found;
    for (const [wrong, says] of [
      [[], '1 to 1,000'],
      [[{ ...one, _line: undefined }], 'has no _line'],
      [[one, one], 'Line 1 of the run is given twice'],
      [[{ ...one, reference: 'another' }], 'is another row now'],
      [[{ ...one, kind: 'event' }], 'is another row now'],
      [[{ ...one, _line: 22 }], 'Line 22 of the run has not failed'],
    ] as const) {
      const refused = await mend(run, [...wrong] as object[]);
      expect(refused).toMatchObject({ code: 'invalid_request', message: expect.stringContaining(says) });
    }
    const stale = { ...admin, authenticatedAt: new Date(Date.now() - 3_600_000) };
    expect(await mend(run, found, stale)).toMatchObject({ code: 'fresh_sign_in_required' });
    expect((await read(run)).failed).toBe(21);
    expect(await mend(run, found)).toEqual({ id: run });
    await vi.waitFor(async () => expect((await read(run)).failed).toBe(0), 10_000);
  });
});

test('a row that a person has mended takes no ticket from its holder, though the company’s system sent the file', async () => {
  const { event, type, rows } = newEvent();
  const ticket = ticketRow(event, type, `${event}-1`);
  const { run } = await importBody(app, token, asNdjson([...rows, ticket, { ...ticket, seat: 4 }]));
  const line = rows.length + 2;
  expect(await mend(run, [{ ...ticket, holder_phone: '+12025550143', _line: line }])).toEqual({ id: run });
  const left = () => app.context().em.findOneOrFail(ImportFailure, { run: run as never, line });
  await vi.waitFor(async () => expect((await left()).reason).toBe('needs_confirmation'), 10_000);
  await ended(run);
  expect(await rerun(run)).toEqual({ id: run });
  await ended(run);
  expect((await left()).reason).toBe('needs_confirmation');
});

test('failed rows are applied again once what they refer to has come', async () => {
  const { run, before } = await orphans(3);
  await importBody(app, token, asNdjson(before));
  expect(await rerun(run)).toEqual({ id: run });
  await ended(run);
  expect(await read(run)).toMatchObject({ created: 3, failed: 1 });
  const where = { action: 'import_run.rerun', subject: run, actor: `staff:${admin.id}` };
  expect(await app.context().em.count(AuditEntry, where)).toBe(1);
});

test('a second time at once is refused, and changes no count twice', async () => {
  // so many that the first is under way when the second comes
  const { run, before } = await orphans(300);
  await importBody(app, token, asNdjson(before));
  const answers = await Promise.all([rerun(run), rerun(run)]);
  expect(answers.filter(({ code }) => code !== undefined)).toMatchObject([{ code: 'conflict' }]);
  await ended(run);
  expect(await read(run)).toMatchObject({ created: 300, failed: 1 });
});

test('a cursor of another list is refused', async () => {
  const { run } = await orphans(1);
  await expect(read(run, 'imp_x')).rejects.toMatchObject({ code: 'invalid_request' });
});

test('failed rows are deleted after 30 days', async () => {
  const { run } = await orphans(2);
  const kept = () => app.context().em.count(ImportFailure, { run: run as never });
  const keptMs = 30 * 86_400_000;
  await purge({ ...app.context(), now: () => new Date(Date.now() + keptMs - 60_000) });
  expect(await kept()).toBe(3);
  await purge({ ...app.context(), now: () => new Date(Date.now() + keptMs + 60_000) });
  expect(await kept()).toBe(0);
});
