import { type AccountValues, decodeAccount, NO_ADDRESS } from '@fan-api/cosign-policy/read-account';
import { PERMIT_STATES } from '@fan-api/ticket-program/description';
import { describe, expect, vi } from 'vitest';
import { syncChains } from '../../../../adapters/process/sync-chains.ts';
import { rpc, until } from '../../../../packages/localnet/test/test-network.ts';
import type { Chain } from '../../../../src/chain/chains.ts';
import { DomainError } from '../../../../src/platform/errors.ts';
import { settleClaims } from '../../../../src/tickets/claim/settle-claims.ts';
import { settleDueClaims } from '../../../../src/tickets/claim/settle-due-claims.ts';
import { computeLimit } from '../../../src/chain/transaction/build-transaction.ts';
import { anotherUser, rows, type TestTicket, type User } from '../../../support/chain-app.ts';
import { encodeAccount } from '../../../support/encode-account.ts';
import { answerAt, type Fate, only, passAfter, type RpcReply } from '../../../support/rpc-proxy.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import {
  authorizeListing,
  cancellation,
  claim,
  fundedMarketplace,
  land,
  randomAddress,
  signatureOf,
  signedBytes,
  transfer,
  unseenBlockhash,
} from '../../../support/ticket-transactions.ts';
import { claimsStage, decided, from, processed } from './claims-stage.ts';

/** Chain §4: claims while the network, the process or a node fails; and nobody begins a claim but who may move its permit. */
const stage = await claimsStage();
const { app, market, seller, buyer, it, next } = stage;
const { claimRow, stateOf, holder, auditOf, openClaims, expectClaimed, expectAnswer } = stage;
const { claimUnsent, claimUnseen, expireBlockhash, settle } = stage;
const another = await testChainApp({ beside: app });

const expectUnavailable = (answer: Awaited<ReturnType<typeof claim>>) => expectAnswer(answer, 503, 'unavailable');

describe('the network goes away', () => {
  it('before: 503, and nothing is written', async ({ bytes }) => {
    app.proxy.setRule(only('away'));
    await expectUnavailable(await claim(app, buyer, [bytes]));
    expect(await stateOf(bytes)).toBeUndefined();
    app.proxy.reset();
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    await expectClaimed(bytes);
  });

  it('during: the answer of the submission is lost, and the claim is confirmed by its signature, submitted once', async ({
    bytes,
  }) => {
    app.proxy.setRule(only('lose answer', 'sendTransaction'));
    const answer = await claim(app, buyer, [bytes]);
    expect(answer.status).toBe(200);
    expect(app.proxy.count('sendTransaction')).toBe(1);
    await expectClaimed(bytes);
  });

  it('after the submission: 503, then the same request finishes it, submitting nothing', async ({ bytes }) => {
    await expectUnavailable(await claimUnseen(bytes));
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    expect(app.proxy.count('sendTransaction')).toBe(0);
    await expectClaimed(bytes);
  });

  it('after the confirmation was seen: the owner cannot be read, so no claim is reported as confirmed yet', async ({
    listedTicket,
    bytes,
  }) => {
    app.proxy.setRule(from(2, 'getMultipleAccounts', 'away'));
    await expectUnavailable(await claim(app, buyer, [bytes]));
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
    expect(await holder(listedTicket)).toBe(seller.wallet_address);
    app.proxy.reset();
    await settle();
    await expectClaimed(bytes);
  });

  it('and swallows the transaction: the claim stays open for the job, which hands it over again', async ({ bytes }) => {
    await expectUnavailable(await claimUnsent(bytes));
    app.proxy.setRule(only({ reply: { result: signatureOf(bytes) } }, 'sendTransaction'));
    await settleClaims(app.context(), 'sandbox', await openClaims(bytes), 300);
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
    expect(app.proxy.count('sendTransaction')).toBe(1);
    app.proxy.reset();
    await settle();
    await expectClaimed(bytes);
  });

  it('in one mode: claims of the other are settled all the same', async ({ bytes }) => {
    await expectUnavailable(await claimUnsent(bytes));
    const away = new DomainError('unavailable', 'away');
    const gateway = new Proxy({} as Chain['gateway'], { get: () => () => Promise.reject(away) });
    const { grant, permit } = await productionClaim();
    const context = app.context();
    const chains = { production: { ...app.chain, gateway }, sandbox: app.chain };
    await expect(settleDueClaims({ ...context, chains }, 0)).rejects.toBe(away);
    await expectClaimed(bytes);
    // nor is a claim asked after on the other cluster
    const [other] = await rows(
      app,
      'delete from claim where grant_id = $1 and permit_id = $2 returning state, set_aside, attempts',
      [grant, permit],
    );
    expect(other).toEqual({ state: 'pending', set_aside: null, attempts: 0 });
  });

  /** An open claim of a production client, so that the job has something to ask the cluster of that mode. */
  async function productionClaim(): Promise<{ grant: string; permit: string }> {
    const [made] = await rows<{ grant: string; permit: string }>(
      app,
      `with c as (
         insert into client (id, partner_id, name, mode, status, redirect_uris, cors_origins, scopes, created_at, updated_at)
         select gen_random_uuid(), partner_id, name, 'production', 'enabled', redirect_uris, cors_origins, scopes, now(), now()
         from client limit 1 returning id
       ), g as (
         insert into consent_grant select (jsonb_populate_record(g, jsonb_build_object('id', gen_random_uuid(), 'client_id', c.id))).*
         from consent_grant g, c limit 1 returning id
       ), cl as (
         insert into claim (id, signature, grant_id, permit_id, signer_wallet, destination_wallet, transaction,
           recent_blockhash, state, created_at, updated_at)
         select gen_random_uuid(), 'of production', g.id, p.id, 'x', 'x', '00', 'x', 'pending', now(), now()
         from g, permit p order by p.created_at limit 1 returning grant_id, permit_id
       ) select grant_id as grant, permit_id as permit from cl`,
    );
    if (!made) throw new Error('no production claim');
    return made;
  }
});

describe('the process goes away', () => {
  it.for([
    ['before the submission', claimUnsent],
    ['between submission and confirmation', claimUnseen],
  ] as const)('%s: another process over the same database finishes the claim', async ([when, begin], { bytes }) => {
    await begin(bytes);
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
    await settleDueClaims(another.context(), 0);
    expect(app.proxy.count('sendTransaction')).toBe(when === 'before the submission' ? 1 : 0);
    await expectClaimed(bytes);
  });

  it('the job leaves a claim that another process touched a moment ago', async ({ bytes }) => {
    await claimUnsent(bytes);
    await settleDueClaims(app.context());
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
    app.advance(11);
    await settleDueClaims(app.context());
    await expectClaimed(bytes);
  });

  it('every process that serves takes up what a crash left, without waiting for the queue', async ({ bytes }) => {
    await claimUnsent(bytes);
    app.advance(11);
    const following = syncChains(app.runtime);
    try {
      await until(async () => (await stateOf(bytes))?.state === 'confirmed');
    } finally {
      await following.stop();
    }
    await expectClaimed(bytes);
  });

  it.for([
    ['confirmed', { err: { InstructionError: [0, { Custom: 6001 }] } }],
    ['failed', { err: null }],
  ] as const)(
    'a claim that another process ended as %s keeps that end, and everybody is told it',
    async ([end, seen], { bytes }) => {
      await claimUnsent(bytes);
      const open = await openClaims(bytes);
      const failure = end === 'failed' ? 'as the other process saw it' : null;
      await rows(app, 'update claim set state = $2, failure = $3 where signature = $1', [
        signatureOf(bytes),
        end,
        failure,
      ]);
      app.proxy.setRule(only(decided(seen.err), 'getSignatureStatuses'));
      await settleClaims(app.context(), 'sandbox', open, 1_000);
      expect(open).toMatchObject([{ state: end, failure }]);
      expect(await stateOf(bytes)).toEqual({ state: end, failure });
      expect(await auditOf(bytes)).toEqual([]);
    },
  );

  it('a claim that another process ended is not opened again by handing it over', async ({ bytes }) => {
    await claimUnsent(bytes);
    const open = await openClaims(bytes);
    await rows(app, `update claim set state = 'confirmed' where signature = $1`, [signatureOf(bytes)]);
    app.proxy.setRule(only({ reply: { result: signatureOf(bytes) } }, 'sendTransaction'));
    await settleClaims(app.context(), 'sandbox', open, 0);
    expect(app.proxy.count('sendTransaction')).toBe(1);
    expect(await stateOf(bytes)).toMatchObject({ state: 'confirmed' });
  });

  it('and both the job and the request settle it: one confirmation, one audit entry', async ({ bytes }) => {
    await claimUnsent(bytes);
    const [answer, again] = await Promise.all([
      claim(app, buyer, [bytes]),
      claim(app, buyer, [bytes]),
      settleDueClaims(app.context(), 0),
      settleDueClaims(app.context(), 0),
    ]);
    expect([answer.status, again.status]).toEqual([200, 200]);
    await expectClaimed(bytes);
  });
});

describe('the cluster refuses', () => {
  it('one of three after the first was confirmed: that stands, 400 names the refused one, and the same request gets the same answer', async ({
    bytes,
  }) => {
    const [second, secondBytes] = await next();
    const [third, thirdBytes] = await next();
    const cancel = signedBytes(
      await authorizeListing(app, seller, 'cancel', [await cancellation(app, market, second, seller.wallet_address)]),
    );
    app.proxy.setRule(passAfter('sendTransaction', () => land(app, cancel)));
    const request = [bytes, secondBytes, thirdBytes];
    const answer = await claim(app, buyer, request);
    await expectAnswer(answer, 400, 'chain_refused');
    expect(answer.body.message).toMatch(/^tickets\[1\]\.tx: the cluster accepts the transaction \(/);
    await expectClaimed(bytes);
    expect(await stateOf(thirdBytes)).toMatchObject({ state: 'confirmed' });
    expect(await holder(third)).toBe(buyer.wallet_address);
    expect(await stateOf(secondBytes)).toMatchObject({ state: 'failed' });
    expect(await holder(second)).toBe(seller.wallet_address);
    app.proxy.reset();
    const again = await claim(app, buyer, request);
    expect({ status: again.status, body: again.body }).toEqual({ status: 400, body: answer.body });
    const [, fresh] = await next();
    const mixed = await claim(app, buyer, [fresh, secondBytes]);
    expect(mixed.body.message).toMatch(/^tickets\[1\]\.tx: the cluster accepts/);
    expect(await stateOf(fresh)).toBeUndefined();
    expect(app.proxy.count('sendTransaction')).toBe(0);
  });

  it.for(['before the claim: 400, and no claim is written', 'after the claim was written: it fails with the reason'])(
    'a transaction that ran without effect %s',
    async (when, { listedTicket, bytes }) => {
      const isWritten = when.startsWith('after');
      if (isWritten) await claimUnsent(bytes);
      const cancel = await cancellation(app, market, listedTicket, seller.wallet_address);
      await land(app, signedBytes(await authorizeListing(app, seller, 'cancel', [cancel])));
      await app.connection.sendRawTransaction(bytes, { skipPreflight: true });
      if (isWritten) await settle();
      else await expectAnswer(await claim(app, buyer, [bytes]), 400, 'chain_refused');
      const failed = { state: 'failed', failure: expect.stringContaining('WrongOwner: ') };
      expect(await stateOf(bytes)).toEqual(isWritten ? failed : undefined);
    },
  );
});

describe('a node’s trouble is no refusal of the cluster', () => {
  const preflight = (err: unknown): Fate => ({
    reply: { error: { code: -32002, message: 'Transaction simulation failed', data: { err, logs: [] } } },
  });

  function looksAfterSending(): number {
    const methods = app.proxy.calls.map(({ method }) => method);
    const sent = methods.indexOf('sendTransaction');
    return sent < 0 ? 0 : methods.slice(sent).filter((method) => method === 'getSignatureStatuses').length;
  }

  it.for<[string, Fate]>([
    ['is unhealthy', { reply: { error: { code: -32005, message: 'Node is behind by 42 slots' } } }],
    ['has an error of its own', { reply: { error: { code: -32603, message: 'Internal error' } } }],
    ['does not know the blockhash yet', preflight('BlockhashNotFound')],
    ['is busy', { status: 429 }],
    ['has it already', preflight('AlreadyProcessed')],
    ['is behind', { reply: { error: { code: -32016, message: 'Minimum context slot has not been reached' } } }],
  ])('the node %s: the claim stays open, and the next call finishes it', async ([_, fate], { bytes }) => {
    await claimUnsent(bytes);
    app.proxy.setRule(only(fate, 'sendTransaction'));
    const settled = settle();
    // it looks again after the answer
    await until(async () => looksAfterSending() > 1);
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted', failure: null });
    app.proxy.reset();
    await land(app, bytes);
    await settled;
    await expectClaimed(bytes);
  });

  it.for([
    ['is good', async () => undefined],
    ['has expired', expireBlockhash],
  ] as const)(
    'a transaction that is seen but not confirmed, and whose blockhash %s, is waited for and not handed over again',
    async ([_, then], { bytes }) => {
      await claimUnseen(bytes);
      await then(bytes);
      app.proxy.setRule(only(processed(), 'getSignatureStatuses'));
      const settled = settle();
      await until(async () => app.proxy.count('getSignatureStatuses') >= 2);
      expect(await stateOf(bytes)).toMatchObject({ state: 'submitted', failure: null });
      expect(app.proxy.count('sendTransaction')).toBe(0);
      app.proxy.reset();
      await settled;
      await expectClaimed(bytes);
    },
  );

  it('a refusal of what was run a moment before does not fail the claim', async ({ bytes }) => {
    await claimUnsent(bytes);
    let landed = false;
    app.proxy.setRule(async ({ method }): Promise<Fate> => {
      if (method === 'sendTransaction') {
        await land(app, bytes);
        landed = true;
        return preflight({ InstructionError: [0, { Custom: 6001 }] });
      }
      return landed && method === 'getSignatureStatuses' && app.proxy.count(method) < 3 ? processed() : 'pass';
    });
    await settle();
    await expectClaimed(bytes);
  });

  it('an answer of a node that lags behind the blockhash does not fail the claim', async ({ bytes }) => {
    await claimUnsent(bytes);
    await land(app, bytes);
    await expireBlockhash(bytes);
    app.proxy.setRule(({ method }) =>
      method === 'getSignatureStatuses' && app.proxy.count(method) < 2 ? answerAt(1, [null]) : 'pass',
    );
    await settle();
    await expectClaimed(bytes);
  });

  it('the owner is read at the slot of the transfer or later', async ({ bytes }) => {
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    const reads = app.proxy.calls.filter(({ method }) => method === 'getMultipleAccounts');
    const { value } = await app.connection.getSignatureStatus(signatureOf(bytes));
    expect(reads.at(-1)?.params[1]).toMatchObject({ minContextSlot: value?.slot });
  });
});

const bendStatuses = (bend: Fate) => app.proxy.setRule(only(bend, 'getSignatureStatuses'));

async function expectNoClaim(user: User, transaction: Buffer, status: number, code: string): Promise<void> {
  await expectAnswer(await claim(app, user, [transaction]), status, code);
  expect(await stateOf(transaction)).toBeUndefined();
}

/** The honest claim, with the cluster as it is. */
async function expectHonestClaim(bytes: Buffer): Promise<void> {
  app.proxy.reset();
  expect((await claim(app, buyer, [bytes])).status).toBe(200);
  await expectClaimed(bytes);
}

describe('a transfer that is only processed', () => {
  it.for(['run without effect', 'without an error so far'])(
    'of a stranger, %s: 404, no claim, and the honest claim goes through',
    async (how, { listedTicket, bytes }) => {
      const attacker = await anotherUser(app);
      const foreign = await transfer(app, await fundedMarketplace(app), listedTicket, attacker.wallet_address);
      if (how === 'run without effect') await app.connection.sendRawTransaction(foreign, { skipPreflight: true });
      bendStatuses(processed());
      await expectNoClaim(attacker, foreign, 404, 'not_found');
      await expectHonestClaim(bytes);
    },
  );

  it('of the marketplace itself, but failing: 503, and no claim', async ({ listedTicket, bytes }) => {
    const attacker = await anotherUser(app);
    const failing = await transfer(app, market, listedTicket, attacker.wallet_address, { before: [computeLimit(1)] });
    await app.connection.sendRawTransaction(failing, { skipPreflight: true });
    bendStatuses(processed());
    const faults = vi.spyOn(app.runtime.log, 'error');
    await expectNoClaim(attacker, failing, 503, 'unavailable');
    expect(faults, 'D-230: to wait for the cluster is no fault').not.toHaveBeenCalled();
    faults.mockRestore();
    await expectHonestClaim(bytes);
    await expectNoClaim(attacker, failing, 400, 'chain_refused');
  });

  it('with a blockhash that has expired: 400, and no claim', async ({ listedTicket, bytes }) => {
    const attacker = await anotherUser(app);
    const blockhash = randomAddress();
    const expired = await transfer(app, market, listedTicket, attacker.wallet_address, { blockhash });
    bendStatuses(processed());
    await expectNoClaim(attacker, expired, 400, 'blockhash_expired');
    await expectHonestClaim(bytes);
  });

  it('of the marketplace: a claim, confirmed once the cluster confirms it', async ({ listedTicket, bytes }) => {
    const listed = await accountsOf(listedTicket);
    await app.connection.sendRawTransaction(bytes);
    let asked = 0;
    app.proxy.setRule(({ method }): Fate => {
      if (method === 'getMultipleAccounts' && asked === 0) return { reply: listed };
      if (method !== 'getSignatureStatuses') return 'pass';
      asked += 1;
      return asked < 3 ? processed() : 'pass';
    });
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    expect(app.proxy.count('sendTransaction')).toBe(0);
    await expectClaimed(bytes);
  });
});

/** What a node answers about a permit now: later, what one answers that is behind. */
async function accountsOf({ permit }: TestTicket): Promise<RpcReply> {
  const params = [[permit], { commitment: 'confirmed', encoding: 'base64' }];
  const { result } = await rpc(app.network.url, 'getMultipleAccounts', params);
  return { result };
}

describe('nodes that differ', () => {
  it.for<[string, Fate]>([
    ['the status is only processed', processed()],
    ['the node that is asked for it is behind', answerAt(1, [null])],
  ])('the permit has moved, but %s: 503, and no claim yet', async ([_, bend], { bytes }) => {
    await app.connection.sendRawTransaction(bytes);
    bendStatuses(bend);
    await expectNoClaim(buyer, bytes, 503, 'unavailable');
    await expectHonestClaim(bytes);
  });

  it('the blockhash is unknown to a node that is behind the permit: 503, and no claim yet', async ({
    listedTicket,
    bytes,
  }) => {
    app.proxy.setRule(only(answerAt(1, false), 'isBlockhashValid'));
    const blockhash = await unseenBlockhash(app);
    const early = await transfer(app, market, listedTicket, buyer.wallet_address, { blockhash });
    await expectNoClaim(buyer, early, 503, 'unavailable');
    await expectHonestClaim(bytes);
  });
});

it('a transfer that lands while it is judged is claimed', async ({ bytes }) => {
  app.proxy.setRule(passAfter('getSignatureStatuses', () => land(app, bytes)));
  expect((await claim(app, buyer, [bytes])).status).toBe(200);
  expect(app.proxy.count('sendTransaction')).toBe(0);
  await expectClaimed(bytes);
});

describe('a claim remembers the slot of the state by which it was judged', () => {
  const judgedSlot = async (transaction: Buffer) =>
    (await claimRow<{ slot: number }>(transaction, 'judged_slot::int as slot'))?.slot;

  it.for([
    ['the blockhash was valid', 'isBlockhashValid'],
    ['the permit was where its signer may move it', 'getMultipleAccounts'],
  ])('where %s, if that is the later one', async ([_, later], { listedTicket }) => {
    const slot = (await app.connection.getSlot()) + 1_000;
    const blockhash = await unseenBlockhash(app);
    const bytes = await transfer(app, market, listedTicket, buyer.wallet_address, { blockhash });
    let asked = 0;
    app.proxy.setRule(({ method }): Fate => {
      if (method === 'getSignatureStatuses') asked += 1;
      if (asked >= 2) return 'away';
      if (method !== later || asked > 0) return 'pass';
      return ({ result }) => ({ result: { ...(result as object), context: { slot } } });
    });
    expect((await claim(app, buyer, [bytes])).status).toBe(503);
    expect(await judgedSlot(bytes)).toBe(slot);
    await rows(app, `update claim set state = 'failed' where signature = $1`, [signatureOf(bytes)]);
  });

  it('where it has landed already, without landing it again', async ({ bytes }) => {
    await land(app, bytes);
    const { value } = await app.connection.getSignatureStatus(signatureOf(bytes));
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    expect(await judgedSlot(bytes)).toBe(value?.slot);
    expect(app.proxy.count('sendTransaction')).toBe(0);
    await expectClaimed(bytes);
  });
});

it('the claim of another wallet is never revealed, whatever its signature', async ({ bytes }) => {
  expect((await claim(app, buyer, [bytes])).status).toBe(200);
  await rows(app, 'update claim set destination_wallet = $2 where signature = $1', [
    signatureOf(bytes),
    seller.wallet_address,
  ]);
  const answer = await claim(app, buyer, [bytes]);
  await expectAnswer(answer, 404, 'not_found');
});

describe('D-185: of several nodes behind one URL, one lags', () => {
  /** Accounts as a node that lags has them, some slots ago. */
  const lagging =
    (change: Partial<AccountValues<'Permit'>>) =>
    (reply: RpcReply): RpcReply => {
      const { context, value } = reply.result as { context: { slot: number }; value: { data: [string, string] }[] };
      const older = value.map((account) => {
        const present = decodeAccount('Permit', Buffer.from(account.data[0], 'base64'));
        const data = encodeAccount('Permit', { ...present, ...change });
        return { ...account, data: [data.toString('base64'), 'base64'] };
      });
      return { result: { context: { ...context, slot: context.slot - 3 }, value: older } };
    };
  const beforeTheListing = lagging({ state: PERMIT_STATES.held, marketplace: NO_ADDRESS, price: 0n, listing: 0n });
  const bendFirst = (count: number, bend: (reply: RpcReply) => RpcReply, firstStatus: Fate = 'pass') => {
    app.proxy.setRule(({ method }): Fate => {
      if (method === 'getSignatureStatuses') return app.proxy.count(method) === 1 ? firstStatus : 'pass';
      return method === 'getMultipleAccounts' && app.proxy.count(method) <= count ? bend : 'pass';
    });
  };

  it.for<[string, (reply: RpcReply) => RpcReply, Fate?]>([
    ['does not have the listing yet', beforeTheListing],
    ['does not have the listing yet, while the transfer is processed', beforeTheListing, processed()],
    ['has the listing before', lagging({ price: 7n, listing: 0n })],
    ['has another fork, on which it has another price', lagging({ price: 7n })],
  ])('and %s: the claim is judged by the newest state, and goes through', async ([_, older, status], { bytes }) => {
    bendFirst(1, older, status);
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    await expectClaimed(bytes);
    const asked = app.proxy.calls.filter(({ method }) => method === 'getMultipleAccounts');
    const slots = asked.map(({ params }) => (params[1] as { minContextSlot: number }).minContextSlot);
    expect(slots[0]).toBe(0);
    expect(slots[1]).toBeGreaterThan(0);
  });

  it('a listing that is gone by the newest state too: 404, and no claim', async ({ bytes }) => {
    bendFirst(2, beforeTheListing);
    await expectNoClaim(buyer, bytes, 404, 'not_found');
    await expectHonestClaim(bytes);
  });
});
