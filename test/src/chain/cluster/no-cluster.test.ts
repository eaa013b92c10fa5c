import { describe, expect, it } from 'vitest';
import { openChains } from '../../../../adapters/process/open-chains.ts';
import { until } from '../../../../packages/localnet/test/test-network.ts';
import { CHAIN_SCOPE, rows } from '../../../support/chain-app.ts';
import { callFan } from '../../../support/partner.ts';
import { only } from '../../../support/rpc-proxy.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import { postFan, randomAddress } from '../../../support/ticket-transactions.ts';
import { signInProduction } from '../../inventory/stage.ts';

/** What passes by waiting has Retry-After, what does not has none. */
const app = await testChainApp();
const { access_token: token } = await signInProduction(app, '+12025550143', { scope: CHAIN_SCOPE });

const CALLS = [
  ['/authorizations', { type: 'list', transactions: ['00'] }],
  ['/claims/execute', { tickets: [{ tx: '00' }] }],
] as const;

async function readyz() {
  // what it remembers is older then
  app.advance(5);
  return (await fetch(`${app.origin}/readyz`)).json();
}

it.each(CALLS)(
  'a production client without a cluster, %s: 503 `cluster_missing` without Retry-After; tickets work',
  async (path, body) => {
    const answer = await postFan(app, path, token, body);
    expect({
      status: answer.status,
      code: answer.headers.get('x-error-code'),
      retryAfter: answer.headers.get('retry-after'),
      body: answer.body,
    }).toEqual({
      status: 503,
      code: 'cluster_missing',
      retryAfter: null,
      body: { message: 'No Solana cluster is set up for production: listings and claims do not work.' },
    });
    expect((await callFan(app, '/tickets', token)).status).toBe(200);
    expect(await readyz()).toEqual({ status: 'ready' });
  },
);

describe('a production client whose cluster is configured', () => {
  async function withProduction(work: () => Promise<void>) {
    const { sandbox } = app.config.chains;
    // the local network's own program counts in sandbox only
    const production = { rpcUrl: app.proxy.url, programId: randomAddress(), publicRpcUrl: undefined };
    const before = app.runtime.chains;
    app.proxy.setRule(only('away'));
    const opened = await openChains({ ...app.runtime, config: { ...app.config, chains: { sandbox, production } } });
    app.runtime.chains = opened.chains;
    try {
      await work();
    } finally {
      app.proxy.reset();
      app.runtime.chains = before;
      await opened.close();
      await rows(app, `delete from chain_cluster where mode = 'production'`);
    }
  }

  it('but away: 503 `unavailable` with Retry-After, and named by /readyz; it is used as soon as it answers', async () => {
    await withProduction(async () => {
      for (const [path, body] of CALLS) {
        const answer = await postFan(app, path, token, body);
        expect([answer.status, answer.headers.get('x-error-code')]).toEqual([503, 'unavailable']);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect(await readyz()).toMatchObject({
        status: 'ready',
        degraded: ['chain (sandbox): unreachable', 'chain (production): unreachable'],
      });
      app.proxy.reset();
      await until(() => app.runtime.chains.production !== undefined);
      expect(app.runtime.chains.absent?.size).toBe(0);
      const [path, body] = CALLS[0];
      expect((await postFan(app, path, token, body)).status).toBe(400);
    });
  });

  it('but is another one when it answers: 503 without Retry-After, and named by /readyz', async () => {
    const known = `insert into chain_cluster (mode, genesis_hash) values ('production', $1)`;
    await rows(app, known, [randomAddress()]);
    await withProduction(async () => {
      app.proxy.reset();
      await until(() => app.runtime.chains.absent?.get('production') === 'wrong_cluster');
      const [path, body] = CALLS[0];
      const answer = await postFan(app, path, token, body);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, null]);
      // until then, sandbox may not have been asked again
      await expect.poll(readyz).toMatchObject({ degraded: ['chain (production): wrong_cluster'] });
    });
  });
});
