import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@fan-api/embedded-postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedInStaff } from '../../src/partners/rights.ts';
import type { Uuid } from '../../src/platform/identifier/type-id.ts';
import { idOf } from '../../src/platform/identifier/type-id.ts';
import { newStaff, runAs } from '../support/staff-call.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

/** The console opens a list of 100,000 permits without a pause; the server takes less than 100 ms for a page. */
const PERMITS = 100_000;
const FANS = 2_000;
const EVENTS = 200;
const ROUNDS = 15;
const LIMIT_MS = 100;

let folder: string;
let server: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
let app: TestApp;
let staff: SignedInStaff;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fan-api-permits-'));
  // as root, PostgreSQL runs as another user, who must be able to come in
  await chmod(folder, 0o755);
  server = await startEmbeddedPostgres(folder, { fsync: false });
  app = await startApp({ databaseUrl: server.url });
  staff = await newStaff(app, 'support');
  await fill();
});
afterAll(async () => {
  await app?.stop();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Permits of two partners for many events, a twentieth of them revoked, as they come over the months. */
async function fill(): Promise<void> {
  const { pool } = app.runtime;
  await pool.query(`insert into partner (id, name, created_at) values (uuidv7(), 'Back Row', now())`);
  await pool.query(
    `insert into event (id, mode, name, tix_event_id, starts_at, ends_at, created_at)
     select uuidv7(), 'sandbox', 'Concert ' || i, 'Evt' || i, now(), now() + interval '1 year', now()
     from generate_series(1, ${EVENTS}) i`,
  );
  await pool.query(`insert into ticket_type (id, event_id, name) select uuidv7(), id, 'Seat' from event`);
  await pool.query(
    `insert into fan (id, mode, phone, created_at)
     select uuidv7(), 'production', '+1999' || lpad(i::text, 7, '0'), now() from generate_series(1, ${FANS}) i`,
  );
  await pool.query(
    `insert into wallet (address, fan_id, sealed_key, created_at)
     select rpad('W' || translate((row_number() over ())::text, '0', 'A'), 44, 'z'), id, '', now() from fan where mode = 'production'`,
  );
  await pool.query('set statement_timeout = 0');
  await pool.query(
    `with types as (select array_agg(id) ids from ticket_type), fans as (select array_agg(id) ids from fan)
     insert into ticket (id, ticket_type_id, owner_id, tix_ticket_id, purchased_at)
     select uuidv7(), types.ids[1 + i % array_length(types.ids, 1)], fans.ids[1 + i % array_length(fans.ids, 1)],
       rpad('T' || translate(i::text, '0', 'A'), 43, 'z'), now()
     from generate_series(1, ${PERMITS}) i, types, fans`,
  );
  await pool.query(
    `with partners as (select array_agg(id) ids from partner)
     insert into permit (id, ticket_id, partner_id, tix_permit_id, created_at, issued_at, revoked_at)
     select uuidv7(), t.id, partners.ids[1 + n % 2], rpad('P' || translate(n::text, '0', 'A'), 43, 'z'), now(), now(), case when n % 20 = 0 then now() end
     from (select id, row_number() over () as n from ticket where tix_ticket_id like 'T%') t, partners`,
  );
  await pool.query(
    `insert into unread_permit (permit_id, reason, since, tries, slot, retry_at)
     select id, 'for a test', now(), 1, 1, now() from permit order by id limit 20`,
  );
  // as autovacuum would soon
  await pool.query('vacuum analyze');
}

const PAGE = `query ($first: Int, $after: String, $search: String, $partnerId: ID, $eventId: ID, $fanId: ID, $state: PermitState, $unread: Boolean) {
  permits(first: $first, after: $after, search: $search, partnerId: $partnerId, eventId: $eventId, fanId: $fanId, state: $state, unread: $unread) {
    totalCount pageInfo { hasNextPage endCursor }
    nodes { id state tixPermitId createdAt unread { reason retryAt } partner { name }
      ticket { id owner { id phone walletAddress testUser { phone } } ticketType { name event { id name mode } } } } } }`;

interface Page {
  permits: {
    totalCount: number;
    pageInfo: { endCursor: string };
    nodes: {
      id: string;
      tixPermitId: string;
      ticket: { id: string; owner: { id: string; walletAddress: string }; ticketType: { event: { id: string } } };
    }[];
  };
}

/** Times of some runs in milliseconds, after two that warm up; and what the last one answered. */
async function timed(variables: Record<string, unknown>) {
  const times: number[] = [];
  let page: Page['permits'] | undefined;
  for (let round = -2; round < ROUNDS; round++) {
    const start = performance.now();
    page = (await runAs<Page>(app, staff, PAGE, { first: 50, ...variables })).permits;
    if (round >= 0) times.push(performance.now() - start);
  }
  if (!page) throw new Error('no round');
  times.sort((a, b) => a - b);
  const rounded = (ms = 0) => Math.round(ms * 10) / 10;
  return { page, fastest: rounded(times[0]), median: rounded(times[Math.floor(ROUNDS / 2)]) };
}

test('a page of 100,000 permits takes less than 100 ms, wherever it lies and whatever narrows it', async () => {
  const { page: first } = await timed({});
  expect(first.totalCount).toBeGreaterThan(PERMITS);
  const [deep] = (
    await app.runtime.pool.query<{ id: Uuid }>('select id::text from permit order by id offset $1 limit 1', [
      PERMITS / 100,
    ])
  ).rows;
  const [one] = first.nodes;
  const after = idOf('perm', deep?.id ?? ('' as Uuid));
  const partner = await app.runtime.pool.query<{ id: Uuid }>(`select id::text from partner where name = 'Back Row'`);
  const cases: Record<string, Record<string, unknown>> = {
    'the first page': {},
    'a page behind 99,000': { after },
    'of a partner': { partnerId: idOf('ptn', partner.rows[0]?.id ?? ('' as Uuid)) },
    'of an event': { eventId: one?.ticket.ticketType.event.id },
    'of an event, deep': { eventId: one?.ticket.ticketType.event.id, after },
    'of a fan': { fanId: one?.ticket.owner.id },
    revoked: { state: 'REVOKED' },
    'waiting, of which there are few': { state: 'WAITING' },
    'that could not be read, of which there are few': { unread: true },
    'that could be read': { unread: false },
    'by its address': { search: one?.tixPermitId },
    'by its ticket': { search: one?.ticket.id },
    'by a wallet': { search: one?.ticket.owner.walletAddress },
    'by an event’s name': { search: 'Concert 17' },
    'by a name that half of them have': { search: 'concert' },
    'by a name that none has': { search: 'zzz' },
  };
  const times: Record<string, { fastest: number; median: number }> = {};
  for (const [name, variables] of Object.entries(cases)) {
    const { page, ...measured } = await timed(variables);
    times[name] = measured;
    if (!name.includes('none')) expect(page.nodes.length, name).toBeGreaterThan(0);
  }
  console.table(times);
  // the fastest is what the work takes; the rest is what else the machine did
  expect(Object.entries(times).filter(([, { fastest }]) => fastest >= LIMIT_MS)).toEqual([]);
});
