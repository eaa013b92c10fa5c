import { beforeAll, expect, it } from 'vitest';
import { tryUuidOf } from '../../../src/identifier/type-id.ts';
import { type ChainApp, oneTicket } from '../../support/chain-app.ts';
import { measureWork } from '../../support/measure-work.ts';
import { authorizeListing, listing, type Marketplace } from '../../support/ticket-transactions.ts';
import { authorizationsStage } from './authorizations-stage.ts';

/** A season: few events, and a fan who has many of their tickets. */
const EVENTS = 20;
const TICKETS = 10_000;
const OF_THE_FAN = 900;

const SEASON = [
  `create function u(kind int, i int) returns uuid immutable parallel safe return
    (lpad(to_hex(i), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(kind), 12, '0'))::uuid`,
  `insert into event (id, mode, name, starts_at, ends_at, tix_event_id, created_at, registered_at)
   select u(4, i), 'sandbox', 'Event ' || i, now() + interval '30 days', now() + interval '31 days', lpad(i::text, 44, 'E'), now(), now() from generate_series(1, ${EVENTS}) i`,
  `insert into ticket_type (id, event_id, name) select u(5, i), u(4, i), 'Standing' from generate_series(1, ${EVENTS}) i`,
  `insert into fan (id, mode, phone, created_at)
   select u(3, i), 'sandbox', '+1555' || lpad(i::text, 9, '0'), now() from generate_series(1, ${TICKETS / 2}) i`,
  `insert into ticket (id, ticket_type_id, owner_id, tix_ticket_id, purchased_at, status)
   select u(6, i), u(5, 1 + i % ${EVENTS}), case when i <= ${OF_THE_FAN} then $1::uuid else u(3, 1 + i / 4) end,
     lpad(i::text, 44, 'T'), now(), 'valid'
   from generate_series(1, ${TICKETS}) i`,
  `insert into permit (id, ticket_id, partner_id, tix_permit_id, created_at, issued_at, chain_slot)
   select u(7, i), u(6, i), (select partner_id from client order by id limit 1), lpad(i::text, 44, 'P'), now(), now(), 1
   from generate_series(1, ${TICKETS}) i`,
];

const stage = authorizationsStage();
let app: ChainApp;
let market: Marketplace;
beforeAll(() => {
  ({ app, market } = stage);
});

it('D-244: a listing reads the rows of its permit, and not all tickets of its fan', async () => {
  const [owner] = app.users;
  const ticket = await oneTicket(app, owner);
  const { pool } = app.runtime;
  const fan = tryUuidOf('usr', owner.id);
  for (const statement of SEASON) await pool.query(statement, statement.includes('$1') ? [fan] : []);
  await pool.query('vacuum analyze');
  const sign = async () => {
    const bytes = await listing(app, market, ticket, owner.wallet_address);
    expect((await authorizeListing(app, owner, 'list', [bytes])).status).toBe(200);
  };
  await sign();
  const { read, rows } = await measureWork(app, sign);
  expect(rows, JSON.stringify(read)).toBeLessThan(OF_THE_FAN / 3);
});
