import pg, { type Client } from 'pg';
import { drive, median, withSpares } from './drive.ts';
import type { GrowthFigures } from './judge.ts';
import type { PathName } from './paths.ts';
import { openServer } from './server.ts';

const PATHS: readonly PathName[] = ['exchange', 'refresh', 'userinfo', 'tickets', 'listings'];
/** Few, so that latency is the service's and not that of a queue. */
const CONNECTIONS = 4;
/** Enough that a p99 is not one pause of the collector. */
const REQUESTS = 1_000;
const ROUNDS = 5;

/** The p99 of each path while the tables grow. @param sizes numbers of tickets, ascending. @param done called after each */
export async function measureGrowth(
  sizes: readonly number[],
  done: (figures: GrowthFigures) => void,
): Promise<GrowthFigures[]> {
  const server = await openServer();
  const client = new pg.Client({ connectionString: server.stage.databaseUrl });
  await client.connect();
  const all: GrowthFigures[] = [];
  try {
    // the market and the ticket holder are made while the tables are small
    for (const name of PATHS) await server.stage.prepare(name, 1);
    let filled = 0;
    for (const tickets of sizes) {
      await fillUpTo(client, filled, tickets);
      filled = tickets;
      const p99: GrowthFigures['p99'] = {};
      for (const name of PATHS) p99[name] = await p99Of(name);
      const figures = { tickets, grants: Math.min(tickets, MOST_GRANTS), p99 };
      all.push(figures);
      done(figures);
    }
    return all;
  } finally {
    await client.end();
    await server.stop();
  }

  async function p99Of(name: PathName): Promise<number> {
    const rounds: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const load = await server.stage.prepare(name, withSpares(REQUESTS, CONNECTIONS));
      const { p99 } = await drive(server.origin, load, REQUESTS, CONNECTIONS);
      if (round > 0) rounds.push(p99);
    }
    return median(rounds);
  }
}

/** There are as many grants as tickets, up to this. */
const MOST_GRANTS = 1_000_000;

/**
 * What a season leaves behind: fans with three tickets each, permits that are on the chain, events of 10,000 tickets, and grants with a
 * refresh token each. `from` and `upto` are numbers of rows; `u(kind, i)` is the identifier of row `i`.
 */
const FUNCTIONS = `
  create or replace function u(kind int, i int) returns uuid immutable parallel safe return
    (lpad(to_hex(i), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(kind), 12, '0'))::uuid;
  create or replace function a(kind int, i int) returns text immutable parallel safe return
    lpad(translate(i::text, '0', 'z'), 43, 'P') || chr(64 + kind);
  create or replace function h(kind int, i int) returns text immutable parallel safe return
    lpad(i::text, 42, 'h') || chr(64 + kind)`;

const TICKETS = [
  `insert into event (id, mode, name, starts_at, ends_at, tix_event_id, created_at, registered_at)
   select u(4, i), 'sandbox', 'Event ' || i, now() + interval '30 days', now() + interval '31 days', a(2, i), now(), now()
   from generate_series(from / 10000, (upto - 1) / 10000) i on conflict do nothing`,
  `insert into ticket_type (id, event_id, name)
   select u(5, i), u(4, i), 'Standing' from generate_series(from / 10000, (upto - 1) / 10000) i on conflict do nothing`,
  `insert into fan (id, mode, phone, created_at)
   select u(3, i), 'sandbox', '+1555' || lpad(i::text, 9, '0'), now() from generate_series(from / 3, (upto - 1) / 3) i
   on conflict do nothing`,
  `insert into wallet (address, fan_id, sealed_key, sealed_with, created_at)
   select a(1, i), u(3, i), 'sealed', (select id from encryption_key where purpose = 'custody' limit 1), now()
   from generate_series(from / 3, (upto - 1) / 3) i on conflict do nothing`,
  `insert into ticket (id, ticket_type_id, owner_id, tix_ticket_id, purchased_at, status)
   select u(6, i), u(5, i / 10000), u(3, i / 3), a(3, i), now(), 'valid' from generate_series(from, upto - 1) i`,
  `insert into permit (id, ticket_id, partner_id, tix_permit_id, created_at, issued_at, chain_slot)
   select u(7, i), u(6, i), (select partner_id from client order by id limit 1), a(4, i), now(), now(), 1
   from generate_series(from, upto - 1) i`,
];

const GRANTS = [
  `insert into consent_grant (id, fan_id, client_id, scope, actions, consented_actions, mode, ticket_ids, created_at, ends_after)
   select u(8, i), u(3, i / 3), (select id from client order by id limit 1), 'openid fan:tickets:read', '{fan:tickets:read}',
     '{fan:tickets:read}', 'all_current_future', '{}', now(), now() + interval '30 days' from generate_series(from, upto - 1) i`,
  `insert into refresh_token_family (handle_hash, secret_hash, client_id, grant_id, authenticated_at, expires_at)
   select h(1, i), h(2, i), (select id from client order by id limit 1), u(8, i), now(), now() + interval '30 days'
   from generate_series(from, upto - 1) i`,
];

/** Adds rows until there are `upto` tickets. Foreign keys hold, but are not checked. @param from how many there are */
async function fillUpTo(client: Client, from: number, upto: number): Promise<void> {
  await client.query(
    `set statement_timeout = 0; set session_replication_role = replica; set synchronous_commit = off; ${FUNCTIONS}`,
  );
  await run(client, TICKETS, from, upto);
  if (from < MOST_GRANTS) await run(client, GRANTS, from, Math.min(upto, MOST_GRANTS));
  await settle(client);
}

async function run(client: Client, statements: readonly string[], first: number, end: number): Promise<void> {
  for (const statement of statements) {
    const numbered = statement.replaceAll(/\bfrom\b(?= \/|,)/g, String(first)).replaceAll(/\bupto\b/g, String(end));
    await client.query(numbered);
  }
}

async function settle(client: Client): Promise<void> {
  await client.query('vacuum analyze');
  await client.query('checkpoint');
}
