import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import { describe, expect } from 'vitest';
import { networkStage, startHostedNetwork } from './hosted-network.ts';
import { openSocket, rpc, STANDING_STILL, signatureIn, transferBytes, until } from './test-network.ts';

const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;
type Commitment = (typeof COMMITMENTS)[number];

const DELAYS = { confirmed: 4, finalized: 12 };
/** Slots until what is confirmed is final. */
const REST = DELAYS.finalized - DELAYS.confirmed;

const stage = await networkStage({ slotDuration: STANDING_STILL, delays: DELAYS });
const { network, connection, call, passSlots, send, simulate } = stage;
await passSlots(20);

/** A funded wallet whose funds are final. */
async function settled(): Promise<Keypair> {
  const wallet = await network.funded();
  await passSlots(DELAYS.finalized);
  return wallet;
}
const test = stage.test.extend('payer', settled);

describe('commitments of the local network', () => {
  const at = async <T>(method: string, params: unknown[], commitment: Commitment) =>
    (await call(method, [...params, { commitment }])).result as T;
  const balance = async (address: string, commitment: Commitment) =>
    (await at<{ value: number }>('getBalance', [address], commitment)).value;
  const status = async (signature: string) => {
    const { result } = await call('getSignatureStatuses', [[signature]]);
    return (result as { value: ({ confirmationStatus: Commitment; confirmations: number | null } | null)[] }).value[0];
  };

  async function transfer(payer: Keypair, to = Keypair.generate().publicKey, lamports = 1_000_000) {
    const { blockhash } = await connection.getLatestBlockhash('finalized');
    const bytes = transferBytes(payer, to, lamports, blockhash);
    return { to: to.toBase58(), bytes, signature: signatureIn(bytes) };
  }

  test('a transaction is processed, then confirmed, then finalized, and its effects are seen in that order', async ({
    payer,
  }) => {
    const { to, bytes, signature } = await transfer(payer);
    await send(bytes);
    const seen = async () => {
      const known = await status(signature);
      const balances = await Promise.all(COMMITMENTS.map((commitment) => balance(to, commitment)));
      return [known?.confirmationStatus, known?.confirmations === null, ...balances];
    };
    await passSlots(DELAYS.confirmed - 1);
    expect(await seen()).toEqual(['processed', false, 1_000_000, 0, 0]);
    await passSlots(1);
    expect(await seen()).toEqual(['confirmed', false, 1_000_000, 1_000_000, 0]);
    await passSlots(REST - 1);
    expect(await seen()).toEqual(['confirmed', false, 1_000_000, 1_000_000, 0]);
    await passSlots(1);
    expect(await seen()).toEqual(['finalized', true, 1_000_000, 1_000_000, 1_000_000]);
  });

  test('without a commitment a read is at finalized, as on a cluster', async ({ payer }) => {
    const { to, bytes } = await transfer(payer);
    await send(bytes);
    const { result } = await call('getBalance', [to]);
    expect(result).toMatchObject({ value: 0 });
    await passSlots(DELAYS.finalized);
    expect((await call('getBalance', [to])).result).toMatchObject({ value: 1_000_000 });
  });

  test('each kind of account read sees the state of its commitment: changed, made and closed accounts', async ({
    payer,
  }) => {
    const drained = await settled();
    const account = Keypair.generate();
    const programId = Keypair.generate().publicKey;
    const { blockhash } = await connection.getLatestBlockhash('finalized');
    const create = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash }).add(
      SystemProgram.createAccount({
        fromPubkey: payer.publicKey,
        newAccountPubkey: account.publicKey,
        lamports: 2_000_000,
        space: 10,
        programId,
      }),
    );
    create.sign(payer, account);
    await send(create.serialize());
    await send(transferBytes(drained, payer.publicKey, 9_999_995_000, blockhash));
    const drainedAddress = drained.publicKey.toBase58();
    const view = async (commitment: Commitment) => {
      const config = { commitment, encoding: 'base64' };
      const info = (await call('getAccountInfo', [account.publicKey.toBase58(), config])).result;
      const addresses = [account.publicKey.toBase58(), drainedAddress];
      const several = (await call('getMultipleAccounts', [addresses, config])).result;
      const ofProgram = (await call('getProgramAccounts', [programId.toBase58(), config])).result as {
        pubkey: string;
      }[];
      return {
        listed: ofProgram.some(({ pubkey }) => pubkey === addresses[0]),
        info: (info as { value: object | null }).value !== null,
        several: (several as { value: (object | null)[] }).value.map((value) => value !== null),
        drained: await balance(drainedAddress, commitment),
      };
    };
    const before = { listed: false, info: false, several: [false, true], drained: 10_000_000_000 };
    const after = { listed: true, info: true, several: [true, false], drained: 0 };
    expect(await view('processed')).toEqual(after);
    expect(await view('finalized')).toEqual(before);
    await passSlots(DELAYS.confirmed);
    expect(await view('confirmed')).toEqual(after);
    expect(await view('finalized')).toEqual(before);
    await passSlots(REST);
    expect(await view('finalized')).toEqual(after);
  });

  test('of several changes of an account each commitment sees its own', async ({ payer, to }) => {
    const [first, second] = [await transfer(payer, to, 1_000_000), await transfer(payer, to, 2_000_000)];
    await send(first.bytes);
    await passSlots(DELAYS.confirmed);
    await send(second.bytes);
    expect(await balance(first.to, 'processed')).toBe(3_000_000);
    expect(await balance(first.to, 'confirmed')).toBe(1_000_000);
    await passSlots(REST);
    expect(await balance(first.to, 'finalized')).toBe(1_000_000);
    await passSlots(DELAYS.confirmed);
    expect(await balance(first.to, 'finalized')).toBe(3_000_000);
  });

  test('getTransaction and getSignaturesForAddress show what has reached the commitment, and none below confirmed', async ({
    payer,
  }) => {
    const { to, bytes, signature } = await transfer(payer);
    await send(bytes);
    const known = async (commitment: Commitment) => {
      const config = { commitment, maxSupportedTransactionVersion: 0 };
      const { result } = await call('getTransaction', [signature, config]);
      return {
        transaction: result !== null,
        listed: (await at<object[]>('getSignaturesForAddress', [to], commitment)).length,
      };
    };
    expect(await known('confirmed')).toEqual({ transaction: false, listed: 0 });
    await passSlots(DELAYS.confirmed);
    const [entry] = await at<object[]>('getSignaturesForAddress', [to], 'confirmed');
    expect(entry).toMatchObject({ signature, confirmationStatus: 'confirmed' });
    expect(await known('finalized')).toEqual({ transaction: false, listed: 0 });
    await passSlots(REST);
    expect(await known('finalized')).toEqual({ transaction: true, listed: 1 });
    for (const [method, params] of [
      ['getTransaction', [signature]],
      ['getSignaturesForAddress', [to]],
    ] as const) {
      const { error } = await call(method, [...params, { commitment: 'processed' }]);
      expect(error).toEqual({ code: -32602, message: 'Method does not support commitment below `confirmed`' });
    }
  });

  test('a blockhash of a commitment is not found where preflight runs at an older one', async ({ payer }) => {
    const { blockhash } = await connection.getLatestBlockhash('processed');
    const valid = async (commitment: Commitment) =>
      (await at<{ value: boolean }>('isBlockhashValid', [blockhash], commitment)).value;
    expect(await valid('finalized')).toBe(false);
    const bytes = transferBytes(payer, Keypair.generate().publicKey, 1_000_000, blockhash);
    expect((await send(bytes)).error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: Blockhash not found',
    });
    expect((await send(bytes, { preflightCommitment: 'processed' })).result).toBe(signatureIn(bytes));
    await passSlots(DELAYS.finalized);
    expect(await valid('finalized')).toBe(true);
  });

  test('preflight and simulation run on the state of their commitment, and leave the newest as it was', async ({
    payer,
  }) => {
    const poor = Keypair.generate();
    const funding = await transfer(payer, poor.publicKey, 50_000_000);
    const next = await transfer(poor, payer.publicKey, 1_000_000);
    await send(funding.bytes);
    for (const preflightCommitment of ['confirmed', 'finalized']) {
      const { error } = await send(next.bytes, { preflightCommitment });
      expect(error).toMatchObject({ code: -32002, data: { err: 'AccountNotFound' } });
    }
    expect((await simulate(next.bytes, { commitment: 'finalized' })).result).toMatchObject({
      value: { err: 'AccountNotFound' },
    });
    expect(await balance(poor.publicKey.toBase58(), 'processed')).toBe(50_000_000);
    expect((await send(next.bytes, { preflightCommitment: 'processed' })).error).toBeUndefined();
    expect(await balance(poor.publicKey.toBase58(), 'processed')).toBe(50_000_000 - 1_000_000 - 5_000);
  });

  test('a resent transaction is accepted until its first landing has reached the commitment of preflight', async ({
    payer,
  }) => {
    const { to, bytes, signature } = await transfer(payer);
    await send(bytes);
    expect((await send(bytes)).result).toBe(signature);
    expect((await send(bytes, { preflightCommitment: 'processed' })).error?.data).toMatchObject({
      err: 'AlreadyProcessed',
    });
    await passSlots(DELAYS.finalized);
    expect((await send(bytes)).error?.data).toMatchObject({ err: 'AlreadyProcessed' });
    expect(await balance(to, 'processed')).toBe(1_000_000);
  });

  test('minContextSlot is compared with the slot of the commitment', async () => {
    const processed = await connection.getSlot('processed');
    const config = { minContextSlot: processed - 6 };
    expect((await call('getSlot', [{ ...config, commitment: 'confirmed' }])).error).toBeUndefined();
    const { error } = await call('getSlot', [{ ...config, commitment: 'finalized' }]);
    expect(error).toMatchObject({ code: -32016, data: { contextSlot: expect.any(Number) } });
    expect(Number(error?.data?.contextSlot)).toBeLessThan(config.minContextSlot);
    const bytes = (await transfer(await settled())).bytes;
    const ahead = await send(bytes, { minContextSlot: processed + 10_000, preflightCommitment: 'processed' });
    expect(ahead.error?.code).toBe(-32016);
  });

  test('subscriptions at each commitment are notified when it is reached, with its state', async ({ payer }) => {
    const { to, bytes, signature } = await transfer(payer);
    type Message = { id?: string; result: number; params: { subscription: number; result: { value: Told } } };
    type Told = { lamports?: number; account?: { lamports: number }; signature?: string };
    const { socket, received, ask } = await openSocket<Message>(network.port);
    const replies = () => received.filter(({ id }) => id !== undefined);
    /** Which subscription was told what, in order. */
    const told = () =>
      received.flatMap(({ id, params }) => {
        if (id !== undefined) return [];
        const { value } = params.result;
        const name = replies().find(({ result }) => result === params.subscription)?.id;
        return `${name} ${value.lamports ?? value.account?.lamports ?? value.signature ?? JSON.stringify(value)}`;
      });
    for (const commitment of COMMITMENTS) {
      ask(`account ${commitment}`, 'accountSubscribe', [to, { commitment, encoding: 'base64' }]);
      ask(`logs ${commitment}`, 'logsSubscribe', [{ mentions: [to] }, { commitment }]);
      const enableReceivedNotification = commitment === 'confirmed';
      ask(`signature ${commitment}`, 'signatureSubscribe', [signature, { commitment, enableReceivedNotification }]);
    }
    await until(() => replies().length === 9);
    await send(bytes);
    await until(() => told().length === 4);
    await passSlots(DELAYS.confirmed);
    await until(() => told().length === 7);
    await passSlots(REST);
    await until(() => told().length === 10);
    expect(told()[0]).toBe('signature confirmed "receivedSignature"');
    const stage = (commitment: string) => [
      `signature ${commitment} {"err":null}`,
      `logs ${commitment} ${signature}`,
      `account ${commitment} 1000000`,
    ];
    expect(told().slice(1)).toEqual(COMMITMENTS.flatMap(stage));
    ask('late', 'signatureSubscribe', [signature]);
    await until(() => told().length === 11);
    expect(told().at(-1)).toBe('late {"err":null}');
    socket.close();
  });

  test('slotSubscribe reports each slot once and in order, with the newest finalized one', async () => {
    type Message = { params?: { result: { slot: number; parent: number; root: number } } };
    const { socket, received, ask } = await openSocket<Message>(network.port);
    ask(1, 'slotSubscribe');
    await until(async () => {
      await passSlots(1);
      return received.length >= 6;
    });
    const slots = received.flatMap(({ params }) => (params ? [params.result] : []));
    expect(slots.map(({ slot }) => slot)).toEqual(slots.map((_, index) => (slots[0]?.slot ?? 0) + index));
    for (const { slot, parent, root } of slots) {
      expect(parent).toBe(slot - 1);
      expect(slot - root).toBe(DELAYS.finalized);
    }
    socket.close();
  });

  test('the delays of a cluster are the default: 2 slots until a state is confirmed, 32 until it is final', async () => {
    const ordinary = await startHostedNetwork({ slotDuration: STANDING_STILL, delays: undefined });
    try {
      const slots = async (count: number) => {
        await rpc(ordinary.url, 'passSlots', [count]);
        const reached = await Promise.all(COMMITMENTS.map((commitment) => ordinary.connection.getSlot(commitment)));
        const heights = COMMITMENTS.map((commitment) => ordinary.connection.getBlockHeight(commitment));
        expect(await Promise.all(heights)).toEqual(reached);
        return reached;
      };
      expect(await slots(31)).toEqual([32, 30, 0]);
      expect(await slots(1)).toEqual([33, 31, 1]);
    } finally {
      await ordinary.remove();
    }
  });
});
