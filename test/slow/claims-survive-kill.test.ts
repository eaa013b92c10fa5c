import { setTimeout as sleep } from 'node:timers/promises';
import { LOCAL_PROGRAM_ID } from '@fan-api/ticket-program/local-keys';
import { Connection } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGateway } from '../../src/chain/gateway/gateway.ts';
import { requireReadable } from '../../src/chain/gateway/read-accounts.ts';
import { readConfig } from '../../src/config/config.ts';
import { signIn } from '../support/partner.ts';
import type { TestApp } from '../support/start-app.ts';
import { type KilledService, startKilledService, untilNone } from './kill/killed-service.ts';
import { type Fan, runMarket, type WorkerRecord } from './kill/market-worker.ts';
import { transfersOf } from './kill/signatures-of.ts';

/**
 * A kill -9 at random moments of a claims run leaves no claim lost, doubled or stuck. The server is a
 * process of its own over a real PostgreSQL (fsync on); the network is another process, which lives on.
 */
const KILLS = Number(process.env.KILLS ?? 25);
/** A left claim waits for the queue: its expiry of a run that was killed, then the next minute. */
const SETTLED_WITHIN_MS = 360_000;

let service: KilledService;
beforeAll(async () => {
  service = await startKilledService({ confirmedAfter: 0, finalizedAfter: 0 });
});
afterAll(() => service?.stop());

async function openClaims(): Promise<Record<string, number>> {
  const counted = await service.rows<{ state: string; count: number }>(
    `select state, count(*)::int from claim where state in ('pending', 'submitted') group by state`,
  );
  return Object.fromEntries(counted.map(({ state, count }) => [state, count]));
}

async function startMarkets(stopped: AbortSignal): Promise<Promise<WorkerRecord>[]> {
  const { env, rpcUrl } = service;
  const kit = await service.kit();
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
  const permits = await service.rows<{ permit: string }>('select tix_permit_id as permit from permit');
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

it('kill -9 at random moments leaves no claim lost, doubled or stuck', async () => {
  const stop = new AbortController();
  const markets = await startMarkets(stop.signal);
  const leftByKills: Record<string, number> = {};
  await service.killOver(KILLS, async () => {
    for (const [state, count] of Object.entries(await openClaims())) {
      leftByKills[state] = (leftByKills[state] ?? 0) + count;
    }
  });
  await sleep(2_000);
  stop.abort();
  const records = await Promise.all(markets);

  const settledAfter = await untilNone(async () => Object.keys(await openClaims()).length, SETTLED_WITHIN_MS);
  expect(await openClaims(), 'nothing is stuck').toEqual({});
  // so that what landed last is taken in
  await sleep(6_000);

  const claims = await service.rows<{ signature: string; state: string; permit: string; audited: number }>(
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

  const { rpcUrl } = service;
  const connection = new Connection(rpcUrl, 'confirmed');
  const permits = await service.rows<{ permit: string; owner: string }>(
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
