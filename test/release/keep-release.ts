import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readLocalProgram } from '@fan-api/ticket-program/local-program';
import bs58 from 'bs58';
import { it } from 'vitest';
import { migrateQueue } from '../../adapters/process/jobs.ts';
import { startTestNetwork } from '../../packages/localnet/test/test-network.ts';
import { migrate } from '../../src/entities/migrate.ts';
import { idOf } from '../../src/platform/identifier/type-id.ts';
import { REDIRECT_URI_OF_SAMPLES } from '../../src/sandbox/starter-kit.ts';
import { fanOf, issueAll, startProductionChain, ticketOf } from '../src/inventory/chain-stage.ts';
import { apply, eventRow, signInProduction, ticketRow, typeRow } from '../src/inventory/stage.ts';
import { CHAIN_SCOPE, type ChainApp, moreTickets, type TestTicket, type User } from '../support/chain-app.ts';
import { fillTables } from '../support/fill-tables.ts';
import { importToken } from '../support/import-calls.ts';
import { INSTALLED_PROGRAMS, openPostgres } from '../support/postgres.ts';
import { enableProductionClient } from '../support/production.ts';
import { claim, fundedMarketplace, type Marketplace, putOnSale, transfer } from '../support/ticket-transactions.ts';
import { folderOf, hashMigrations, type Known, type KnownFan, type KnownSale } from './kept-release.ts';

/** Rows of the tables that grow. */
const HISTORY = 1_000;
/** No test of the future finds these events over. */
const FAR = new Date('2090-05-01T22:00:00Z');

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

it(`keeps ${version}`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  // as root, PostgreSQL runs as another user, who must be able to come in
  await chmod(folder, 0o755);
  const server = await openPostgres(join(folder, 'data'), { programs: INSTALLED_PROGRAMS });
  const { url: databaseUrl } = server;
  try {
    await migrate(databaseUrl, () => {});
    await migrateQueue(databaseUrl);
    const network = await startTestNetwork({ dataDir: join(folder, 'network'), programs: [readLocalProgram()] });
    const app = await startProductionChain({ databaseUrl, network: { ...network, remove: network.stop } });
    const known = await fill(app);
    await app.stop();
    const options = ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=1000', databaseUrl];
    const dump = execFileSync(join(INSTALLED_PROGRAMS, 'pg_dump'), options, { maxBuffer: 1 << 28 });
    keep('database.sql.gz', gzipSync(dump.toString().replaceAll(/^\\.*$/gm, ''), { level: 9 }));
    keep('chain.sqlite.gz', gzipSync(readFileSync(join(folder, 'network', 'localnet', 'chain.sqlite')), { level: 9 }));
    keep('known.json', `${JSON.stringify(known, null, 2)}\n`);
  } finally {
    await server.end();
    await rm(folder, { recursive: true, force: true });
  }
}, 600_000);

function keep(name: string, content: string | Uint8Array): void {
  mkdirSync(folderOf(version), { recursive: true });
  writeFileSync(new URL(name, folderOf(version)), content);
}

async function fill(app: ChainApp): Promise<Known> {
  const market = await fundedMarketplace(app);
  const kept = {
    commit: execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim(),
    migrations: hashMigrations(),
    serviceToken: await importToken(app),
    marketplace: bs58.encode(market.wallet.secretKey),
    sandbox: await sandboxSale(app, market),
    production: await productionSale(app, market),
    keptAt: new Date().toISOString(),
  };
  await fillTables(app.runtime.pool, HISTORY);
  // the hashes of its audit entries are not real, and the kept log is to be whole
  await app.runtime.pool.query(
    `set session_replication_role = replica; delete from audit_entry where request_id like 'request %';
     drop function a, h, u`,
  );
  return kept;
}

/** Sells one ticket to the buyer, and puts one on sale that stays there. */
async function trade(app: ChainApp, market: Marketplace, seller: User, buyer: User, tickets: TestTicket[]) {
  const [held, listed, sold] = tickets;
  if (held === undefined || listed === undefined || sold === undefined) throw new RangeError('three tickets');
  await putOnSale(app, market, listed, seller);
  await putOnSale(app, market, sold, seller);
  const answer = await claim(app, buyer, [await transfer(app, market, sold, buyer.wallet_address)]);
  if (answer.status !== 200) throw new Error(`the sale ended with ${answer.status}`);
  return { seller: known(seller), buyer: known(buyer), held, listed };
}

function known({ id, phone, code, wallet_address }: User): KnownFan {
  return { id, phone, code, wallet_address };
}

async function sandboxSale(app: ChainApp, market: Marketplace): Promise<KnownSale> {
  const [seller, buyer] = app.users;
  const tickets = await moreTickets(app, seller, { count: 3, endsAt: FAR });
  return {
    clientId: app.kit.client_id,
    redirectUri: REDIRECT_URI_OF_SAMPLES,
    refreshToken: (await seller.tokens()).refresh_token,
    ...(await trade(app, market, seller, buyer, tickets)),
  };
}

async function productionSale(app: ChainApp, market: Marketplace): Promise<KnownSale> {
  const [phone, other] = ['+12025550181', '+12025550182'];
  const row = (reference: string, holder_phone = phone) =>
    ticketRow('kept-event', 'kept-type', reference, { holder_phone });
  const references = ['kept-1', 'kept-2', 'kept-3'];
  await apply(app, [
    eventRow('kept-event', { starts_at: '2090-05-01T18:00:00Z', ends_at: FAR.toISOString() }),
    typeRow('kept-event', 'kept-type'),
    ...references.map((reference) => row(reference)),
    row('kept-4', other),
  ]);
  await issueAll(app);
  const tickets = await Promise.all(
    references.map(async (reference) => {
      const { id, permit } = await ticketOf(app, reference);
      return { id: idOf('tkt', id), permit, tixEventId: '', tixTicketId: '' };
    }),
  );
  const { clientId, redirectUri } = await enableProductionClient(app);
  const choice = { clientId, redirectUri, scope: CHAIN_SCOPE };
  const { refresh_token: refreshToken } = await signInProduction(app, phone, choice);
  const sale = await trade(app, market, await fanOf(app, phone), await fanOf(app, other), tickets);
  return { clientId, redirectUri, refreshToken, ...sale };
}
