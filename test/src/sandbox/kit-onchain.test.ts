import { register } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { requireReadable } from '../../../src/chain/gateway/read-accounts.ts';
import { serviceAddresses } from '../../../src/workspace/service-addresses.ts';
import { type ChainApp, rows, startChainApp } from '../../support/chain-app.ts';
import { newStaff, runAs } from '../../support/staff-call.ts';
import { testChainApp } from '../../support/test-chain-app.ts';

/** What staff make in the sandbox stands on the chain a moment later, without waiting for the job. */
const PUBLIC = 'https://rpc.example/solana';
const app = await testChainApp({ env: { SANDBOX_PUBLIC_RPC_URL: PUBLIC } });

async function unissued(): Promise<number> {
  const [count] = await rows<{ unissued: number }>(
    app,
    'select count(*)::int as unissued from permit where issued_at is null and revoked_at is null',
  );
  return count?.unissued ?? -1;
}

describe('a starter kit', () => {
  const CREATE = `mutation ($clientId: ID!, $requestKey: String!) {
    createStarterKit(clientId: $clientId, requestKey: $requestKey) { __typename ... on Refusal { message }
      ... on StarterKit { configuration event { tixEventId } } } }`;

  it('has its permits on the chain, held by its test user; of two made at once too', async () => {
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
    await expect.poll(unissued, { timeout: 20_000 }).toBe(0);
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
