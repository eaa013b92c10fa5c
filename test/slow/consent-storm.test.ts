/** Fans who connect an app at a pace, in production on a local network: their permits are issued, each once, and nobody else's. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCluster } from '../../src/chain/cluster/open-cluster.ts';
import { ConsentGrant } from '../../src/entities/consent-grant.ts';
import { applyRows } from '../../src/inventory/apply-rows.ts';
import { idOf } from '../../src/platform/identifier/type-id.ts';
import { openStand, type Stand } from '../season/stand.ts';
import { eventRow, SOURCE, ticketRow, typeRow } from '../src/inventory/stage.ts';

const PER_SECOND = 50;
const SECONDS = Number(process.env.STORM_SECONDS ?? 60);
const FANS = PER_SECOND * SECONDS;
const ROWS_AT_ONCE = 1_000;
const ACCOUNTS_AT_ONCE = 100;
const SETTLED_WITHIN_MS = 120_000;
const SCOPE = ['fan:tickets:read', 'fan:listings:write'];

let stand: Stand;
beforeAll(async () => {
  stand = await openStand({ confirmedAfter: 2, finalizedAfter: 32 });
}, 120_000);
afterAll(() => stand?.close());

const phoneOf = (fan: number) => `+1${202_555_0000 + fan}`;

/** Imports one ticket for each fan. */
async function imported(event: string, first: number, count: number): Promise<void> {
  await applyRows(stand.context(), [eventRow(event), typeRow(event, `${event}-type`)], SOURCE);
  for (let at = 0; at < count; at += ROWS_AT_ONCE) {
    const tickets = Array.from({ length: Math.min(ROWS_AT_ONCE, count - at) }, (_, index) => {
      const fan = first + at + index;
      return ticketRow(event, `${event}-type`, `${event}-${fan}`, { holder_phone: phoneOf(fan) });
    });
    const results = await applyRows(stand.context(), tickets, SOURCE);
    expect(results.filter(({ outcome }) => outcome !== 'created')).toEqual([]);
  }
}

/** As the consent page writes it: one row. */
async function connect(fan: number): Promise<void> {
  const { em, pool, now } = stand.context();
  const { rows } = await pool.query(
    `select (select id from fan where mode = 'production' and phone = $1) as fan, (select id from client where mode = 'production' order by id limit 1) as client`,
    [phoneOf(fan)],
  );
  const [{ fan: fanId, client }] = rows;
  em.create(ConsentGrant, {
    fan: idOf('usr', fanId),
    client: idOf('client', client),
    scope: ['openid', ...SCOPE].join(' '),
    actions: SCOPE,
    consentedActions: SCOPE,
    mode: 'all_current_future',
    ticketIds: [],
    createdAt: now(),
    endsAfter: new Date(now().getTime() + 86_400_000),
  } as never);
  await em.flush();
}

/** Connects fans at the pace. */
async function storm(first: number, count: number): Promise<void> {
  const began = performance.now();
  const connecting: Promise<void>[] = [];
  for (let at = 0; at < count; at++) {
    await sleep(Math.max(0, began + (at * 1_000) / PER_SECOND - performance.now()));
    connecting.push(connect(first + at));
  }
  await Promise.all(connecting);
}

/** Of an event: what the database has, and the accounts on the chain. */
async function permitsOf(event: string) {
  const { pool } = stand.context();
  const { rows } = await pool.query<{ address: string; issued: boolean; waits: boolean }>(
    `select p.tix_permit_id as address, p.issued_at is not null as issued, w.retry_at is not null as waits
     from permit p join ticket t on t.id = p.ticket_id join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
       left join waiting_permit w on w.permit_id = p.id where e.reference = $1 order by p.id`,
    [event],
  );
  const { gateway } = await openCluster(stand.context(), 'production');
  let accounts = 0;
  for (let at = 0; at < rows.length; at += ACCOUNTS_AT_ONCE) {
    const addresses = rows.slice(at, at + ACCOUNTS_AT_ONCE).map(({ address }) => address);
    accounts += (await gateway.permits(addresses)).filter((account) => account !== undefined).length;
  }
  return {
    issued: rows.filter(({ issued }) => issued).length,
    left: rows.filter(({ waits }) => waits).length,
    accounts,
  };
}

const settled = (event: string, wanted: number) =>
  expect
    .poll(() => permitsOf(event), { timeout: SETTLED_WITHIN_MS, interval: 1_000 })
    .toEqual({ issued: wanted, left: 0, accounts: wanted });

it('of 1,000 tickets of 1,000 fans, only those of the fans with an app are onchain, and only they cost rent', {
  timeout: 300_000,
}, async () => {
  const { gateway, payer } = await openCluster(stand.context(), 'production');
  const balance = async () => (await gateway.account(payer))?.lamports ?? 0n;
  await imported('few', 0, 1_000);
  await sleep(3_000);
  const before = await balance();
  await storm(0, 100);
  await settled('few', 100);
  const paid = before - (await balance());
  const rent = 100n * (await gateway.rentExemption(155));
  console.info(`100 of 1,000 permits: ${paid} lamports, of which rent ${rent}`);
  expect(paid).toBeGreaterThan(rent);
  expect(paid - rent).toBeLessThan(1_000_000n);
});

it(`${PER_SECOND} consents a second: half are issued within two seconds, 95 of 100 within five`, {
  timeout: 600_000,
}, async () => {
  await imported('storm', 10_000, FANS);
  await storm(10_000, FANS);
  await settled('storm', FANS);
  const { pool } = stand.context();
  const { rows } = await pool.query<{ p50: number; p95: number; most: number }>(
    `select percentile_cont(0.5) within group (order by s) as p50, percentile_cont(0.95) within group (order by s) as p95, max(s) as most
     from (select extract(epoch from p.issued_at - g.created_at)::float8 as s from permit p join ticket t on t.id = p.ticket_id
       join consent_grant g on g.fan_id = t.owner_id where t.reference like 'storm-%') times`,
  );
  const [times] = rows;
  console.info(`${FANS} consents at ${PER_SECOND} a second: issued after ${JSON.stringify(times)} seconds`);
  expect(times?.p50).toBeLessThan(2);
  expect(times?.p95).toBeLessThan(5);
});

it('a service that is killed in the middle issues every permit, and each once', { timeout: 600_000 }, async () => {
  const fans = 20 * PER_SECOND;
  await imported('killed', 30_000, fans);
  const { pool } = stand.context();
  const sum = async () => {
    const { rows } = await pool.query<{ permits: number }>(
      `select coalesce(sum(permits), 0)::int as permits from issue_transaction where mode = 'production' and not closes and state in ('landed', 'final')`,
    );
    return rows[0]?.permits ?? 0;
  };
  const before = await sum();
  const storming = storm(30_000, fans);
  for (const pause of [5_000, 6_000]) {
    await sleep(pause);
    await stand.service.kill();
    await stand.service.start();
  }
  await storming;
  await settled('killed', fans);
  expect((await sum()) - before).toBe(fans);
});
