import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOCAL_PROGRAM_ID } from '@fan-api/ticket-program/local-keys';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TicketLine } from '../../src/inventory/feed/ticket-line.ts';
import { reconcile } from '../../src/tickets/ticket/reconcile.ts';
import { fanOf, issuedTicketOf, newPhone, startProductionChain } from '../src/inventory/chain-stage.ts';
import { snapshotOf } from '../src/inventory/feed/feed-stage.ts';
import { faultsOf, type History, remember } from '../src/inventory/feed/history.ts';
import { apply, newEvent, ticketRow } from '../src/inventory/stage.ts';
import type { ChainApp } from '../support/chain-app.ts';
import { answers, type Child, freePorts, startChild } from '../support/child.ts';
import { asNdjson, importToken } from '../support/import-calls.ts';
import { type Follower, runFollower } from '../support/run-follower.ts';
import { KEY_ENCRYPTION_KEY } from '../support/start-app.ts';
import { testFolder } from '../support/test-folder.ts';
import { claim, fundedMarketplace, type Marketplace, putOnSale, transfer } from '../support/ticket-transactions.ts';

/** The service and a follower of its feed are killed by SIGKILL at random moments, while files are imported, tickets sold and moved. */
const KILLS = Number(process.env.KILLS ?? 12);
const LONGEST_LIFE_MS = 2_500;
const COUNTED = 100;

const folder = await testFolder();
let app: ChainApp;
let market: Marketplace;
let tokens: { imports: string; follows: string };
let url: string;
let startService: () => Promise<Child>;

beforeAll(async () => {
  app = await startProductionChain();
  market = await fundedMarketplace(app);
  tokens = { imports: await importToken(app), follows: await importToken(app, ['inventory:read']) };
  const [port, metrics] = [await freePorts(), await freePorts()];
  url = `http://localhost:${port}/admin`;
  const env = {
    ...{ DATABASE_URL: app.config.databaseUrl ?? '', KEY_ENCRYPTION_KEY, DATA_DIR: folder, SURFACES: 'admin' },
    ...{
      PORT: String(port),
      METRICS_PORT: String(metrics),
      LOG_LEVEL: 'silent',
      PRODUCTION_PROGRAM_ID: LOCAL_PROGRAM_ID,
    },
  };
  startService = () =>
    startChild('adapters/process/main.ts', { env, isReady: () => answers(`http://localhost:${port}/healthz`) });
});
afterAll(() => app.stop());

/** A file that the service has not finished when it is killed is sent again. */
async function importFile(): Promise<void> {
  const { event, type, rows } = newEvent();
  const tickets = Array.from({ length: 600 }, (_, at) => ticketRow(event, type, `${event}-${at}`));
  for (const status of ['valid', 'refunded']) {
    const body = asNdjson([...rows, ...tickets.map((ticket) => ({ ...ticket, status }))]);
    const headers = { authorization: `Bearer ${tokens.imports}`, 'content-type': 'application/x-ndjson' };
    const send = () => fetch(`${url}/import`, { method: 'POST', headers, body }).then((answer) => answer.text());
    for (let done = false; !done; await sleep(200)) done = /"finished"/.test(await send().catch(() => ''));
  }
}

/** @returns the reference of a ticket that was sold */
async function sell(): Promise<string> {
  const { row, ticket, owner, event } = await issuedTicketOf(app);
  await putOnSale(app, market, ticket, owner);
  await reconcile(app.context(), 'production');
  const other = ticketRow(event, row.ticket_type, `${row.reference}-other`, { holder_phone: newPhone() });
  await apply(app, [other]);
  const buyer = await fanOf(app, other.holder_phone);
  const { status } = await claim(app, buyer, [await transfer(app, market, ticket, buyer.wallet_address)]);
  if (status !== 200) throw new Error(`not sold: ${status}`);
  return row.reference;
}

/** Counts tickets up, some in transactions that stay open for a while. */
async function count(): Promise<void> {
  const client = await app.runtime.pool.connect();
  await client.query('begin');
  await client.query(
    `update ticket set owner_id = null, outside_wallet = (coalesce(outside_wallet, '0')::int + 1)::text where reference = $1`,
    [`counted-${Math.floor(Math.random() * COUNTED)}`],
  );
  await sleep(Math.random() < 0.1 ? 400 : 3);
  await client.query('commit');
  client.release();
}

it('the follower has every ticket as it is at the end, every sale, and never saw one go back', async () => {
  const { event, type, rows } = newEvent();
  await apply(app, [...rows, ...Array.from({ length: COUNTED }, (_, at) => ticketRow(event, type, `counted-${at}`))]);
  // never issued: reconciling would give them back to the holders that the chain names
  await app.runtime.pool.query(
    `delete from waiting_permit where permit_id in (select p.id from permit p join ticket t on t.id = p.ticket_id and t.reference like 'counted-%')`,
  );
  const history: History = new Map();
  const last = new Map<string, TicketLine>();
  let read = 0;
  const onLine = (line: TicketLine) => {
    remember(history, [line]);
    last.set(line.ticket, line);
    read += 1;
  };
  const startFollower = () =>
    runFollower(['--cursor', join(folder, 'place'), '--url', url], { INVENTORY_TOKEN: tokens.follows }, onLine);
  const killing = new AbortController();
  const whileKilling = async (work: () => Promise<unknown>) => {
    while (!killing.signal.aborted) await work();
  };
  const sold: string[] = [];
  let [service, follower]: [Child, Follower] = [await startService(), startFollower()];
  const writing = [
    whileKilling(importFile),
    whileKilling(async () => sold.push(await sell())),
    ...Array.from({ length: 4 }, () => whileKilling(count)),
  ];
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(Math.random() * LONGEST_LIFE_MS);
    if (kill % 2 === 0) {
      await follower.end('SIGKILL');
      follower = startFollower();
    } else {
      await service.kill('SIGKILL');
      service = await startService();
    }
  }
  killing.abort();
  await Promise.all(writing);
  const isSame = async () => {
    const { lines } = await snapshotOf(app.runtime.pool);
    const wrong = lines.filter(({ at, ...line }) => {
      const { at: readAt, ...seen } = last.get(line.ticket) ?? ({} as TicketLine);
      return JSON.stringify(seen) !== JSON.stringify(line);
    });
    return wrong.map(({ ticket }) => ticket);
  };
  await expect.poll(isSame, { timeout: 60_000, interval: 1_000 }).toEqual([]);
  expect(await follower.end('SIGTERM')).toBe(0);
  await service.kill('SIGTERM');
  console.log({ kills: KILLS, tickets: last.size, read, sold: sold.length });
  const { rows: counted } = await app.runtime.pool.query<{ reference: string; version: number }>(
    `select reference, outside_wallet::int as version from ticket where reference like 'counted-%' and outside_wallet is not null`,
  );
  expect(counted.length).toBeGreaterThan(COUNTED / 2);
  expect(faultsOf(history, new Map(counted.map(({ reference, version }) => [reference, version])))).toEqual([]);
  expect(sold.length).toBeGreaterThan(2);
  for (const ticket of sold) expect(last.get(ticket)?.sale).toMatchObject({ price: '1000000000' });
}, 600_000);
