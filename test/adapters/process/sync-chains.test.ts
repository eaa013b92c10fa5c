import { pino } from 'pino';
import { expect, test } from 'vitest';
import { syncChains } from '../../../adapters/process/sync-chains.ts';
import type { ChainGateway } from '../../../src/chain/gateway/gateway.ts';
import { oneTicket, rows } from '../../support/chain-app.ts';
import { testChainApp } from '../../support/test-chain-app.ts';
import { fundedMarketplace, putOnSale } from '../../support/ticket-transactions.ts';

const app = await testChainApp();
await rows(
  app,
  `insert into chain_cluster (mode, genesis_hash) values ('production', 'production') on conflict do nothing`,
);
async function openListings(): Promise<number> {
  const [row] = await rows<{ open: number }>(app, 'select count(*)::int as open from listing where closed_at is null');
  return row?.open ?? -1;
}
/** Follows these chains until the sandbox shows one more listing. @param sold runs once it is on the chain */
async function expectSandboxFollowed(chains: typeof app.runtime.chains, sold = () => {}): Promise<object[]> {
  const lines: { what?: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  // first, since the loops under test would issue its permit too
  const ticket = await oneTicket(app, app.users[0]);
  const following = syncChains({ ...app.runtime, log, chains });
  try {
    const before = await openListings();
    await putOnSale(app, await fundedMarketplace(app), ticket, app.users[0]);
    sold();
    await expect.poll(openListings, { timeout: 20_000 }).toBe(before + 1);
  } finally {
    await following.stop();
  }
  return lines;
}
/** Both modes, with this cluster for production. */
function withProduction(programSignatures: ChainGateway['programSignatures']) {
  return { sandbox: app.chain, production: { ...app.chain, gateway: { ...app.chain.gateway, programSignatures } } };
}

test('a mode whose cluster hangs does not hold up the other', async () => {
  const hanging = Promise.withResolvers<never>();
  let asked = 0;
  const hangs = withProduction(() => {
    asked += 1;
    return hanging.promise;
  });
  const followed = expectSandboxFollowed(hangs);
  // the loops end when what they wait for has ended
  await expect.poll(openListings, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(asked).toBe(1);
  hanging.reject(new Error('it hung'));
  await followed;
});

test('a fault of one mode is logged with its mode, and the other is followed', async () => {
  const lines = await expectSandboxFollowed(withProduction(() => Promise.reject(new Error('a fault for a test'))));
  expect(lines).not.toHaveLength(0);
  for (const line of lines) expect(line).toMatchObject({ level: 50, what: 'reconciling production' });
});

test('a mode without a chain is passed over until it has one', async () => {
  const chains: typeof app.runtime.chains = {};
  const lines = await expectSandboxFollowed(chains, () => {
    chains.sandbox = app.chain;
  });
  expect(lines).toEqual([]);
});
