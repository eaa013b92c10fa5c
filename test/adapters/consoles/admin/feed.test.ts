import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../../../adapters/app.ts';
import { drain } from '../../../../adapters/http/drain.ts';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { FeedFollower } from '../../../../src/entities/ticket-feed.ts';
import { readEnd } from '../../../../src/inventory/feed/give-positions.ts';
import { cursorAt } from '../../../../src/inventory/feed/read-feed.ts';
import type { TicketLine } from '../../../../src/inventory/feed/ticket-line.ts';
import { inviteStaff } from '../../../../src/people/staff/make-link.ts';
import { createStaffToken } from '../../../../src/people/staff/staff-tokens.ts';
import { apply, newEvent, ticketRow } from '../../../src/inventory/stage.ts';
import { IMPORT_ENV, importToken } from '../../../support/import-calls.ts';

import { listen } from '../../../support/listen.ts';
import { testApp } from '../../../support/test-app.ts';

const app = await testApp({ env: IMPORT_ENV });
const token = await importToken(app, ['inventory:read']);
const { pool } = app.runtime;
const end = await readEnd(pool);

/** A call of the feed; of a good one, its lines and its cursor. @param path `?event=…` or `/changes?…` */
async function feed(path = '', bearer: string | undefined = token) {
  const headers = { ...(bearer !== '' && { authorization: `Bearer ${bearer}` }) };
  const answer = await fetch(`${app.config.adminUrl}/feed${path}`, { headers });
  const text = await answer.text();
  const { status } = answer;
  if (status !== 200)
    return { status, code: JSON.parse(text).errors[0].extensions.code, message: JSON.parse(text).errors[0].message };
  const all = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(text.endsWith('\n')).toBe(true);
  return {
    status,
    type: answer.headers.get('content-type'),
    lines: all.slice(0, -1) as TicketLine[],
    cursor: String(all.at(-1).cursor),
  };
}

async function event(count = 2) {
  const { event: reference, type, rows } = newEvent();
  await apply(app, [
    ...rows,
    ...Array.from({ length: count }, (_, at) => ticketRow(reference, type, `${reference}-${at}`)),
  ]);
  return reference;
}

const setStatus = (ticket: string, status: string) =>
  pool.query('update ticket set status = $2 where reference = $1', [ticket, status]);
const since = (cursor: string | undefined, more = '&wait=0') => feed(`/changes?after=${cursor}${more}`);

describe('a snapshot, then changes', () => {
  test('every ticket of an event, and from its cursor what changes', async () => {
    const name = await event();
    const snapshot = await feed(`?event=${name}`);
    expect(snapshot.type).toContain('application/x-ndjson');
    expect(snapshot.lines).toMatchObject([{ ticket: `${name}-0` }, { ticket: `${name}-1` }]);
    expect(await since(snapshot.cursor)).toEqual({ ...(await since(snapshot.cursor)), lines: [] });
    await setStatus(`${name}-1`, 'void');
    const changes = await since(snapshot.cursor);
    expect(changes.lines).toEqual([{ ...snapshot.lines?.[1], status: 'void', at: expect.stringMatching(/^20.*Z$/) }]);
    expect((await since(changes.cursor)).lines).toEqual([]);
    expect((await feed()).lines?.length).toBeGreaterThanOrEqual(2);
    const [entry] = await app
      .context()
      .em.find(AuditEntry, { action: 'inventory.snapshot_read' }, { orderBy: { id: 'asc' } });
    expect(entry).toMatchObject({ actor: expect.stringMatching(/^service:sva_/), details: { event: name } });
  });

  test('a call has as many lines as it asks for, and the next one the rest', async () => {
    const { cursor } = await feed();
    const name = await event(5);
    const first = await since(cursor, `&wait=0&limit=3&event=${name}`);
    const second = await since(first.cursor, `&wait=0&limit=3&event=${name}`);
    expect([first.lines?.length, second.lines?.length]).toEqual([3, 2]);
    expect(new Set([...(first.lines ?? []), ...(second.lines ?? [])].map(({ ticket }) => ticket)).size).toBe(5);
  });

  test('how far a follower has read is recorded', async () => {
    const name = await event();
    const { cursor } = await feed(`?event=${name}`);
    await setStatus(`${name}-0`, 'void');
    await since((await since(cursor, `&wait=0&event=${name}`)).cursor, `&wait=0&event=${name}`);
    const { position } = await readEnd(pool);
    const noted = await app.context().em.findOneOrFail(FeedFollower, { event: name });
    expect(noted).toMatchObject({ position: BigInt(position), snapshotAt: expect.any(Date) });
  });
});

describe('a call that waits', () => {
  test('is answered within a second of the commit, as are all that wait', async () => {
    const name = await event();
    const { cursor } = await feed(`?event=${name}`);
    const waiting = Array.from({ length: 5 }, () => since(cursor, '&wait=30'));
    await sleep(600);
    await setStatus(`${name}-0`, 'void');
    const from = performance.now();
    for (const { lines } of await Promise.all(waiting)) expect(lines).toMatchObject([{ ticket: `${name}-0` }]);
    expect(performance.now() - from).toBeLessThan(1_000);
  });

  test('is not answered by changes of another event, and has read past them when its time is over', async () => {
    const [name, other] = [await event(), await event()];
    const { cursor } = await feed(`?event=${name}`);
    const from = performance.now();
    const waiting = since(cursor, `&wait=2&event=${name}`);
    await sleep(300);
    await setStatus(`${other}-0`, 'void');
    const answer = await waiting;
    expect(performance.now() - from).toSatisfy((ms: number) => ms > 1_200 && ms < 2_000);
    expect(answer).toMatchObject({ status: 200, lines: [] });
    expect((await since(answer.cursor)).lines).toEqual([]);
  });

  test('is answered when the process stops', async () => {
    const server = createServer((await createApp(app.runtime, app.kit)).callback());
    const { port } = await listen(server);
    const headers = { authorization: `Bearer ${token}`, connection: 'close' };
    const path = `${new URL(app.config.adminUrl).pathname}/feed/changes?after=${cursorAt(end)}&wait=30&event=${await event(0)}`;
    const waiting = fetch(`http://127.0.0.1:${port}${path}`, { headers });
    await sleep(500);
    const from = performance.now();
    await drain(server);
    expect(await (await waiting).text()).toMatch(/^{"cursor":"/);
    expect(performance.now() - from).toBeLessThan(5_000);
  });
});

describe('a call is refused, and says why,', () => {
  const other = cursorAt({ ...end, database: crypto.randomUUID() as typeof end.database });
  const good = cursorAt(end);
  test.each([
    ['without a cursor', '/changes', 400, 'after'],
    ['with an unknown cursor', '/changes?after=nonsense', 400, 'after is not a cursor'],
    ['with a cursor of another database', `/changes?after=${other}`, 400, 'after is not a cursor'],
    ['with a cursor that is ahead', `/changes?after=${cursorAt(end, end.position + 1e9)}`, 410, 'Take a snapshot'],
    ['with a limit of 0', `/changes?after=${good}&limit=0`, 400, 'limit: must be a whole number from 1 to 1,000'],
    ['with a limit above 1,000', `/changes?after=${good}&limit=1001`, 400, 'limit: must be'],
    ['with a longer wait', `/changes?after=${good}&wait=31`, 400, 'wait: must be a whole number from 0 to 30'],
    ['with another parameter', '?since=1', 400, 'since'],
    ['for an unknown event', '?event=nobody', 404, 'There is no event with the reference nobody'],
    ['for an event with a NUL', '?event=%00', 400, 'event'],
  ])('%s', async (_, path, status, message) => {
    expect(await feed(path)).toMatchObject({ status, message: expect.stringContaining(message) });
  });

  test('without the right, and for people', async () => {
    const name = `Ada ${crypto.randomUUID()}`;
    const { staffId: id } = await inviteStaff(app.context(), { name, role: 'admin' }, 'system');
    const admin = { id, name, email: null, role: 'admin', authenticatedAt: app.runtime.now(), scopes: null } as const;
    const person = await createStaffToken(app.context(), { name: 'feed', scopes: ['inventory:read'], days: 1 }, admin);
    expect(await feed('', '')).toMatchObject({ status: 401, code: 'sign_in_required' });
    expect(await feed('', await importToken(app))).toMatchObject({
      status: 403,
      message: expect.stringContaining('inventory:read'),
    });
    expect(await feed('', person.value)).toMatchObject({
      status: 403,
      message: expect.stringContaining('ticketChanges'),
    });
  });
});
