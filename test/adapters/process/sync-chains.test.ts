import { pino } from 'pino';
import { expect, test } from 'vitest';
import { syncChains } from '../../../adapters/process/sync-chains.ts';
import type { ChainGateway } from '../../../src/chain/gateway/gateway.ts';
import { oneTicket, rows } from '../../support/chain-app.ts';
import { testChainApp } from '../../support/test-chain-app.ts';
import { fundedMarketplace, putOnSale } from '../../support/ticket-transactions.ts';

/** One mode never holds up the other. */
const app = await testChainApp();
await rows(
  app,
  `insert into chain_cluster (mode, genesis_hash) values ('production', 'production') on conflict do nothing`,
);
async function openListings(): Promise<number> {
  const [row] = await rows<{ open: number }>(app, 'select count(*)::int as open from listing where closed_at is null');
  return row?.open ?? -1;
}
/** Follows both modes, with this cluster for production, until the sandbox shows one more listing. */
async function expectSandboxFollowed(programSignatures: ChainGateway['programSignatures']): Promise<object[]> {
  const lines: { what?: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const production = { ...app.chain, gateway: { ...app.chain.gateway, programSignatures } };
  const following = syncChains({ ...app.runtime, log, chains: { sandbox: app.chain, production } });
  try {
    const ticket = await oneTicket(app, app.users[0]);
    const before = await openListings();
    await putOnSale(app, await fundedMarketplace(app), ticket, app.users[0]);
    await expect.poll(openListings, { timeout: 20_000 }).toBe(before + 1);
  } finally {
    await following.stop();
  }
  return lines.filter(({ what }) => what?.startsWith('reconciling'));
}

test('a mode whose cluster hangs does not hold up the other', async () => {
  const hanging = Promise.withResolvers<never>();
  let asked = 0;
  const followed = expectSandboxFollowed(() => {
    asked += 1;
    return hanging.promise;
  });
  // the loops end when what they wait for has ended
  await expect.poll(openListings, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(asked).toBe(1);
  hanging.reject(new Error('it hung'));
  await followed;
});

test('a fault of one mode is logged with its mode, and the other is followed', async () => {
  const lines = await expectSandboxFollowed(() => Promise.reject(new Error('a fault for a test')));
  expect(lines).not.toHaveLength(0);
  for (const line of lines) expect(line).toMatchObject({ level: 50, what: 'reconciling production' });
});

test('a mode without a chain is passed over until it has one', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
  const chains: typeof app.runtime.chains = {};
  const following = syncChains({ ...app.runtime, log, chains });
  try {
    const ticket = await oneTicket(app, app.users[0]);
    const before = await openListings();
    await putOnSale(app, await fundedMarketplace(app), ticket, app.users[0]);
    chains.sandbox = app.chain;
    await expect.poll(openListings, { timeout: 20_000 }).toBe(before + 1);
    expect(lines).toEqual([]);
  } finally {
    await following.stop();
  }
});
