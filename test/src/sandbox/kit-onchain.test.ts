import { describe, expect, it } from 'vitest';
import { requireReadable } from '../../../src/chain/gateway/read-accounts.ts';
import { rows } from '../../support/chain-app.ts';
import { newStaff, runAs } from '../../support/staff-call.ts';
import { testChainApp } from '../../support/test-chain-app.ts';

/** What staff make in the sandbox stands on the chain a moment later, without waiting for the job. */
const app = await testChainApp();

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
      expect(rpc_url).toBe(app.chain.publicRpcUrl);
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
