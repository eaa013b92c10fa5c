import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateQueue } from '../../adapters/process/jobs.ts';
import { migrate } from '../../src/entities/migrate.ts';
import { openOrm } from '../../src/entities/orm.ts';
import { verifyAudit } from '../../src/record/audit/verify-audit.ts';
import { startProductionChain } from '../src/inventory/chain-stage.ts';
import { CHAIN_SCOPE, type ChainApp, type User } from '../support/chain-app.ts';
import { consoleLists } from '../support/console-lists.ts';
import { importBody } from '../support/import-calls.ts';
import { callFan, refresh, signIn, type Tokens } from '../support/partner.ts';
import { readCodesFromLog } from '../support/production.ts';
import { askAs, newStaff, runAs } from '../support/staff-call.ts';
import { claim, onChain, putOnSale, transfer } from '../support/ticket-transactions.ts';
import { hashMigrations, type KnownFan, RELEASES, readKnown, restoreDatabase, restoreNetwork } from './kept-release.ts';

it.each(RELEASES)('no migration of %s was edited, renamed or folded since', (version) => {
  expect(hashMigrations()).toMatchObject(readKnown(version).migrations);
});

it('the first release is kept', () => {
  expect(RELEASES).toContain('1.0.0');
});

describe.each(RELEASES)('the database of %s, migrated to the schema of today', (version) => {
  const known = readKnown(version);
  const wallet = Keypair.fromSecretKey(bs58.decode(known.marketplace));
  const market = { wallet, address: wallet.publicKey.toBase58() };
  let app: ChainApp;
  let codeFor: (phone: string) => string;
  let database: Awaited<ReturnType<typeof restoreDatabase>>;
  beforeAll(async () => {
    database = await restoreDatabase(version);
    await migrate(database.url, () => {});
    await migrateQueue(database.url);
    const network = await restoreNetwork(version);
    const { url: databaseUrl } = database;
    app = await startProductionChain({ databaseUrl, network });
    codeFor = readCodesFromLog(app);
    // tokens and sign-ins of the release are still valid
    app.advance((Date.parse(known.keptAt) - Date.now()) / 1_000);
  });
  afterAll(async () => {
    await app?.stop();
    await database?.drop();
  });

  it('has the schema of a new database', async () => {
    const orm = await openOrm(database.url, 2, () => {});
    try {
      expect(await orm.schema.getUpdateSchemaSQL()).toBe('');
    } finally {
      await orm.close();
    }
  });

  it('has a whole audit log', async () => {
    expect((await verifyAudit(app.context())).broken).toBeUndefined();
  });

  describe.each(['sandbox', 'production'] as const)('in %s', (mode) => {
    const { seller, buyer, held, listed, refreshToken, ...client } = known[mode];

    it('a refresh token of the release gets a new one, and the fan’s tickets', async () => {
      const { access_token, status } = await refresh(app, refreshToken, { client_id: client.clientId });
      expect(status).toBe(200);
      const { body } = await callFan(app, '/tickets', access_token);
      expect((body.tickets as { id: string }[]).map(({ id }) => id)).toContain(held.id);
    });

    /** A fan who signs in by the client of the release, once. */
    function fanOf(fan: KnownFan): User {
      let tokens: Promise<Tokens> | undefined;
      const choice = {
        ...{ ...client, scope: CHAIN_SCOPE, phone: fan.phone },
        get code() {
          return fan.code || codeFor(fan.phone);
        },
      };
      return {
        ...fan,
        tokens() {
          tokens ??= signIn(app, choice);
          return tokens;
        },
      };
    }

    it('the fans sign in again, and what was held and what was listed is sold', async () => {
      const [from, to] = [fanOf(seller), fanOf(buyer)];
      await putOnSale(app, market, held, from);
      for (const ticket of [held, listed]) {
        const sale = await claim(app, to, [await transfer(app, market, ticket, buyer.wallet_address)]);
        expect(sale.status).toBe(200);
        expect(await onChain(app, ticket)).toMatchObject({ owner: buyer.wallet_address, state: 'held' });
      }
    });
  });

  it('the service account imports into an event of the release', async () => {
    const row = { kind: 'ticket', reference: 'kept-1', event: 'kept-event', ticket_type: 'kept-type', label: 'Row 1' };
    const body = `${JSON.stringify(row)}\n`;
    expect(await importBody(app, known.serviceToken, body)).toMatchObject({ updated: 1, failed: 0 });
    expect(await importBody(app, known.serviceToken, body)).toMatchObject({ unchanged: 1, failed: 0 });
  });

  it('the console shows each list and timeline', async () => {
    const staff = await newStaff(app);
    for (const { page, total } of consoleLists()) {
      await runAs(app, staff, page);
      await runAs(app, staff, total);
    }
    const { entries } = await askAs(
      app,
      staff,
      `{ timeline(search: "${known.sandbox.seller.id}") { entries { title } } }`,
    );
    expect(entries).not.toEqual([]);
  });
});
