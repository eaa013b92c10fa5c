import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readNewEnd } from '../../../../src/inventory/feed/give-positions.ts';
import { readChanges, readShared } from '../../../../src/inventory/feed/read-feed.ts';
import { inTransaction } from '../../../../src/platform/database/prepared.ts';
import { testApp } from '../../../support/test-app.ts';
import { apply, newEvent, PRODUCTION_PROGRAM_ID, ticketRow } from '../stage.ts';
import { faultsOf, type History, remember } from './history.ts';

/** Writers with transactions of 0 to 150 ms, of which a tenth is rolled back, and followers that die and begin again at a cursor. */
const WRITERS = 12;
const FOLLOWERS = 5;
const TICKETS = 200;
const WRITE_FOR_MS = 4_000;

const app = await testApp({ env: { PRODUCTION_PROGRAM_ID } });
const pool = new pg.Pool({ connectionString: app.runtime.config.databaseUrl, max: WRITERS + FOLLOWERS + 4 });
afterAll(() => pool.end());

beforeAll(async () => {
  const { event, type, rows } = newEvent();
  await apply(app, [...rows, ...Array.from({ length: TICKETS }, (_, at) => ticketRow(event, type, `history-${at}`))]);
});

const random = (below: number) => Math.floor(Math.random() * below);
const SOMETIMES = 20;

/** Counts up one or two tickets in a transaction. */
async function write(client: pg.PoolClient): Promise<void> {
  const chosen = [...new Set([random(TICKETS), random(TICKETS)])].map((at) => `history-${at}`).sort();
  for (const reference of chosen) {
    await client.query(
      `update ticket set owner_id = null, outside_wallet = (coalesce(outside_wallet, '0')::int + 1)::text where reference = $1`,
      [reference],
    );
  }
  await sleep(random(SOMETIMES) === 0 ? 150 : random(8));
  if (random(10) === 0) throw ROLLED_BACK;
}

const ROLLED_BACK = new Error('this transaction is rolled back');

async function writeWhile(goesOn: () => boolean): Promise<number> {
  let written = 0;
  while (goesOn()) {
    await inTransaction(pool, write).then(
      () => {
        written += 1;
      },
      (error: unknown) => {
        if (error !== ROLLED_BACK) throw error;
      },
    );
  }
  return written;
}

/** Follows until nothing has come for a while after the last write. Sometimes it forgets its place, as a process does that is killed. */
async function follow(goesOn: () => boolean): Promise<History> {
  const history: History = new Map();
  let saved = 0;
  for (let idle = 0; idle < 10; ) {
    const end = await readNewEnd(pool, 100);
    let read = 0;
    let position = saved;
    const since = { after: saved, upto: end.position, event: null };
    for await (const page of readChanges(pool, since, 1 + random(60), readShared)) {
      remember(history, page.lines);
      read += page.lines.length;
      position = page.position;
    }
    if (random(4) !== 0 || !goesOn()) saved = position;
    idle = read === 0 && !goesOn() ? idle + 1 : 0;
    if (read === 0) await sleep(10);
  }
  return history;
}

/** Writes and follows. @returns the faults that the followers have seen, and how much was written */
async function run(): Promise<{ faults: string[]; written: number }> {
  const until = performance.now() + WRITE_FOR_MS;
  let isWriting = true;
  // a transaction that is open before all others, and commits after thousands of them
  const held = inTransaction(pool, async (client) => {
    await client.query(`update ticket set owner_id = null, outside_wallet = '1' where reference = 'history-0'`);
    await sleep(WRITE_FOR_MS / 2);
  });
  const writing = Array.from({ length: WRITERS }, () => writeWhile(() => performance.now() < until));
  const following = Array.from({ length: FOLLOWERS }, () => follow(() => isWriting));
  await held;
  const written = (await Promise.all(writing)).reduce((sum, each) => sum + each, 0);
  isWriting = false;
  const histories = await Promise.all(following);
  const { rows } = await pool.query<{ reference: string; version: number }>(
    `select reference, outside_wallet::int as version from ticket where outside_wallet is not null`,
  );
  const truth = new Map(rows.map(({ reference, version }) => [reference, version]));
  return { faults: histories.flatMap((history) => faultsOf(history, truth)), written };
}

it('every follower has every ticket right at the end, and never saw one go back', async () => {
  const { faults, written } = await run();
  expect(written).toBeGreaterThan(100);
  expect(faults).toEqual([]);
});

it('the same history finds a feed whose writers number their own changes', async () => {
  await pool.query(`
    create sequence taken;
    select setval('taken', (select last from feed_span order by number desc limit 1) + 1);
    create or replace function feed_ticket() returns trigger language plpgsql as $$ begin
      insert into ticket_feed (ticket_id, pending, position, changed_at) values (new.id, false, nextval('taken'), now())
      on conflict (ticket_id) do update set pending = false, position = excluded.position;
      return null;
    end $$`);
  // the end of such a feed is the highest number that is visible
  const showEnd = () =>
    pool.query(
      `update feed_span set last = (select max(position) from ticket_feed) where number = (select max(number) from feed_span)`,
    );
  const shown = setInterval(() => void showEnd(), 5);
  try {
    expect((await run()).faults).not.toEqual([]);
  } finally {
    clearInterval(shown);
  }
});
