import type { Pool } from 'pg';

/**
 * A history: rows of every table that grows, of work that is done. Of a thousand rows one is rare (a failed claim, an ended grant of
 * another reason, a cancelled event), so that lists which filter for it have something to find. Nothing of it is due.
 *
 * `u(kind, i)` is the identifier of row `i`, `a(i)` an address, `h(kind, i)` a hash; identifiers are older than any that the service makes.
 */
export const FUNCTIONS = [
  `create or replace function u(kind int, i int) returns uuid immutable parallel safe return
    (lpad(to_hex(i), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(kind), 12, '0'))::uuid`,
  `create or replace function a(kind int, i int) returns text immutable parallel safe return
    lpad(translate(i::text, '0', 'z'), 43, 'P') || chr(64 + kind)`,
  `create or replace function h(kind int, i int) returns text immutable parallel safe return
    lpad(i::text, 42, 'h') || chr(64 + kind)`,
];

const PARTNERS = 10;
const CLIENTS = 50;
/** Events are many enough to be noticed where all are read. */
const TICKETS_PER_EVENT = 5;

/** `n` stands for the number of rows. */
const ROWS = [
  `insert into partner (id, name, created_at)
   select u(1, i), 'Partner ' || i, now() - interval '400 days' from generate_series(1, ${PARTNERS}) i`,
  `insert into client (id, partner_id, name, mode, status, redirect_uris, scopes, cors_origins, created_at, updated_at)
   select u(2, i), u(1, 1 + i % ${PARTNERS}), 'Client ' || i, case when i % 2 = 0 then 'production' else 'sandbox' end, 'enabled',
     '{https://client.example/callback}', '{openid}', '{}', now() - interval '400 days', now() - interval '400 days'
   from generate_series(1, ${CLIENTS}) i`,
  `insert into fan (id, mode, phone, created_at)
   select u(3, i), case when i % 2 = 0 then 'production' else 'sandbox' end, '+1555' || lpad(i::text, 8, '0'), now() - interval '400 days'
   from generate_series(1, n) i`,
  `insert into wallet (address, fan_id, sealed_key, sealed_with, created_at)
   select a(1, i), u(3, i), 'sealed', (select id from encryption_key where purpose = 'custody' limit 1), now() - interval '400 days'
   from generate_series(1, n) i`,
  `insert into test_user (fan_id, partner_id, code, created_at)
   select u(3, i), u(1, 1 + i % ${PARTNERS}), '123456', now() - interval '400 days' from generate_series(1, n, 200) i`,
  // each is over but for the last hundredth
  `insert into event (id, mode, name, starts_at, ends_at, tix_event_id, created_at, registered_at, reference, cancelled_at, partner_id)
   select u(4, i), case when i % 2 = 0 then 'production' else 'sandbox' end, 'Event ' || i, at, at + interval '3 hours', a(2, i),
     now() - interval '400 days', now() - interval '390 days', case when i % 2 = 0 then 'event-' || i end,
     case when i % 1000 = 0 then at end, case when i % 2 = 1 then u(1, 1 + i % ${PARTNERS}) end
   from generate_series(1, n / ${TICKETS_PER_EVENT}) i
     cross join lateral (select date_trunc('day', now()) + (i * 200 / (n / ${TICKETS_PER_EVENT}) - 198) * interval '1 day' as at) t`,
  `insert into ticket_type (id, event_id, name, reference)
   select u(5, i), u(4, i), 'Standing', case when i % 2 = 0 then 'standing' end from generate_series(1, n / ${TICKETS_PER_EVENT}) i`,
  `insert into ticket (id, ticket_type_id, owner_id, tix_ticket_id, purchased_at, reference, status)
   select u(6, i), u(5, 1 + (i - 1) / ${TICKETS_PER_EVENT}), u(3, i), a(3, i), now() - interval '300 days',
     case when ((i - 1) / ${TICKETS_PER_EVENT}) % 2 = 1 then 'ticket-' || i end, case when i % 1000 = 0 then 'refunded' else 'valid' end
   from generate_series(1, n) i`,
  // nothing waits for its position
  `insert into ticket_feed (ticket_id, pending, position, changed_at)
   select id, false, (select last from feed_span) + row_number() over (order by id), now() - interval '100 days'
   from ticket where reference is not null on conflict do nothing`,
  `update feed_span set last = (select max(position) from ticket_feed)`,
  // half of them sandbox; a third withdrawn
  `insert into permit (id, ticket_id, partner_id, tix_permit_id, created_at, issued_at, revoked_at, chain_slot)
   select u(7, i), u(6, i), case when ((i - 1) / ${TICKETS_PER_EVENT}) % 2 = 0 then u(1, 1 + i % ${PARTNERS}) end, a(4, i),
     now() - interval '300 days', now() - interval '299 days', case when i % 3 = 0 or i % 1000 = 0 then now() - interval '100 days' end, i
   from generate_series(1, n) i`,
  // half has ended; of the others half shows chosen tickets of events to come
  `insert into consent_grant (id, fan_id, client_id, scope, actions, consented_actions, mode, ticket_ids, created_at, ends_after,
     revoked_at, revoked_reason)
   select u(8, i), u(3, i), u(2, 1 + i % ${CLIENTS}), 'openid', '{fan:tickets:read}', '{fan:tickets:read}',
     case when i % 4 = 0 then 'selected' else 'all_current_future' end,
     case when i % 4 = 0 then array[u(6, case when i % 2 = 0 then n - i % 10 else i end)] else '{}' end,
     now() - interval '200 days', now() + interval '30 days',
     case when i % 2 = 1 then now() - interval '100 days' end,
     case when i % 2 = 1 then case when i % 1001 = 0 then 'revoked_by_staff' else 'expired' end end
   from generate_series(1, n) i`,
  `insert into refresh_token_family (handle_hash, secret_hash, client_id, grant_id, authenticated_at, expires_at)
   select h(1, i), h(2, i), u(2, 1 + i % ${CLIENTS}), u(8, i), now() - interval '20 days', now() + interval '10 days'
   from generate_series(1, n) i`,
  `insert into authorization_session (id, client_id, browser_hash, redirect_uri, scope, state, code_challenge, step, created_at, expires_at)
   select u(9, i), u(2, 1 + i % ${CLIENTS}), h(3, i), 'https://client.example/callback', 'openid', 'state', h(4, i), 'done', now(),
     now() + interval '10 minutes' from generate_series(1, n) i`,
  `insert into authorization_code (hash, client_id, grant_id, redirect_uri, code_challenge, authenticated_at, expires_at, used_at)
   select h(5, i), u(2, 1 + i % ${CLIENTS}), u(8, i), 'https://client.example/callback', h(6, i), now(), now() + interval '1 minute', now()
   from generate_series(1, n) i`,
  `insert into phone_challenge (purpose, owner, step, mode, expires_at)
   select 'login', u(9, i)::text, 'done', 'production', now() + interval '10 minutes' from generate_series(1, n) i`,
  `insert into portal_session (secret_hash, fan_id, authenticated_at, created_at, expires_at)
   select h(7, i), u(3, i), now(), now(), now() + interval '1 day' from generate_series(1, n) i`,
  `insert into rate_limit (key, points, expire)
   select 'some:' || i, 1, extract(epoch from now() + interval '1 hour') * 1000 from generate_series(1, n) i`,
  `insert into listing (id, permit_id, marketplace, price, opened_at, closed_at, outcome)
   select u(10, i), u(7, i), a(5, 1 + i % 3), 1000, now() - interval '200 days', now() - interval '100 days',
     case when i % 1000 = 0 then 'cancelled' else 'sold' end from generate_series(1, n) i`,
  // permits on sale, none withdrawn, of events to come: those of an event that is over would be work that waits
  `insert into listing (id, permit_id, marketplace, price, opened_at)
   select u(11, i), u(7, i), a(5, 1 + i % 3), 1000, now() - interval '1 day' from generate_series(1, n) i
     join event on event.id = u(4, 1 + (i - 1) / ${TICKETS_PER_EVENT}) and ends_at > now()
   where i % 3 <> 0 and i % 1000 <> 0`,
  `insert into listing_signature (message_hash, permit_id, grant_id, action, sentence, signed_at)
   select h(8, i), u(7, i), u(8, i), 'list', 'Lists a ticket.', now() - i * interval '200 days' / n from generate_series(1, n) i`,
  `insert into claim (id, signature, grant_id, permit_id, signer_wallet, destination_wallet, transaction, recent_blockhash, state, failure,
     created_at, updated_at)
   select u(12, i), a(6, i), u(8, i), u(7, i), a(1, i), a(7, i), 'ff', a(8, i), case when i % 1000 = 0 then 'failed' else 'confirmed' end,
     case when i % 1000 = 0 then 'its blockhash expired before it landed' end, now() - interval '200 days', at
   from generate_series(1, n) i cross join lateral (select now() - (n - i) * interval '200 days' / n as at) t`,
  `insert into custody_move (id, mode, permit_id, kind, from_wallet, from_fan_id, destination, origin, state, tries, retry_at, created_at,
     ended_at)
   select u(13, i), case when i % 2 = 0 then 'production' else 'sandbox' end, u(7, i), 'transfer', a(1, i), u(3, i), a(7, i),
     'move ' || i, case when i % 1000 = 0 then 'failed' else 'done' end, 1, now() - interval '100 days', now() - interval '100 days',
     now() - interval '99 days' from generate_series(1, n) i`,
  `insert into proposal (id, kind, subject, details, reason, proposed_by, proposed_at, expires_at, state, ended_at)
   select u(14, i), case when i % 3 = 0 then 'permit.move_out' else 'fan.reopen' end, 'subject ' || i, '{}', 'Because.', 'staff:x',
     now() - interval '100 days', now() - interval '90 days', case when i % 1000 = 0 then 'failed' else 'done' end,
     now() - interval '90 days' from generate_series(1, n) i`,
  `insert into unfinal_permit (permit_id, slot) select u(7, i), 1000000000 from generate_series(1, 100) i`,
  // sealed but for the last ones
  `insert into audit_entry (at, actor, action, subject, details, request_id, position, hash)
   select now() - (n - i) * interval '200 days' / n, case when i % 1000 = 0 then 'staff:x' else 'system' end,
     case when i % 1000 = 1 then 'client.enabled' else 'grant.given' end, 'subject ' || i % 1000, '{"some": "details"}', 'request ' || i,
     i, h(9, i) from generate_series(1, n) i`,
  `insert into request_log (id, at, operation, method, status, outcome, duration_ms, client_id)
   select u(15, i), now() - (n - i) * interval '29 days' / n, case when i % 1000 = 0 then 'token.exchange' else 'tickets.list' end, 'GET',
     200, 'ok', 5, u(2, 1 + i % ${CLIENTS}) from generate_series(1, n) i`,
  `insert into traffic (span_minutes, bucket, client_id, operation, status, outcome, count, total_ms)
   select 1440, date_trunc('day', now()) - i % 30 * interval '1 day', u(2, 1 + i / 30 % ${CLIENTS}), 'operation ' || i / 1500, 200, 'ok', 1, 5
   from generate_series(1, n) i`,
  `insert into latency (span_minutes, bucket, client_id, operation, counts)
   select 1440, date_trunc('day', now()) - i % 30 * interval '1 day', u(2, 1 + i / 30 % ${CLIENTS}), 'operation ' || i / 1500, '{1,2,3}'
   from generate_series(1, n) i`,
  `insert into code_traffic (minute, country, sent, verified)
   select date_trunc('minute', now()) - i * interval '6 days' / n, chr(65 + i % 26) || chr(65 + i / 26 % 26), 1, 1
   from generate_series(1, n) i on conflict do nothing`,
  `insert into import_run (id, state, source, format, actor, lines, hash, received_all, created, updated, unchanged, stale, failed, lease,
     heartbeat_at, started_at, finished_at)
   select u(16, i), case when i % 1000 = 0 then 'interrupted' else 'finished' end, 'http', 'csv', 'system', 1, '', true, 1, 0, 0, 0, 0,
     u(16, i), now() - interval '100 days', now() - interval '100 days', now() - interval '100 days' from generate_series(1, n) i`,
  `insert into import_failure (run_id, line, reason, message, row, at)
   select u(16, i), 1, 'invalid_row', 'It is wrong.', '{}', now() - interval '1 day' from generate_series(1, n) i`,
  `insert into issue_transaction (signature, mode, state, last_valid_height, slot, permits, day, fee, rent, created_at, look_at)
   select a(9, i), case when i % 2 = 0 then 'production' else 'sandbox' end, 'final', 1, 1, 8, '2026-01-01', 1, 1,
     now() - (n - i) * interval '29 days' / n, now() - interval '29 days' from generate_series(1, n) i`,
  `insert into client_review (id, client_id, submitted_by, submitted_at, note, registration, decision, decided_at)
   select u(17, i), u(2, 1 + i % ${CLIENTS}), 'staff:x', now() - interval '100 days', '', '{}', 'approved', now() - interval '99 days'
   from generate_series(1, n) i`,
  `insert into staff (id, issuer, subject, name, role, created_at)
   select u(18, i), 'issuer', 'person ' || i, 'Person ' || i, 'support', now() - interval '400 days' from generate_series(1, n / 1000) i`,
  `insert into account_session (secret_hash, audience, account_id, last_seen_at, expires_at, created_at)
   select h(10, i), 'staff', u(18, 1 + i % (n / 1000)), now(), now() + interval '8 hours', now() from generate_series(1, n) i`,
  `insert into notification_endpoint (id, client_id, format, url, types, created_at)
   select u(19, i), u(2, i), 'set_push', 'https://client.example/events', '{grant.revoked}', now() - interval '30 days'
   from generate_series(1, ${CLIENTS}) i`,
  // with what has arrived of three days, one attempt each
  `insert into notification (jti, endpoint_id, lane, grant_id, fan_id, type, data, occurred_at, state, attempts, due_at, expires_at, ended_at)
   select u(20, i), u(19, 1 + i % ${CLIENTS}), u(8, i), u(8, i), u(3, i), 'grant.revoked', '{"reason": "expired"}', at,
     case when i % 1000 = 0 then 'dead' else 'delivered' end, 1, at, at + interval '3 days', at
   from generate_series(1, n) i cross join lateral (select now() - (n - i) * interval '3 days' / n as at) t`,
  `insert into notification_attempt (notification_id, at, duration_ms, status)
   select id, ended_at, 5, case when state = 'dead' then 500 else 200 end from notification`,
  `insert into former_number (fan_id, given_up_at, phone, reason)
   select u(3, i), now() - interval '100 days', '+1666' || i, 'changed_by_fan' from generate_series(1, n) i`,
];

/** The identifier of row `i`, as `u(kind, i)`. */
export function sampleUuid(kind: number, i: number): string {
  return `${i.toString(16).padStart(8, '0')}-0000-7000-8000-${kind.toString(16).padStart(12, '0')}`;
}

/** `a(5, 1)`: a marketplace of the history. */
export const ADDRESS_SAMPLE = `${'1'.padStart(43, 'P')}E`;

/** Fills the tables of an app with a history of `n` rows each. Foreign keys hold, but are not checked while it is written. */
export async function fillTables(pool: Pool, n: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(
      `set statement_timeout = 0; set session_replication_role = replica; set synchronous_commit = off`,
    );
    for (const statement of FUNCTIONS) await client.query(statement);
    for (const statement of ROWS) await client.query(statement.replaceAll(/\bn\b/g, String(n)));
    await client.query('vacuum analyze');
  } finally {
    client.release(true);
  }
}
