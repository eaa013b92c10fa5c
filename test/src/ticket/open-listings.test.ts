import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../../src/database/prepared.ts';
import { recheckFinal } from '../../../src/ticket/recheck-final.ts';
import { syncPermits } from '../../../src/ticket/sync-permits.ts';
import { type ChainApp, oneTicket, rows, startChainApp, type TestTicket } from '../../support/chain-app.ts';
import { onChain, randomAddress } from '../../support/ticket-transactions.ts';

/** PostgreSQL keeps the plan of a prepared statement that it has made so often. */
const PLAN_IS_KEPT = 7;
const LISTINGS = 2_000;
/** Of them, and of index entries that lead to them. */
const FEW = 40;

let app: ChainApp;
let ticket: TestTicket;
/** One connection, so that a plan is made while few listings are open and used when there are many. */
let pool: pg.Pool;
beforeAll(async () => {
  app = await startChainApp();
  const [seller] = app.users;
  ticket = await oneTicket(app, seller);
  pool = new pg.Pool({ connectionString: app.config.databaseUrl, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await app.stop();
});

/** Listings of other permits. */
async function insertListings(closedAt: Date | null): Promise<void> {
  // their permits are not there
  await pool.query('set session_replication_role = replica');
  await pool.query(
    `insert into listing (id, permit_id, marketplace, price, opened_at, closed_at, outcome)
     select gen_random_uuid(), gen_random_uuid(), 'market', 1, now(), $1, case when $1::timestamptz is not null then 'sold' end
     from generate_series(1, ${LISTINGS})`,
    [closedAt],
  );
  await pool.query('reset session_replication_role');
}

async function listingsRead(): Promise<number> {
  await pool.query('select pg_stat_force_next_flush()');
  const { rows: found } = await pool.query<{ read: string }>(
    `select t.seq_tup_read + sum(i.idx_tup_read) as read from pg_stat_user_tables t join pg_stat_user_indexes i on i.relid = t.relid
     where t.relname = 'listing' group by t.seq_tup_read`,
  );
  return Number(found[0]?.read);
}

it('a change, and the look at it once it is final, read the open listing of its permit and not those of others', async () => {
  const held = await onChain(app, ticket);
  const market = randomAddress();
  let slot = held.slot;
  /** The ticket is listed, or its price changes; then that is final. */
  async function change(): Promise<void> {
    slot += 1;
    const state = { ...held, state: 'listed' as const, marketplace: market, price: BigInt(slot), slot };
    const gateway = { permits: async () => [state], finality: async () => ({ slot }) };
    await inTransaction(pool, (client) =>
      syncPermits(client, gateway, { addresses: [ticket.permit], notBefore: 0, now: new Date(), requestId: null }),
    );
    const context = { ...app.context(), pool };
    const chain = { ...app.runtime.chains.sandbox, gateway } as unknown as Parameters<typeof recheckFinal>[2];
    expect(await recheckFinal(context, 'sandbox', chain)).toBe(0);
    expect(await rows(app, 'select from unfinal_permit')).toEqual([]);
  }
  // those of the last sale: statistics say that hardly any is open
  await insertListings(new Date());
  await rows(app, 'vacuum analyze listing');
  for (let time = 0; time < PLAN_IS_KEPT; time++) await change();
  await insertListings(null);
  const before = await listingsRead();
  await change();
  expect((await listingsRead()) - before).toBeLessThan(FEW);
});
