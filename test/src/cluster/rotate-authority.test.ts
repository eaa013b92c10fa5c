import { LOCAL_ADMIN_SEED } from '@fan-api/ticket-program/local-keys';
import { Keypair } from '@solana/web3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { openChains } from '../../../adapters/open-chains.ts';
import type { Cluster } from '../../../src/cluster/open-cluster.ts';
import { readClusterStatus } from '../../../src/cluster/read-cluster-status.ts';
import { rotateAuthority } from '../../../src/cluster/rotate-authority.ts';
import { putOnchain } from '../../../src/issuing/issue-turn.ts';
import { ensureChainKeys } from '../../../src/wallet/create-keys.ts';
import { takeAuthority } from '../../../src/wallet/take-authority.ts';
import { moreTickets, oneTicket, rows } from '../../support/chain-app.ts';
import { testChainApp } from '../../support/test-chain-app.ts';
import { authorizeListing, fundedMarketplace, listing, type Marketplace } from '../../support/ticket-transactions.ts';
import { signerOf } from './test-cluster.ts';

/** Issue 12, 2: the authority is rotated while the service runs. */
let market: Marketplace;
const app = await testChainApp();
beforeAll(async () => {
  market = await fundedMarketplace(app);
});

const admin = signerOf(Keypair.fromSeed(LOCAL_ADMIN_SEED));

/** As a command in another process opens it: with the keys in the database. */
async function cluster(): Promise<Cluster> {
  const keys = await ensureChainKeys(app.context(), 'sandbox');
  return { ...app.chain, ...keys, mode: 'sandbox', rpcUrl: app.network.url };
}

const rotate = async () => rotateAuthority(app.context(), await cluster(), admin);
const keys = () =>
  rows<{ role: string; address: string }>(app, "select role, address from chain_key where mode = 'sandbox'");
const addressOf = async (role: string) => (await keys()).find((key) => key.role === role)?.address;

describe('chain -- rotate', () => {
  it('the running service signs for the new authority at once, and refuses the old one', async () => {
    const [first, second] = await moreTickets(app, app.users[0], { count: 2 });
    if (!first || !second) throw new Error('there are two tickets');
    const old = app.chain.authority;
    const before = await listing(app, market, first, app.users[0].wallet_address);
    expect(await rotate()).toEqual({ done: expect.any(String) });
    const next = (await app.chain.gateway.config())?.authority ?? '';
    expect(next).not.toBe(old);
    // the running process has not noticed yet
    expect(app.chain.authority).toBe(old);
    app.chain.authority = next;
    const after = await listing(app, market, second, app.users[0].wallet_address);
    app.chain.authority = old;
    expect((await authorizeListing(app, app.users[0], 'list', [after])).status).toBe(200);
    expect(app.chain.authority).toBe(next);
    const answer = await authorizeListing(app, app.users[0], 'list', [before]);
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([400, 'wrong_account']);
  });

  it('a process that meets an old transaction first follows as well, and does not sign it', async () => {
    const ticket = await oneTicket(app, app.users[0]);
    const before = await listing(app, market, ticket, app.users[0].wallet_address);
    await rotate();
    const answer = await authorizeListing(app, app.users[0], 'list', [before]);
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([400, 'wrong_account']);
    expect(app.chain.authority).toBe((await app.chain.gateway.config())?.authority);
  });

  it('permits are issued under the new authority', async () => {
    await rotate();
    await moreTickets(app, app.users[0], { issue: false });
    await putOnchain(app.context(), 'sandbox');
    expect(await rows(app, 'select 1 from permit where issued_at is null and revoked_at is null')).toEqual([]);
  });

  it('the key before is kept as the former one, and the change is in the audit log', async () => {
    const before = await addressOf('authority');
    await rotate();
    expect(await addressOf('former_authority')).toBe(before);
    expect(await addressOf('next_authority')).toBeUndefined();
    const subject = await addressOf('authority');
    expect(
      await rows(
        app,
        "select actor, details from audit_entry where action = 'chain_authority.rotated' and subject = $1",
        [subject],
      ),
    ).toEqual([{ actor: 'system', details: { mode: 'sandbox', before } }]);
  });

  it('a rotation that the cluster drops again is undone here too', async () => {
    const [authority, former] = [await addressOf('authority'), await addressOf('former_authority')];
    const context = app.context();
    expect(await takeAuthority(context, 'sandbox', former ?? '')).toBe(true);
    expect([await addressOf('authority'), await addressOf('next_authority')]).toEqual([former, authority]);
    expect(await takeAuthority(context, 'sandbox', authority ?? '')).toBe(true);
    expect([await addressOf('authority'), await addressOf('former_authority')]).toEqual([authority, former]);
  });

  it('several processes that notice it together move the keys once', async () => {
    const next = Keypair.generate().publicKey.toBase58();
    await app.runtime.pool.query(
      "insert into chain_key (mode, role, address, sealed_key, created_at) values ('sandbox', 'next_authority', $1, '', now())",
      [next],
    );
    const before = await addressOf('authority');
    const taken = await Promise.all(Array.from({ length: 6 }, () => takeAuthority(app.context(), 'sandbox', next)));
    expect(taken).toEqual(Array.from({ length: 6 }, () => true));
    expect([await addressOf('authority'), await addressOf('former_authority')]).toEqual([next, before]);
    expect(await takeAuthority(app.context(), 'sandbox', before ?? '')).toBe(true);
    await app.runtime.pool.query("delete from chain_key where role = 'next_authority'");
  });

  it("a stranger's key is never taken, and the payer is no authority", async () => {
    const before = await keys();
    for (const address of [Keypair.generate().publicKey.toBase58(), app.chain.payer]) {
      expect(await takeAuthority(app.context(), 'sandbox', address)).toBe(false);
    }
    expect(await keys()).toEqual(before);
  });

  it('only the admin of the program may rotate', async () => {
    const stranger = signerOf(Keypair.generate());
    await expect(rotateAuthority(app.context(), await cluster(), stranger)).rejects.toThrow(
      `The admin of the program is ${admin.address}.`,
    );
  });

  it('a process that starts after it uses the new authority', async () => {
    await rotate();
    const opened = await openChains(app.runtime);
    expect(opened.chains.sandbox?.authority).toBe((await app.chain.gateway.config())?.authority);
    await opened.close();
  });

  it('the status of the local network is ready', async () => {
    const { missing } = await readClusterStatus(app.context(), await cluster(), Buffer.alloc(0));
    expect(missing).toEqual([]);
  });
});
