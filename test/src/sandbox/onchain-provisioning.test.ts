import { PublicKey } from '@solana/web3.js';
import { pino } from 'pino';
import { register } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { startHostedNetwork } from '../../../packages/localnet/test/hosted-network.ts';
import { rpc } from '../../../packages/localnet/test/test-network.ts';
import { createGateway } from '../../../src/chain/gateway/gateway.ts';
import { requireReadable } from '../../../src/chain/gateway/read-accounts.ts';
import { putOnchain } from '../../../src/inventory/issuing/issue-turn.ts';
import { serviceAddresses } from '../../../src/people/workspace/limit-use.ts';
import { setUpLocalProgram } from '../../../src/sandbox/set-up-local-program.ts';
import { type ChainApp, moreTickets, rows, startChainApp, type TestTicket } from '../../support/chain-app.ts';
import type { Fate } from '../../support/rpc-proxy.ts';
import { newStaff, runAs } from '../../support/staff-call.ts';
import { testChainApp } from '../../support/test-chain-app.ts';
import { onChain } from '../../support/ticket-transactions.ts';

const PUBLIC = 'https://rpc.example/solana';
const app = await testChainApp({ env: { SANDBOX_PUBLIC_RPC_URL: PUBLIC } });

/** Provisioning may break off anywhere; repeated, it ends with everything on the chain once. */
afterEach(() => app.proxy.reset());

async function waiting(): Promise<number> {
  const [count] = await rows<{ waiting: number }>(
    app,
    `select (select count(*)::int from permit where issued_at is null and revoked_at is null)
       + (select count(*)::int from event where registered_at is null) as waiting`,
  );
  return count?.waiting ?? -1;
}

/** Transactions of the network that wrote this account. */
async function writesOf(address: string): Promise<number> {
  const found = await app.connection.getSignaturesForAddress(new PublicKey(address));
  return found.filter(({ err }) => err === null).length;
}

async function make() {
  const endsAt = new Date(Date.now() + 7_200_000);
  return (await moreTickets(app, app.users[0], { count: 2, endsAt, issue: false })) as [TestTicket, TestTicket];
}

const put = () => putOnchain(app.context(), 'sandbox');

async function expectProvisioned(tickets: TestTicket[]): Promise<void> {
  expect(await waiting()).toBe(0);
  for (const ticket of tickets) {
    expect(await onChain(app, ticket)).toMatchObject({ owner: app.users[0].wallet_address, state: 'held' });
    expect(await writesOf(ticket.permit)).toBe(1);
  }
}

describe('provisioning on chain', () => {
  it('the starter kit is on the chain, each permit with its holder', async () => {
    const permits = await rows<{ permit: string; owner: string }>(
      app,
      `select p.tix_permit_id as permit, w.address as owner
       from permit p join ticket t on t.id = p.ticket_id join wallet w on w.fan_id = t.owner_id`,
    );
    expect(permits).toHaveLength(7);
    for (const permit of permits) expect((await onChain(app, permit)).owner).toBe(permit.owner);
    expect(await waiting()).toBe(0);
  });

  it('with nothing to do it asks the chain nothing', async () => {
    await put();
    expect(app.proxy.calls).toEqual([]);
  });

  it.each(Array.from({ length: 14 }, (_, index) => index + 1))(
    'broken off at its call %d of the node, and repeated: everything is on the chain once',
    async (nth) => {
      const tickets = await make();
      app.proxy.reset();
      let calls = 0;
      app.proxy.setRule((): Fate => {
        calls += 1;
        return calls >= nth ? 'away' : 'pass';
      });
      const [{ status }] = await Promise.allSettled([put()]);
      app.proxy.reset();
      if (status === 'rejected') await put();
      await expectProvisioned(tickets);
    },
  );

  it('the process ends after the network took it and before that is written', async () => {
    const tickets = await make();
    await put();
    await rows(app, 'update permit set issued_at = null where tix_permit_id = any($1)', [
      tickets.map(({ permit }) => permit),
    ]);
    await rows(app, 'update event set registered_at = null where tix_event_id = $1', [tickets[0]?.tixEventId]);
    app.proxy.reset();
    await put();
    expect(app.proxy.count('sendTransaction')).toBe(0);
    await expectProvisioned(tickets);
  });

  it('two processes at once', async () => {
    const tickets = await make();
    await Promise.allSettled([put(), put()]);
    await put();
    await expectProvisioned(tickets);
  });

  it('an event and a permit that the cluster refuses do not hold up the others, and come to the chain by a later run', async () => {
    const [badEvent] = await make();
    const [badPermit, good] = await make();
    app.proxy.setRule(({ method, params }) => {
      if (method !== 'sendTransaction') return 'pass';
      const bytes = Buffer.from(String(params[0]), 'base64');
      const names = (address: string) => bytes.includes(new PublicKey(address).toBuffer());
      const isRegistration = names(badEvent.tixEventId) && !names(badEvent.permit);
      if (!isRegistration && !names(badPermit.permit)) return 'pass';
      return { reply: { error: { code: -32002, message: 'refused for a test' } } };
    });
    const lines: { reason?: string }[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
    await putOnchain({ ...app.context(), log }, 'sandbox');
    expect(await onChain(app, good)).toMatchObject({ state: 'held' });
    expect(await app.chain.gateway.permits([badPermit.permit])).toEqual([undefined]);
    expect(lines.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('refused for a test'),
      // the permits of the event that was refused
      expect.stringContaining('its event is not on the chain yet'),
      expect.stringContaining('its event is not on the chain yet'),
      'refused for a test',
    ]);
    app.proxy.reset();
    await put();
    await expectProvisioned([badPermit, good]);
  });

  it('an account that is not to be read at the address of a permit or event is not taken for it, nor sent over', async () => {
    const tickets = await make();
    const [bad] = tickets;
    app.proxy.setRule(({ method, params }) => {
      if (method !== 'getMultipleAccounts') return 'pass';
      const place = (params[0] as string[]).indexOf(bad.permit);
      const odd = { owner: app.chain.programId, data: ['AAAA', 'base64'] };
      return ({ result }) => {
        const { context, value } = result as { context: object; value: unknown[] };
        return { result: { context, value: value.map((each, at) => (at === place ? odd : each)) } };
      };
    });
    await put();
    expect(await waiting()).toBe(1);
    app.proxy.reset();
    await put();
    await expectProvisioned(tickets);
  });
});

const CREATE = `mutation ($clientId: ID!, $requestKey: String!) {
  createStarterKit(clientId: $clientId, requestKey: $requestKey) { __typename ... on Refusal { message }
    ... on StarterKit { configuration event { tixEventId } } } }`;

it('a starter kit has its permits on the chain, held by its test user; of two made at once too', async () => {
  const staff = await newStaff(app, 'support');
  const answers = await Promise.all(
    ['one', 'two'].map((requestKey) =>
      runAs<{ createStarterKit: { configuration: { rpc_url: string; test_users: { wallet_address: string }[] } } }>(
        app,
        staff,
        CREATE,
        { clientId: app.kit.client_id, requestKey },
      ),
    ),
  );
  await expect.poll(waiting, { timeout: 20_000 }).toBe(0);
  for (const { createStarterKit } of answers) {
    const { rpc_url, test_users } = createStarterKit.configuration;
    expect(rpc_url).toBe(PUBLIC);
    const wallet = test_users[0]?.wallet_address;
    const permits = await rows<{ tix_permit_id: string }>(
      app,
      `select p.tix_permit_id from permit p join ticket t on t.id = p.ticket_id join wallet w on w.fan_id = t.owner_id
       where w.address = $1`,
      [wallet],
    );
    const accounts = await app.chain.gateway.permits(permits.map(({ tix_permit_id }) => tix_permit_id));
    expect(accounts.map((account) => requireReadable(account)?.owner)).toEqual([wallet, wallet, wallet]);
  }
});

describe('D-184: the RPC address that partners see', () => {
  /** What leaves the service and has, or could have, an RPC address in it. */
  async function shownBy(shown: ChainApp): Promise<string> {
    const paths = ['/clusters.json', '/playground/config.json', '/playground', '/readyz', '/docs/listing'];
    const answers = paths.map(async (path) => {
      const answer = await fetch(shown.origin + path);
      return `${path} ${JSON.stringify([...answer.headers])} ${await answer.text()}`;
    });
    const addresses = JSON.stringify(serviceAddresses(shown.context()));
    return [...(await Promise.all(answers)), addresses, await register.metrics()].join('\n');
  }

  it('is SANDBOX_PUBLIC_RPC_URL, in every document and in the content security policy', async () => {
    const shown = await shownBy(app);
    expect(shown.match(/"rpc_url":"https:\/\/rpc\.example\/solana"/g)).toHaveLength(2);
    expect(shown).toMatch(/"sandboxRpcUrl":"https:\/\/rpc\.example\/solana"/);
    expect(shown).toMatch(/connect-src[^;]* https:\/\/rpc\.example[;" ]/);
    expect(shown).not.toContain(app.proxy.url);
  });

  it('is none without it: the address of our node, with its key, is in no answer, log line or error', async () => {
    const lines: string[] = [];
    const other = await startChainApp({
      beside: app,
      env: { SANDBOX_RPC_URL: `${app.proxy.url}/v2/hunter2?api-key=hunter2`, SANDBOX_PUBLIC_RPC_URL: '' },
      logTo: { write: (line) => lines.push(line) },
    });
    expect(await shownBy(other)).not.toMatch(/hunter2|"rpc_url":"|"sandboxRpcUrl":"/);
    app.proxy.setRule(() => 'away');
    const failed = await other.chain.gateway.genesisHash().catch((err: unknown) => err);
    app.proxy.reset();
    other.runtime.log.error({ err: failed }, 'a call of the node failed');
    expect(lines.at(-1)).toMatch(/"type":"DomainError".*socket hang up/);
    expect(lines.join()).not.toContain('hunter2');
    await other.stop();
  });
});

it('a process that finds the local program set up by another meanwhile goes on without an error', async () => {
  const network = await startHostedNetwork();
  try {
    const gateway = createGateway({ rpcUrl: network.url, programId: app.chain.programId });
    const chain = { ...app.chain, gateway };
    await setUpLocalProgram(chain, app.runtime.signer);
    // with the same blockhash it would be the same transaction, which runs once
    const before = await gateway.latestBlockhash();
    await rpc(network.url, 'passSlots', [1]);
    await expect.poll(() => gateway.latestBlockhash()).not.toBe(before);
    // the other has looked before the first was done
    let looks = 0;
    const late = { ...gateway, config: async () => (++looks === 1 ? undefined : gateway.config()) };
    await setUpLocalProgram({ ...chain, gateway: late }, app.runtime.signer);
    expect(looks).toBe(2);
  } finally {
    await network.remove();
  }
});
