import { addressBytes } from '@fan-api/cosign-policy/address-bytes';
import { EVENT_DISCRIMINATORS } from '@fan-api/ticket-program/description';
import { beforeEach, describe, expect } from 'vitest';
import { rpc, until } from '../../../../packages/localnet/test/test-network.ts';
import { confirmClaims } from '../../../../src/tickets/claim/end-claims.ts';
import { settleClaims } from '../../../../src/tickets/claim/settle-claims.ts';
import { rows, type TestTicket } from '../../../support/chain-app.ts';
import { answerAt, bendEach, type Fate, only, passAfter } from '../../../support/rpc-proxy.ts';
import {
  claim,
  land,
  onChain,
  putOnSale,
  randomAddress,
  signatureOf,
  transfer,
} from '../../../support/ticket-transactions.ts';
import { waitingForALock } from '../../../support/waiting-for-a-lock.ts';
import { claimsStage, decided, processed } from './claims-stage.ts';

const stage = await claimsStage();
const { app, market, seller, buyer, it } = stage;
const { claimRow, stateOf, holder, auditOf, openClaims, expectClaimed } = stage;
const { claimUnsent, expireBlockhash, settle, settleLater } = stage;

/** A status says that a transfer landed; the permit's account decides whether the claim is confirmed. */

/** The node says that whatever it is asked about has landed; the first questions, `passing` of them, it answers as it is. */
async function saysLanded(
  listedTicket: TestTicket,
  others: (method: string) => Fate = () => 'pass',
  passing = 1,
): Promise<void> {
  const { slot } = await onChain(app, listedTicket);
  let asked = 0;
  app.proxy.setRule(({ method }): Fate => {
    if (method !== 'getSignatureStatuses') return others(method);
    asked += 1;
    return asked <= passing ? 'pass' : decided(null, slot);
  });
}

/** A `getTransaction` answer. */
function ran(err: unknown, ...logMessages: string[]): Fate {
  return { reply: { result: { meta: { err, logMessages } } } };
}

/** The line by which the program reports a transfer. */
function transferLog(
  permit: string,
  to: string,
  name: keyof typeof EVENT_DISCRIMINATORS = 'PermitTransferred',
): string {
  const addresses = [permit, seller.wallet_address, to].map(addressBytes);
  return `Program data: ${Buffer.concat([EVENT_DISCRIMINATORS[name], ...addresses, Buffer.alloc(8)]).toString('base64')}`;
}

const setAsideOf = async (transaction: Buffer) =>
  (await claimRow<{ set_aside: string | null }>(transaction, 'set_aside'))?.set_aside;

describe('a status says landed, and the permit has not moved', () => {
  it('nothing is confirmed, however often it is asked; once the node is right, the claim goes on', async ({
    listedTicket,
    bytes,
  }) => {
    await saysLanded(listedTicket);
    for (const _ of [1, 2]) {
      expect((await claim(app, buyer, [bytes])).status).toBe(503);
      expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
      expect(await setAsideOf(bytes)).toMatch(/the permit is not the buyer’s/);
      expect(await auditOf(bytes)).toEqual([]);
      expect(await holder(listedTicket)).toBe(seller.wallet_address);
    }
    app.proxy.reset();
    await settleLater();
    await expectClaimed(bytes);
  });

  it('once its blockhash has expired, the claim fails, and its permit is free', async ({ listedTicket, bytes }) => {
    await saysLanded(listedTicket);
    expect((await claim(app, buyer, [bytes])).status).toBe(503);
    await expireBlockhash(bytes);
    expect((await claim(app, buyer, [bytes])).status).toBe(400);
    expect(await stateOf(bytes)).toEqual({
      state: 'failed',
      failure: 'the ticket did not move before its blockhash expired',
    });
    expect(await claimRow(bytes, 'set_aside, attempts, next_attempt_at is not null as looked_at')).toEqual({
      set_aside: null,
      attempts: 0,
      looked_at: true,
    });
    app.proxy.reset();
    const payer = await app.network.funded();
    const another = await transfer(app, market, listedTicket, buyer.wallet_address, {
      payer,
      signers: [payer, market.wallet],
    });
    expect((await claim(app, buyer, [another])).status).toBe(200);
  });

  it('not while the node that says so is behind', async ({ listedTicket, bytes }) => {
    await saysLanded(listedTicket);
    expect((await claim(app, buyer, [bytes])).status).toBe(503);
    await expireBlockhash(bytes);
    await saysLanded(listedTicket, (method) => (method === 'isBlockhashValid' ? answerAt(1, false) : 'pass'), 0);
    expect((await claim(app, buyer, [bytes])).status).toBe(503);
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
  });

  it.for<[string, (to: string, listedTicket: TestTicket) => Fate]>([
    ['reported nothing', () => ran(null, 'Program log: done')],
    ['reported a transfer of another permit', (to) => ran(null, transferLog(randomAddress(), to))],
    ['reported one to somebody else', (_, { permit }) => ran(null, transferLog(permit, randomAddress()))],
    ['reported something else', (to, { permit }) => ran(null, transferLog(permit, to, 'ListingCreated'))],
    ['looks like a report', (to, { permit }) => ran(null, transferLog(permit, to).replace('data', 'text'))],
    ['reported something too short', () => ran(null, 'Program data: Zm9v')],
    ['reported a transfer cut short', (to, { permit }) => ran(null, transferLog(permit, to).slice(0, -12))],
    ['failed', (to, { permit }) => ran('AccountInUse', transferLog(permit, to))],
  ])('and the transaction %s: the claim fails for good', async ([_, answer], { listedTicket, bytes }) => {
    await saysLanded(listedTicket, (method) =>
      method === 'getTransaction' ? answer(buyer.wallet_address, listedTicket) : 'pass',
    );
    expect((await claim(app, buyer, [bytes])).status).toBe(400);
    expect(await stateOf(bytes)).toEqual({
      state: 'failed',
      failure: 'it ran, but the ticket did not move to the buyer',
    });
    expect(await holder(listedTicket)).toBe(seller.wallet_address);
    expect(await claimRow(bytes, 'next_attempt_at')).toEqual({ next_attempt_at: null });
  });

  it.for<[string, Fate]>([
    ['the node has not kept', { reply: { result: null } }],
    ['has no logs', { reply: { result: { meta: { err: null, logMessages: null } } } }],
    ['the node can not give', { reply: { error: { code: -32015, message: 'Transaction version is not supported' } } }],
  ])('and the transaction is one that %s: nothing is decided', async ([_, answer], { listedTicket, bytes }) => {
    await saysLanded(listedTicket, (method) => (method === 'getTransaction' ? answer : 'pass'));
    expect((await claim(app, buyer, [bytes])).status).toBe(503);
    expect(await setAsideOf(bytes)).toMatch(/the permit is not the buyer’s/);
  });
});

it('a node that is away while the transaction is asked for is no fault of the claim', async ({
  listedTicket,
  bytes,
}) => {
  await saysLanded(listedTicket, (method) => (method === 'getTransaction' ? 'away' : 'pass'));
  expect((await claim(app, buyer, [bytes])).status).toBe(503);
  expect(await setAsideOf(bytes)).toBeNull();
});

function ownedByBuyer({ permit }: TestTicket) {
  return rows(
    app,
    `update ticket t set owner_id = w.fan_id from wallet w, permit p
     where p.ticket_id = t.id and p.tix_permit_id = $1 and w.address = $2`,
    [permit, buyer.wallet_address],
  );
}

describe('a transfer landed, and the buyer has passed the ticket on since', () => {
  async function passedOn(listedTicket: TestTicket, bytes: Buffer): Promise<void> {
    await claimUnsent(bytes);
    await land(app, bytes);
    // the buyer sells it to somebody outside this service, before the service has looked
    await ownedByBuyer(listedTicket);
    await putOnSale(app, market, listedTicket, buyer);
    await land(app, await transfer(app, market, listedTicket, randomAddress()));
  }

  it('the claim is confirmed, and the ticket is where the chain has it', async ({ listedTicket, bytes }) => {
    await passedOn(listedTicket, bytes);
    await settle();
    expect(await stateOf(bytes)).toEqual({ state: 'confirmed', failure: null });
    expect(await auditOf(bytes)).toEqual(['claim.confirmed']);
    expect(await holder(listedTicket)).toBeUndefined();
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
  });

  it('a node that does not have the transaction leaves it open, and one that has it confirms it', async ({
    listedTicket,
    bytes,
  }) => {
    await passedOn(listedTicket, bytes);
    app.proxy.setRule(only({ reply: { result: null } }, 'getTransaction'));
    await settle();
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
    app.proxy.reset();
    await settleLater();
    expect(await stateOf(bytes)).toEqual({ state: 'confirmed', failure: null });
  });

  it('the same request finds the confirmation of another process', async ({ listedTicket, bytes }) => {
    await passedOn(listedTicket, bytes);
    const confirm = `update claim set state = 'confirmed' where signature = $1`;
    app.proxy.setRule(passAfter('getTransaction', () => rows(app, confirm, [signatureOf(bytes)])));
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    expect(await auditOf(bytes)).toEqual([]);
  });
});

it.for([
  'of an older state confirms nothing',
  'that was read in the slot of the transfer, but before it, is read again',
])('a permit %s, whatever the status and the transaction say', async (which, { listedTicket, bytes }) => {
  await claimUnsent(bytes);
  await land(app, bytes);
  if (which.startsWith('of an older')) await ownedByBuyer(listedTicket);
  const slot = which.startsWith('of an older') ? 1 : (await onChain(app, listedTicket)).slot;
  await rows(app, 'update permit set chain_slot = $2 where tix_permit_id = $1', [listedTicket.permit, slot]);
  // the node says that there is no such permit
  app.proxy.setRule(
    only(
      bendEach(() => null),
      'getMultipleAccounts',
    ),
  );
  await settle();
  expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
  expect(await setAsideOf(bytes)).toBe('its permit could not be read at the slot of the transfer');
  app.proxy.reset();
  await settleLater();
  await expectClaimed(bytes);
});

it('two processes that confirm at once leave one confirmation', async ({ listedTicket, bytes }) => {
  await claimUnsent(bytes);
  await rows(app, 'update permit set chain_slot = 2 where tix_permit_id = $1', [listedTicket.permit]);
  const [open] = await openClaims(bytes);
  if (!open) throw new Error('there is no claim');
  const { pool } = app.runtime;
  const client = await pool.connect();
  await client.query('begin');
  await client.query('select from claim where id = $1 for update', [open.id]);
  const both = [1, 2].map(() =>
    confirmClaims(pool, app.context().now(), [{ claim: open, slot: 1, permitRead: true, requestId: null }], true),
  );
  await until(async () => (await waitingForALock(app)) === 2);
  await client.query('commit');
  client.release();
  const confirmed = (await Promise.all(both)).flat().filter((one) => one.confirmed);
  expect(confirmed).toHaveLength(1);
  expect(await auditOf(bytes)).toEqual(['claim.confirmed']);
});

describe('a confirmed claim that is looked at again', () => {
  // those of other tests are not looked at
  beforeEach(() => rows(app, 'update claim set unfinal_slot = null'));

  /** The node knows nothing of the transaction. @param owner of the permit as it tells; undefined: it has no such permit */
  function leavesOut(owner: string | undefined): void {
    const none = bendEach(() => null);
    const owned = bendEach<{ data: [string, string] }>((account) => {
      const data = Buffer.from(account.data[0], 'base64');
      const at = data.indexOf(addressBytes(buyer.wallet_address));
      if (at >= 0 && owner !== undefined) data.set(addressBytes(owner), at);
      return { ...account, data: [data.toString('base64'), 'base64'] };
    });
    app.proxy.setRule(({ method }) => {
      if (method === 'getSignatureStatuses') return none;
      if (method === 'getMultipleAccounts') return owner === undefined ? none : owned;
      return 'pass';
    });
  }

  it('stays confirmed while the node has neither its transaction nor its permit', async ({ bytes }) => {
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    leavesOut(undefined);
    const slotAfterLook = async () => {
      await settle();
      return (await claimRow<{ slot: number }>(bytes, 'unfinal_slot::float8 as slot'))?.slot;
    };
    const before = await slotAfterLook();
    // it does not stand before those that can be judged
    await rpc(app.network.url, 'passSlots', [1]);
    expect(await slotAfterLook()).toBeGreaterThan(before ?? Number.NaN);
    for (let looks = 0; looks < 3; looks += 1) await settle();
    expect(await stateOf(bytes)).toMatchObject({ state: 'confirmed' });
    app.proxy.reset();
    await settle();
    expect(await auditOf(bytes)).toEqual(['claim.confirmed']);
  });

  it('is opened again once three looks in a row say that its transaction is gone and the permit another’s', async ({
    bytes,
  }) => {
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    for (const looks of [2, 2]) {
      leavesOut(seller.wallet_address);
      for (let done = 0; done < looks; done += 1) await settle();
      expect(await stateOf(bytes)).toMatchObject({ state: 'confirmed' });
      leavesOut(undefined);
      await settle();
    }
    leavesOut(seller.wallet_address);
    for (let looks = 0; looks < 3; looks += 1) await settle();
    expect(await auditOf(bytes)).toEqual(['claim.confirmed', 'claim.reopened']);
    app.proxy.reset();
    await settleLater();
    expect(await auditOf(bytes)).toEqual(['claim.confirmed', 'claim.reopened', 'claim.confirmed']);
  });
});

const EXPIRED = 'its blockhash expired before it landed';

/** A claim that is written and not submitted; the service knows nothing of its blockhash. @returns the slot by which it was judged */
async function writtenClaim(bytes: Buffer): Promise<number> {
  await claimUnsent(bytes);
  return expireBlockhash(bytes);
}

/** A node at one slot, which knows neither the blockhash nor the transaction, and passes nothing on. */
function nodeAt(slot: number, bytes: Buffer): void {
  const answers: Record<string, Fate> = {
    isBlockhashValid: answerAt(slot, false),
    getSignatureStatuses: answerAt(slot, [null]),
    sendTransaction: { reply: { result: signatureOf(bytes) } },
  };
  app.proxy.setRule(({ method }) => answers[method] ?? 'pass');
}

async function failedClaim(bytes: Buffer): Promise<void> {
  await writtenClaim(bytes);
  await settle();
  expect(await stateOf(bytes)).toEqual({ state: 'failed', failure: EXPIRED });
}

/** Whether the job will look at the claim again. */
const isLookedForLater = async (bytes: Buffer) =>
  (await claimRow<{ later: boolean }>(bytes, 'next_attempt_at is not null as later'))?.later;

async function expectTakenIn(listedTicket: TestTicket, bytes: Buffer): Promise<void> {
  expect(await stateOf(bytes)).toEqual({ state: 'confirmed', failure: null });
  expect(await auditOf(bytes)).toEqual(['claim.failed', 'claim.confirmed']);
  const [entry] = await rows<{ late: boolean }>(
    app,
    `select (details->>'after_failure')::boolean as late from audit_entry where subject = $1 and action = 'claim.confirmed'`,
    [signatureOf(bytes)],
  );
  expect(entry).toEqual({ late: true });
  expect(await isLookedForLater(bytes)).toBe(false);
  expect(await holder(listedTicket)).toBe(buyer.wallet_address);
  expect((await claim(app, buyer, [bytes])).status).toBe(200);
}

describe('a claim fails for its blockhash', () => {
  it('not by a node that is behind the slot where the blockhash was valid: it is handed over, and lands', async ({
    bytes,
  }) => {
    const judged = await writtenClaim(bytes);
    nodeAt(judged - 1, bytes);
    await settleClaims(app.context(), 'sandbox', await openClaims(bytes), 0);
    expect(await stateOf(bytes)).toEqual({ state: 'submitted', failure: null });
    expect(app.proxy.count('sendTransaction')).toBe(1);
    app.proxy.reset();
    await land(app, bytes);
    await settle();
    await expectClaimed(bytes);
  });

  it('by a node at that slot or later', async ({ bytes }) => {
    nodeAt(await writtenClaim(bytes), bytes);
    await settleClaims(app.context(), 'sandbox', await openClaims(bytes), 0);
    expect(await stateOf(bytes)).toEqual({ state: 'failed', failure: EXPIRED });
    expect(app.proxy.count('sendTransaction')).toBe(0);
  });
});

it('preflight is asked of a node that has come to the slot by which the claim was judged', async ({ bytes }) => {
  expect((await claim(app, buyer, [bytes])).status).toBe(200);
  const [sent] = app.proxy.calls.filter(({ method }) => method === 'sendTransaction');
  const row = await claimRow<{ slot: number }>(bytes, 'judged_slot::int as slot');
  expect(sent?.params[1]).toMatchObject({ minContextSlot: row?.slot });
});

describe('a failed claim that lands after all is confirmed', () => {
  it('by the job, a few seconds later', async ({ listedTicket, bytes }) => {
    await failedClaim(bytes);
    await land(app, bytes);
    app.advance(5);
    await settle();
    await expectTakenIn(listedTicket, bytes);
  });

  it('by the same request, sent again', async ({ listedTicket, bytes }) => {
    await failedClaim(bytes);
    await land(app, bytes);
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    await expectTakenIn(listedTicket, bytes);
  });

  it('where a node’s preflight refused it', async ({ listedTicket, bytes }) => {
    const refusal = { code: -32002, message: 'Transaction simulation failed', data: { err: 'AccountNotFound' } };
    app.proxy.setRule(only({ reply: { error: refusal } }, 'sendTransaction'));
    expect((await claim(app, buyer, [bytes])).status).toBe(400);
    app.proxy.reset();
    // the service itself does not hand it over again
    expect((await claim(app, buyer, [bytes])).status).toBe(400);
    expect(app.proxy.count('sendTransaction')).toBe(0);
    await land(app, bytes);
    app.advance(5);
    await settle();
    await expectTakenIn(listedTicket, bytes);
  });

  it('but not while it is only processed', async ({ bytes }) => {
    await failedClaim(bytes);
    await land(app, bytes);
    app.proxy.setRule(only(processed(), 'getSignatureStatuses'));
    expect((await claim(app, buyer, [bytes])).status).toBe(400);
    expect(await stateOf(bytes)).toEqual({ state: 'failed', failure: EXPIRED });
  });

  it('and not where the permit is not the buyer’s', async ({ listedTicket, bytes }) => {
    await failedClaim(bytes);
    const { slot } = await onChain(app, listedTicket);
    app.proxy.setRule(only(decided(null, slot), 'getSignatureStatuses'));
    expect((await claim(app, buyer, [bytes])).status).toBe(400);
    expect(await stateOf(bytes)).toEqual({ state: 'failed', failure: EXPIRED });
    expect(await holder(listedTicket)).toBe(seller.wallet_address);
    expect(await isLookedForLater(bytes)).toBe(true);
  });

  it('and is not set aside where its status can not be read', async ({ bytes }) => {
    await failedClaim(bytes);
    const refusal = { code: -32602, message: 'Invalid param' };
    app.proxy.setRule(only({ reply: { error: refusal } }, 'getSignatureStatuses'));
    expect((await claim(app, buyer, [bytes])).status).toBe(400);
    expect(await claimRow(bytes, 'set_aside, attempts')).toEqual({ set_aside: null, attempts: 0 });
  });
});

describe('how long a failed claim is looked at', () => {
  /** Whether the job asks after the claim now. */
  async function isLookedAt(bytes: Buffer): Promise<boolean> {
    app.proxy.reset();
    await settle();
    return app.proxy.calls.some(
      ({ method, params }) => method === 'getSignatureStatuses' && JSON.stringify(params).includes(signatureOf(bytes)),
    );
  }

  it('after growing pauses, and not for ever', async ({ bytes }) => {
    await failedClaim(bytes);
    const pauses = [5, 10, 20, 40, 80, 160, 300, 300, 300, 300];
    for (const [index, pause] of pauses.entries()) {
      app.advance(pause - 1);
      expect(await isLookedAt(bytes), `look ${index}, too early`).toBe(false);
      app.advance(1);
      expect(await isLookedAt(bytes), `look ${index}`).toBe(true);
    }
    app.advance(600);
    expect(await isLookedAt(bytes)).toBe(false);
    app.proxy.reset();
    expect((await claim(app, buyer, [bytes])).status).toBe(400);
    expect(app.proxy.count('getSignatureStatuses')).toBe(0);
  });

  it('not at all where the cluster has decided: it can never land any more', async ({ bytes }) => {
    await writtenClaim(bytes);
    app.proxy.setRule(only(decided('AccountInUse'), 'getSignatureStatuses'));
    await settle();
    expect(await stateOf(bytes)).toEqual({ state: 'failed', failure: 'AccountInUse' });
    app.advance(10);
    expect(await isLookedAt(bytes)).toBe(false);
  });

  it('no longer once the cluster has decided', async ({ bytes }) => {
    await failedClaim(bytes);
    app.advance(5);
    app.proxy.setRule(only(decided('AccountInUse'), 'getSignatureStatuses'));
    await settle();
    expect(await stateOf(bytes)).toEqual({ state: 'failed', failure: EXPIRED });
    app.advance(600);
    expect(await isLookedAt(bytes)).toBe(false);
  });
});

it('what a node says may hold a NUL and be long: the claim fails all the same', async ({ bytes }) => {
  const message = `bad\0${'x'.repeat(2_000)}`;
  app.proxy.setRule(only({ reply: { error: { code: -32003, message } } }, 'sendTransaction'));
  expect((await claim(app, buyer, [bytes])).status).toBe(400);
  expect(await stateOf(bytes)).toEqual({ state: 'failed', failure: `bad ${'x'.repeat(496)}` });
});
