import { configAddress } from '@fan-api/cosign-policy/program-addresses';
import { Keypair } from '@solana/web3.js';
import { afterEach, describe, expect, it } from 'vitest';
import { oneTicket, rows } from '../../../support/chain-app.ts';
import { chainStage } from '../../../support/chain-stage.ts';
import { rotateBack, rotatePayerTo, rotateTo } from '../../../support/foreign-authority.ts';
import { type Fate, only, type RpcCall, type RpcReply } from '../../../support/rpc-proxy.ts';
import { newStaff, runAs } from '../../../support/staff-call.ts';
import { authorizeListing, listing } from '../../../support/ticket-transactions.ts';

/** The ticket program names another authority than ours, or has no configuration. */
const { app, market, seller } = await chainStage();
const ours = app.chain.authority;
afterEach(async () => {
  app.proxy.reset();
  app.chain.authority = ours;
  await rotateBack(app);
});

async function readyz() {
  // what it remembers is older then
  app.advance(5);
  const answer = await fetch(`${app.origin}/readyz`);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

async function consoleState() {
  const document = '{ chains { mode state authority } }';
  const { chains } = await runAs<{ chains: unknown[] }>(app, await newStaff(app, 'support'), document);
  return chains;
}

async function signed(): Promise<number> {
  const [count] = await rows<{ signed: number }>(app, 'select count(*)::int as signed from listing_signature');
  return count?.signed ?? -1;
}

async function expectStopped(bytes: Buffer, message: RegExp) {
  const before = await signed();
  const answer = await authorizeListing(app, seller, 'list', [bytes]);
  expect({ status: answer.status, code: answer.headers.get('x-error-code'), body: answer.body }).toEqual({
    status: 503,
    code: 'unavailable',
    body: { message: expect.stringMatching(message) },
  });
  // half a minute: people undo a rotation, not time
  expect(answer.headers.get('retry-after')).toBe('30');
  expect(await signed()).toBe(before);
}

const ROTATED = /names another co-signing authority than ours; nothing was signed/;

describe('the authority is rotated on the chain', () => {
  it('the next listing is answered 503 and nothing is signed; rotated back, the same bytes are signed', async () => {
    const ticket = await oneTicket(app, seller);
    await rotateTo(app, market.wallet, Keypair.generate());
    const bytes = await listing(app, market, ticket, seller.wallet_address);
    await expectStopped(bytes, ROTATED);
    await rotateBack(app);
    expect((await authorizeListing(app, seller, 'list', [bytes])).status).toBe(200);
  });

  it('a partner who names the new authority gets the same answer, not that the transaction is wrong', async () => {
    const ticket = await oneTicket(app, seller);
    const next = Keypair.generate();
    await rotateTo(app, market.wallet, next);
    app.chain.authority = next.publicKey.toBase58();
    const bytes = await listing(app, market, ticket, seller.wallet_address);
    app.chain.authority = ours;
    await expectStopped(bytes, ROTATED);
    await rotateBack(app);
    const answer = await authorizeListing(app, seller, 'list', [bytes]);
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([400, 'wrong_account']);
  });

  it('/readyz stays 200 and names mode and reason, the console too; both heal by themselves', async () => {
    expect(await readyz()).toEqual({ status: 200, body: { status: 'ready' } });
    expect(await consoleState()).toContainEqual({ mode: 'SANDBOX', state: 'READY', authority: ours });
    await rotateTo(app, market.wallet, Keypair.generate());
    const degraded = ['chain (sandbox): authority_rotated'];
    expect(await readyz()).toEqual({ status: 200, body: { status: 'ready', degraded } });
    expect(await consoleState()).toEqual([
      { mode: 'SANDBOX', state: 'AUTHORITY_ROTATED', authority: ours },
      { mode: 'PRODUCTION', state: 'NOT_CONFIGURED', authority: null },
    ]);
    await rotateBack(app);
    expect(await readyz()).toEqual({ status: 200, body: { status: 'ready' } });
  });
});

it('a local network whose program names another payer names ours from the next start on, and keeps the authority', async () => {
  const other = Keypair.generate();
  const before = await app.chain.gateway.config();
  await rotatePayerTo(app, market.wallet, other);
  expect(await app.chain.gateway.config()).toMatchObject({ payer: other.publicKey.toBase58(), authority: ours });
  await rotateBack(app);
  expect(await app.chain.gateway.config()).toMatchObject({ ...before, slot: expect.any(Number) });
  expect(before?.payer).toBe(app.chain.payer);
});

/** The node's answer without the Config account. */
function withoutConfig({ method, params }: RpcCall): Fate {
  const [addresses] = params;
  if (method !== 'getMultipleAccounts' || !Array.isArray(addresses)) return 'pass';
  const at = addresses.indexOf(configAddress(app.chain.programId).address);
  return (reply: RpcReply) => {
    const { value } = reply.result as { value: unknown[] };
    if (at >= 0) value[at] = null;
    return reply;
  };
}

it('where the program has no configuration nothing is signed, and /readyz and the console say so; once it is there again, listings are signed', async () => {
  const ticket = await oneTicket(app, seller);
  const bytes = await listing(app, market, ticket, seller.wallet_address);
  app.proxy.setRule(withoutConfig);
  await expectStopped(bytes, /has no configuration; nothing was signed/);
  expect((await readyz()).body).toMatchObject({ degraded: ['chain (sandbox): config_missing'] });
  expect(await consoleState()).toContainEqual({ mode: 'SANDBOX', state: 'CONFIG_MISSING', authority: ours });
  app.proxy.reset();
  expect((await authorizeListing(app, seller, 'list', [bytes])).status).toBe(200);
});

describe('/readyz and a cluster that is away', () => {
  it('a thousand calls ask the node as often as one', async () => {
    await readyz();
    app.proxy.reset();
    await readyz();
    const once = app.proxy.calls.length;
    app.proxy.reset();
    app.advance(5);
    const began = performance.now();
    for (let burst = 0; burst < 20; burst++)
      await Promise.all(
        Array.from({ length: 50 }, () => fetch(`${app.origin}/readyz`).then((answer) => answer.text())),
      );
    // an answer of the node is good for five seconds, and a slow machine needs longer for so many calls
    const readings = 1 + Math.floor((performance.now() - began) / 5_000);
    expect(once).toBeGreaterThan(0);
    expect(app.proxy.calls.length).toBeLessThanOrEqual(once * readings);
  });

  it.each<[string, Fate]>([
    ['breaks connections', 'away'],
    ['gives no answer, within seconds', 'hang'],
  ])('that %s is degraded', async (_, fate) => {
    app.proxy.setRule(only(fate));
    const began = performance.now();
    expect(await readyz()).toEqual({
      status: 200,
      body: { status: 'ready', degraded: ['chain (sandbox): unreachable'] },
    });
    expect(performance.now() - began).toBeLessThan(4_000);
  });
});
