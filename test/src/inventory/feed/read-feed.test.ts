import { beforeEach, describe, expect, it } from 'vitest';
import { givePositions, positionOf, readEnd, readNewEnd } from '../../../../src/inventory/feed/give-positions.ts';
import { cursorAt, eventToFollow } from '../../../../src/inventory/feed/read-feed.ts';
import { rows } from '../../../support/chain-app.ts';
import { testApp } from '../../../support/test-app.ts';
import { apply, newEvent, PRODUCTION_PROGRAM_ID, ticketRow } from '../stage.ts';
import { followFrom, pagesOf, snapshotOf } from './feed-stage.ts';

const app = await testApp({ env: { PRODUCTION_PROGRAM_ID } });
const { pool } = app.runtime;

/** A new event with some tickets; their rows. */
async function tickets(count = 1, changes: object = {}) {
  const { event, type, rows: before } = newEvent(changes);
  const made = Array.from({ length: count }, (_, at) => ticketRow(event, type, `${event}-${at}`));
  await apply(app, [...before, ...made]);
  const id = await eventToFollow(pool, event);
  if (id === null) throw new Error('there is no event');
  return { event, id, rows: made };
}

const setStatus = (reference: string, status: string) =>
  pool.query('update ticket set status = $2 where reference = $1', [reference, status]);
const named = (lines: readonly { ticket: string; status: string }[]) => lines.map((line) => [line.ticket, line.status]);

describe('what has changed', () => {
  it('comes once, as it is now, in the order of the positions', async () => {
    const { event } = await tickets(3);
    const changes = await followFrom(pool);
    await setStatus(`${event}-1`, 'refunded');
    await setStatus(`${event}-0`, 'void');
    await setStatus(`${event}-1`, 'valid');
    await setStatus(`${event}-1`, 'void');
    expect(named(await changes()).sort()).toEqual([
      [`${event}-0`, 'void'],
      [`${event}-1`, 'void'],
    ]);
    await setStatus(`${event}-1`, 'valid');
    expect(named(await changes())).toEqual([[`${event}-1`, 'valid']]);
    expect(await changes()).toEqual([]);
  });

  it('comes though its transaction was open while all others were committed and read', async () => {
    const { event } = await tickets(3);
    const changes = await followFrom(pool);
    const slow = await pool.connect();
    await slow.query('begin');
    await slow.query(`update ticket set status = 'void' where reference = $1`, [`${event}-0`]);
    for (const at of [1, 2]) {
      await setStatus(`${event}-${at}`, 'refunded');
      expect(named(await changes())).toEqual([[`${event}-${at}`, 'refunded']]);
    }
    expect(await changes()).toEqual([]);
    await slow.query('commit');
    slow.release();
    expect(named(await changes())).toEqual([[`${event}-0`, 'void']]);
  });

  it('does not come where it was rolled back, where nothing is different, or where the ticket is of a sandbox', async () => {
    const { event } = await tickets();
    const changes = await followFrom(pool);
    const client = await pool.connect();
    await client.query('begin');
    await client.query(`update ticket set status = 'void' where reference = $1`, [`${event}-0`]);
    await client.query('rollback');
    client.release();
    await setStatus(`${event}-0`, 'valid');
    expect((await pool.query(`update ticket set status = 'void' where reference is null`)).rowCount).toBeGreaterThan(0);
    expect(
      (await pool.query('update permit set issued_at = now() where partner_id is not null')).rowCount,
    ).toBeGreaterThan(0);
    expect(await changes()).toEqual([]);
  });

  it('is left out while it has changed again, so that a position covers no more than it says', async () => {
    const { event } = await tickets(2);
    const { position: after } = await readNewEnd(pool, 1_000);
    await setStatus(`${event}-0`, 'void');
    await setStatus(`${event}-1`, 'void');
    const { position: upto } = await readNewEnd(pool, 1_000);
    await setStatus(`${event}-0`, 'refunded');
    const [page] = await pagesOf(pool, { after, upto, event: null }, 10);
    expect(named(page?.lines ?? [])).toEqual([[`${event}-1`, 'void']]);
    expect(page?.position).toBe(upto);
  });

  it('of another event is passed over, and not read again', async () => {
    const [one, two] = [await tickets(), await tickets()];
    const changes = await followFrom(pool, one.id);
    await setStatus(`${two.event}-0`, 'void');
    expect(await changes()).toEqual([]);
    await setStatus(`${one.event}-0`, 'void');
    expect(named(await changes())).toEqual([[`${one.event}-0`, 'void']]);
  });

  it('comes in pages of the size that is asked for, each ending where the next begins', async () => {
    const { event, id } = await tickets(600);
    const { position: before } = await readEnd(pool);
    const { position: upto } = await readNewEnd(pool, 10_000);
    const seen: string[] = [];
    for (let after = before; after < upto; ) {
      const pages = await pagesOf(pool, { after, upto, event: id }, 400);
      seen.push(...pages.flatMap(({ lines }) => lines.map((line) => line.ticket)));
      after = pages.at(-1)?.position ?? upto;
    }
    expect(seen.toSorted()).toEqual(Array.from({ length: 600 }, (_, at) => `${event}-${at}`).toSorted());
  });
});

it('one caller at a time gives positions; another one neither waits nor gives', async () => {
  const { event } = await tickets();
  const { position } = await readNewEnd(pool, 1_000);
  await setStatus(`${event}-0`, 'void');
  const other = await pool.connect();
  await other.query('begin; select pg_advisory_xact_lock(7302009)');
  await givePositions(pool, 1_000);
  expect(await readEnd(pool)).toMatchObject({ position, pending: true });
  await other.query('commit');
  other.release();
  expect(await readNewEnd(pool, 1_000)).toMatchObject({ position: position + 1, pending: false });
});

describe('a snapshot', () => {
  it('has every ticket of the company for events that are not over, and those of an event that is named', async () => {
    const [soon, over] = [await tickets(2), await tickets(1)];
    await pool.query(
      `update event set starts_at = now() - interval '3 hours', ends_at = now() - interval '1 hour' where id = $1`,
      [over.id],
    );
    const all = (await snapshotOf(pool)).lines.map(({ ticket }) => ticket);
    expect(all).toEqual(expect.arrayContaining([`${soon.event}-0`, `${soon.event}-1`]));
    expect(all).not.toContain(`${over.event}-0`);
    expect(new Set(all).size).toBe(all.length);
    expect(named((await snapshotOf(pool, over.id)).lines)).toEqual([[`${over.event}-0`, 'valid']]);
  });

  it('ends where one follows: what changes after it comes, and what it has does not', async () => {
    const { event, id } = await tickets(2);
    const { lines, end } = await snapshotOf(pool, id);
    expect(lines).toHaveLength(2);
    await setStatus(`${event}-0`, 'void');
    const { position: upto } = await readNewEnd(pool, 1_000);
    const pages = await pagesOf(pool, { after: end.position, upto, event: id }, 10);
    expect(named(pages.flatMap((page) => page.lines))).toEqual([[`${event}-0`, 'void']]);
  });

  it('of an unknown event is refused', async () => {
    await expect(eventToFollow(pool, 'nobody’s')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a cursor', () => {
  let event: string;
  beforeEach(async () => {
    event = (await tickets()).event;
    await readNewEnd(pool, 1_000);
  });

  /** Changes a ticket and reads it. @returns the cursor then */
  const readOne = async (status: string) => {
    await setStatus(`${event}-0`, status);
    return cursorAt(await readNewEnd(pool, 1_000));
  };
  const TABLES = ['feed_span', 'ticket_feed'];
  const keep = () => pool.query(TABLES.map((table) => `create table kept_${table} as table ${table}`).join(';'));
  /** As a backup is restored, and served by another server. */
  const restore = () =>
    pool.query(
      `${TABLES.map((table) => `delete from ${table}; insert into ${table} table kept_${table}; drop table kept_${table}`).join(';')};
       update feed_span set server = 'the server before' where number = (select max(number) from feed_span)`,
    );

  it('is good for as long as the database has its history, also after the server was started again', async () => {
    const cursor = await readOne('void');
    await pool.query(
      `update feed_span set server = 'the server before' where number = (select max(number) from feed_span)`,
    );
    const after = await readOne('valid');
    expect(await positionOf(pool, after)).toBe((await positionOf(pool, cursor)) + 1);
    const { length } = await rows(app, 'select from feed_span');
    await readOne('void');
    expect(await rows(app, 'select from feed_span')).toHaveLength(length);
  });

  it('from before a restored backup goes on; one from after it is refused, also once the feed is past it', async () => {
    const before = await readOne('void');
    await keep();
    const lost = [await readOne('refunded'), await readOne('valid'), await readOne('void')];
    await restore();
    const refused = { code: 'cursor_ahead', message: expect.stringContaining('Take a snapshot') };
    for (const cursor of lost) await expect(positionOf(pool, cursor)).rejects.toMatchObject(refused);
    for (const status of ['refunded', 'valid', 'void', 'valid', 'void']) await readOne(status);
    for (const cursor of lost) await expect(positionOf(pool, cursor)).rejects.toMatchObject(refused);
    expect(await positionOf(pool, before)).toBeGreaterThan(0);
  });

  it('of a span that the restored database does not know is refused', async () => {
    await readOne('void');
    await keep();
    await pool.query(
      `update feed_span set server = 'the server before' where number = (select max(number) from feed_span)`,
    );
    const lost = await readOne('valid');
    await restore();
    await expect(positionOf(pool, lost)).rejects.toMatchObject({ code: 'cursor_ahead' });
    // the same number, another span
    await readOne('refunded');
    await readOne('void');
    await expect(positionOf(pool, lost)).rejects.toMatchObject({ code: 'cursor_ahead' });
  });

  it.each(['', '1', 'x'.repeat(32), '_'.repeat(32), 'A'.repeat(33), '\0'.repeat(32)])(
    '%j is no cursor',
    async (text) => {
      await expect(positionOf(pool, text)).rejects.toMatchObject({ code: 'invalid_request' });
    },
  );

  it('of another database is refused', async () => {
    const end = await readEnd(pool);
    const other = cursorAt({ ...end, database: crypto.randomUUID() as typeof end.database });
    await expect(positionOf(pool, other)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
