import { randomInt } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@fan-api/embedded-postgres';
import { LOCAL_PROGRAM_ID } from '@fan-api/ticket-program/local-keys';
import { Connection, PublicKey } from '@solana/web3.js';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGateway } from '../../src/chain/gateway/gateway.ts';
import { requireReadable } from '../../src/chain/gateway/read-accounts.ts';
import { instructionNameOf } from '../../src/chain/instruction/instructions.ts';
import { readConfig } from '../../src/config/config.ts';
import type { StarterKit } from '../../src/sandbox/starter-kit.ts';
import { signIn } from '../support/partner.ts';
import type { TestApp } from '../support/start-app.ts';
import { type Child, freePortPair, startChild } from './kill/child-process.ts';
import { type Fan, runMarket, type WorkerRecord } from './kill/market-worker.ts';

/**
 * A kill -9 at random moments of a claims run leaves no claim lost, doubled or stuck. The server is a
 * process of its own over a real PostgreSQL (fsync on); the network is another process, which lives on.
 */
const KILLS = Number(process.env.KILLS ?? 25);
/** A left claim waits for the queue: its expiry of a run that was killed, then the next minute. */
const SETTLED_WITHIN_MS = 360_000;

let folder: string;
let postgres: EmbeddedPostgres;
let database: pg.Pool;
let network: Child;
let server: Child;
let env: Record<string, string>;
let rpcUrl: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'claims-kill-'));
  // as root, PostgreSQL runs as another user, who must be able to come in
  await chmod(folder, 0o755);
  postgres = await startEmbeddedPostgres(folder);
  database = new pg.Pool({ connectionString: postgres.url, max: 2 });
  const [port, localnetPort] = [await freePortPair(), await freePortPair()];
  rpcUrl = `http://127.0.0.1:${localnetPort}`;
  env = {
    PORT: String(port),
    METRICS_PORT: '0',
    SANDBOX_RPC_URL: rpcUrl,
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: postgres.url,
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64url'),
    LOG_LEVEL: 'error',
    ACCESS_TOKEN_TTL: '3600',
    FAN_RATE_LIMIT: '100000000',
  };
  network = await startChild(
    'packages/localnet/src/main.ts',
    {
      LOCALNET_PORT: String(localnetPort),
      LOCALNET_CONFIRMED_AFTER: '0',
      LOCALNET_FINALIZED_AFTER: '0',
      DATA_DIR: folder,
    },
    async () => {
      await new Connection(rpcUrl).getSlot();
      return true;
    },
  );
  await startServer();
});
afterAll(async () => {
  await server?.kill('SIGTERM');
  await network?.kill('SIGTERM');
  await database?.end();
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function startServer(): Promise<void> {
  server = await startChild('adapters/main.ts', env, async () => {
    await readFile(kitFile());
    return (await fetch(`http://localhost:${env.PORT}/readyz`)).ok;
  });
}

function kitFile(): string {
  return join(folder, 'data', 'starter-kit.json');
}

async function rows<Row extends object>(text: string): Promise<Row[]> {
  return (await database.query<Row & Record<string, unknown>>(text)).rows;
}

async function openClaims(): Promise<Record<string, number>> {
  const counted = await rows<{ state: string; count: number }>(
    `select state, count(*)::int from claim where state in ('pending', 'submitted') group by state`,
  );
  return Object.fromEntries(counted.map(({ state, count }) => [state, count]));
}

async function startMarkets(stopped: AbortSignal): Promise<Promise<WorkerRecord>[]> {
  const kit: StarterKit = JSON.parse(await readFile(kitFile(), 'utf8'));
  const app = { config: readConfig(env), kit } as TestApp;
  const fans: Fan[] = [];
  for (const { phone, code, wallet_address: wallet } of kit.test_users) {
    const { access_token: accessToken } = await signIn(app, {
      scope: 'openid fan:listings:write fan:claims:write',
      phone,
      code,
    });
    fans.push({ wallet, accessToken });
  }
  const config = await createGateway({ rpcUrl, programId: LOCAL_PROGRAM_ID }).config();
  const permits = await rows<{ permit: string }>('select tix_permit_id as permit from permit');
  return permits.map(({ permit }) => {
    const [first, second] = fans;
    if (!first || !second || !config) throw new Error('the starter kit is not complete');
    const plan = {
      apiUrl: app.config.apiUrl,
      rpcUrl,
      programId: LOCAL_PROGRAM_ID,
      authority: config.authority,
      permit,
    };
    return runMarket({ ...plan, fans: [first, second] }, stopped);
  });
}

/** Every effective transfer of a permit that the network ran, by signature. */
async function transfersOf(connection: Connection, permit: string): Promise<string[]> {
  const found: string[] = [];
  let before: string | undefined;
  for (;;) {
    const page = await connection.getSignaturesForAddress(new PublicKey(permit), { ...(before && { before }) });
    if (page.length === 0) return found;
    before = page.at(-1)?.signature;
    for (const { signature, err } of page) {
      if (err !== null) continue;
      const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
      const instructions = landed?.transaction.message.compiledInstructions ?? [];
      const names = instructions.map(({ data }) => instructionNameOf(data));
      if (names.includes('transfer_permit_v1')) found.push(signature);
    }
  }
}

it('issue 3: kill -9 at random moments leaves no claim lost, doubled or stuck', async () => {
  const stop = new AbortController();
  const markets = await startMarkets(stop.signal);
  const leftByKills: Record<string, number> = {};
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(randomInt(300, 2_500));
    await server.kill('SIGKILL');
    for (const [state, count] of Object.entries(await openClaims())) {
      leftByKills[state] = (leftByKills[state] ?? 0) + count;
    }
    await startServer();
  }
  await sleep(2_000);
  stop.abort();
  const records = await Promise.all(markets);

  const began = performance.now();
  while (Object.keys(await openClaims()).length > 0) {
    if (performance.now() - began > SETTLED_WITHIN_MS) break;
    await sleep(1_000);
  }
  expect(await openClaims(), 'nothing is stuck').toEqual({});
  const settledAfter = Math.round((performance.now() - began) / 1000);
  // so that what landed last is taken in
  await sleep(6_000);

  const claims = await rows<{ signature: string; state: string; permit: string; audited: number }>(
    `select cl.signature, cl.state, p.tix_permit_id as permit,
       (select count(*)::int from audit_entry a where a.subject = cl.signature) as audited
     from claim cl join permit p on p.id = cl.permit_id`,
  );
  const confirmed = claims.filter(({ state }) => state === 'confirmed').map(({ signature }) => signature);
  const failed = claims.filter(({ state }) => state === 'failed').map(({ signature }) => signature);
  expect(
    claims.filter(({ audited }) => audited !== 1),
    'each end is audited once',
  ).toEqual([]);

  const connection = new Connection(rpcUrl, 'confirmed');
  const permits = await rows<{ permit: string; owner: string }>(
    'select p.tix_permit_id as permit, w.address as owner from permit p join ticket t on t.id = p.ticket_id left join wallet w on w.fan_id = t.owner_id',
  );
  const landed = (await Promise.all(permits.map(({ permit }) => transfersOf(connection, permit)))).flat();
  expect(landed.toSorted(), 'what is confirmed is on the chain once, and what is not confirmed is not there').toEqual(
    confirmed.toSorted(),
  );
  expect(failed.filter((signature) => landed.includes(signature))).toEqual([]);

  const answered = records.flatMap((record) => record.claimed);
  expect(
    answered.filter((signature) => !confirmed.includes(signature)),
    'what was answered 200 is confirmed',
  ).toEqual([]);

  const gateway = createGateway({ rpcUrl, programId: LOCAL_PROGRAM_ID });
  const accounts = await gateway.permits(permits.map(({ permit }) => permit));
  expect(permits.map(({ owner }) => owner)).toEqual(accounts.map((account) => requireReadable(account)?.owner));

  const abandoned = records.reduce((sum, record) => sum + record.abandoned, 0);
  const interrupted = records.reduce((sum, record) => sum + record.interrupted, 0);
  // without what differs from answer to answer
  const refused = records.flatMap((record) => record.refused.map((text) => text.replace(/ \(.*/, '')));
  process.stdout.write(
    `${KILLS} kills, ${claims.length} claims: ${confirmed.length} confirmed, ${failed.length} failed; ` +
      `${answered.length} answered 200, ${interrupted} requests interrupted, ${abandoned} claims abandoned by their partner, left by the kills ${JSON.stringify(leftByKills)}; ` +
      `the last settled ${settledAfter} s after the stream; other answers ${JSON.stringify(countOf(refused))}\n`,
  );
  expect(confirmed.length).toBeGreaterThan(KILLS);
});

function countOf(texts: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}
