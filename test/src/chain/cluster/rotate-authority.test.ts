import { NO_ADDRESS } from '@fan-api/cosign-policy/read-account';
import { LOCAL_ADMIN_SEED } from '@fan-api/ticket-program/local-keys';
import { Keypair } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { openChains } from '../../../../adapters/process/open-chains.ts';
import { authoritiesOf } from '../../../../src/chain/chains.ts';
import type { Cluster } from '../../../../src/chain/cluster/open-cluster.ts';
import { deleteRetiredKey, retireAuthority, rotateAuthority } from '../../../../src/chain/cluster/rotate-authority.ts';
import { requireAuthority } from '../../../../src/chain/require-authority.ts';
import { ensureChainKeys } from '../../../../src/chain/wallet/create-keys.ts';
import { takeAuthority } from '../../../../src/chain/wallet/take-authority.ts';
import { putOnchain } from '../../../../src/inventory/issuing/issue-turn.ts';
import { moreTickets, oneTicket, rows, type TestTicket } from '../../../support/chain-app.ts';
import { rotateBack, rotateTo } from '../../../support/foreign-authority.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import {
  authorizeListing,
  cancellation,
  fundedMarketplace,
  land,
  listing,
  onChain,
  signedBytes,
} from '../../../support/ticket-transactions.ts';
import { signerOf } from './test-cluster.ts';

/** The authority is rotated while the service runs. */
const app = await testChainApp();
const market = await fundedMarketplace(app);
const admin = signerOf(Keypair.fromSeed(LOCAL_ADMIN_SEED));

/** As a command in another process opens it: with the keys in the database. */
async function cluster(): Promise<Cluster> {
  const keys = await ensureChainKeys(app.context(), 'sandbox');
  return { ...app.chain, ...keys, mode: 'sandbox', rpcUrl: app.network.url };
}

const [fan] = app.users;
const list = (ticket: TestTicket) => listing(app, market, ticket, fan.wallet_address);
const authorize = (...transactions: Buffer[]) => authorizeListing(app, fan, 'list', transactions);

/** A ticket, and a listing of it that names the authority of the moment. */
async function listed() {
  const ticket = await oneTicket(app, fan);
  return { ticket, bytes: await list(ticket) };
}

async function expectRefused(bytes: Buffer, code = 'wrong_account'): Promise<void> {
  const { status, headers } = await authorize(bytes);
  expect([status, headers.get('x-error-code')]).toEqual([400, code]);
}

const stateOf = async (ticket: TestTicket) => (await onChain(app, ticket)).state;
const rotate = async () => rotateAuthority(app.context(), await cluster(), admin);
const keys = () =>
  rows<{ role: string; address: string }>(app, "select role, address from chain_key where mode = 'sandbox'");
const addressOf = async (role: string) => (await keys()).find((key) => key.role === role)?.address;

/** A listing that names another authority than the process thinks of, and perhaps another marketplace. */
async function listingUnder(authority: string, ticket: TestTicket, marketplace = market.address): Promise<Buffer> {
  const present = app.chain.authority;
  app.chain.authority = authority;
  try {
    return await listing(app, { ...market, address: marketplace }, ticket, fan.wallet_address);
  } finally {
    app.chain.authority = present;
  }
}

describe('chain -- rotate', () => {
  it('a process that first meets an old transaction takes the new key over, too, and signs with the key that the transaction names', async () => {
    const { ticket, bytes: before } = await listed();
    await rotate();
    const answer = await authorize(before);
    expect(answer.status).toBe(200);
    expect(app.chain.authority).toBe((await app.chain.gateway.config())?.authority);
    await land(app, signedBytes(answer));
    expect(await stateOf(ticket)).toBe('listed');
    const cancel = await cancellation(app, market, ticket, fan.wallet_address);
    await land(app, signedBytes(await authorizeListing(app, fan, 'cancel', [cancel])));
    expect(await stateOf(ticket)).toBe('held');
  });

  it('the running service signs for the new authority at once, and for the one before: each transaction of a request gets the signature of its own', async () => {
    const [{ ticket: first, bytes: before }, second] = [await listed(), await oneTicket(app, fan)];
    const old = app.chain.authority;
    await rotate();
    const after = await listingUnder((await app.chain.gateway.config())?.authority ?? '', second);
    app.chain.authority = old;
    const answer = await authorize(before, after);
    expect(answer.status).toBe(200);
    for (const index of [0, 1]) await land(app, signedBytes(answer, index));
    expect(await stateOf(first)).toBe('listed');
    expect(await stateOf(second)).toBe('listed');
  });

  it('neither authority may stand in another place of a transaction of the other', async () => {
    const ticket = await oneTicket(app, fan);
    await rotate();
    await app.chain.gateway.config().then((config) => requireAuthority(app.chain, config));
    const { authority, former } = app.chain;
    if (!former?.ours) throw new Error('the former authority is ours');
    for (const [signs, misplaced] of [
      [authority, former.address],
      [former.address, authority],
    ] as const) {
      await expectRefused(await listingUnder(signs, ticket, misplaced), 'our_key_misplaced');
    }
  });

  it('permits are issued under the new authority', async () => {
    await rotate();
    await moreTickets(app, fan, { issue: false });
    await putOnchain(app.context(), 'sandbox');
    expect(await rows(app, 'select 1 from permit where issued_at is null and revoked_at is null')).toEqual([]);
  });

  it('the key before is kept as the former one, and the change is in the audit log', async () => {
    const before = await addressOf('authority');
    await rotate();
    expect(await addressOf('former_authority')).toBe(before);
    expect(await addressOf('next_authority')).toBeUndefined();
    const subject = await addressOf('authority');
    const rotated = "select actor, details from audit_entry where action = 'chain_authority.rotated' and subject = $1";
    expect(await rows(app, rotated, [subject])).toEqual([{ actor: 'system', details: { mode: 'sandbox', before } }]);
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

  it('a process that starts after it uses the new authority', async () => {
    await rotate();
    const opened = await openChains(app.runtime);
    expect(opened.chains.sandbox?.authority).toBe((await app.chain.gateway.config())?.authority);
    await opened.close();
  });
});

it.each([
  ['rotate', rotateAuthority],
  ['retire', retireAuthority],
])('only the admin of the program may %s', async (_, command) => {
  const stranger = signerOf(Keypair.generate());
  const refusal = `The admin of the program is ${admin.address}.`;
  await expect(command(app.context(), await cluster(), stranger)).rejects.toThrow(refusal);
});

describe('chain -- retire', () => {
  const retire = async () => retireAuthority(app.context(), await cluster(), admin);

  it('ends the rights of the authority before: a transaction that names it is refused, and its key is deleted', async () => {
    const { ticket, bytes: before } = await listed();
    await rotate();
    const former = await addressOf('former_authority');
    expect((await authorize(before)).status).toBe(200);
    expect(await retire()).toEqual({ done: expect.any(String) });
    await expectRefused(before);
    expect(await deleteRetiredKey(app.context(), await cluster())).toBe(true);
    expect(await addressOf('former_authority')).toBeUndefined();
    const retired = "select details from audit_entry where action = 'chain_authority.retired' and subject = $1";
    expect(await rows(app, retired, [former])).toEqual([{ details: { mode: 'sandbox' } }]);
    const again = await list(ticket);
    expect((await authorize(again)).status).toBe(200);
  });

  it('the key is kept while the cluster has not finalized that the program does not name it', async () => {
    await rotate();
    const former = await addressOf('former_authority');
    const opened = await cluster();
    // what a cluster says between the confirmation and the finalization of a retirement
    const stale = await opened.gateway.config();
    const lagging = { ...opened, gateway: { ...opened.gateway, finalConfig: () => Promise.resolve(stale) } };
    await retire();
    expect(await deleteRetiredKey(app.context(), lagging, 0)).toBe(false);
    expect(await addressOf('former_authority')).toBe(former);
    expect(await deleteRetiredKey(app.context(), opened)).toBe(true);
    expect(await addressOf('former_authority')).toBeUndefined();
  });

  it('twice, or before any rotation, it says that there is none', async () => {
    expect(await retire()).toEqual({ done: 'The program knows no authority but the present one.' });
  });

  it('a rotation can retire the authority before with the same transaction', async () => {
    const { bytes: before } = await listed();
    await rotateAuthority(app.context(), await cluster(), admin, true);
    expect(await app.chain.gateway.config()).toMatchObject({ former_authority: NO_ADDRESS });
    await expectRefused(before);
  });

  it("a stranger whom the program named is never the former authority: our rotation retires the stranger's", async () => {
    const stranger = Keypair.generate();
    await rotateTo(app, market.wallet, stranger);
    await rotate();
    expect(await app.chain.gateway.config()).toMatchObject({ former_authority: NO_ADDRESS });
  });

  it("a former authority that is a stranger's is not ours to sign for", async () => {
    await rotateTo(app, market.wallet, Keypair.generate());
    const named = (await app.chain.gateway.config())?.authority ?? '';
    await rotateBack(app);
    expect(await app.chain.gateway.config()).toMatchObject({ former_authority: named });
    const ticket = await oneTicket(app, fan);
    const bytes = await listingUnder(named, ticket);
    await expectRefused(bytes);
    expect(authoritiesOf(app.chain)).toEqual([app.chain.authority]);
  });
});
