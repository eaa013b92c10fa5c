import {
  ComputeBudgetProgram,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { base64, rpc, startTestNetwork, type TestNetwork, until } from './test-network.ts';

describe('durable nonces on the local network', () => {
  let network: TestNetwork;
  let payer: Keypair;
  beforeAll(async () => {
    // a blockhash lives for three seconds
    network = await startTestNetwork({ slotDuration: 20 });
    payer = await network.funded();
  });
  afterAll(() => network.remove());

  async function makeNonce(): Promise<Keypair> {
    const account = Keypair.generate();
    const { connection } = network;
    const create = SystemProgram.createNonceAccount({
      fromPubkey: payer.publicKey,
      noncePubkey: account.publicKey,
      authorizedPubkey: payer.publicKey,
      lamports: await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH),
    });
    // web3.js keeps a blockhash for thirty seconds
    const { blockhash } = await connection.getLatestBlockhash();
    await connection.sendRawTransaction(signed(blockhash, create.instructions, [account]));
    await nextSlot();
    return account;
  }

  /** In the slot that gave a nonce its value it cannot be used. */
  async function nextSlot(): Promise<void> {
    const slot = await network.connection.getSlot();
    await until(async () => (await network.connection.getSlot()) > slot);
  }

  const advance = (account: Keypair, authority = payer) =>
    SystemProgram.nonceAdvance({ noncePubkey: account.publicKey, authorizedPubkey: authority.publicKey });

  const pay = (to: Keypair, lamports = 1_000_000) =>
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to.publicKey, lamports });

  async function nonceOf(account: Keypair): Promise<string> {
    const info = await network.connection.getAccountInfo(account.publicKey);
    if (!info) throw new Error('there is no nonce account');
    return NonceAccount.fromAccountData(info.data).nonce;
  }

  function signed(blockhash: string, instructions: TransactionInstruction[], signers: Keypair[] = []): Uint8Array {
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash }).add(...instructions);
    transaction.sign(payer, ...signers);
    return transaction.serialize();
  }

  const send = (bytes: Uint8Array, config: object = {}) =>
    rpc(network.url, 'sendTransaction', [base64(bytes), { encoding: 'base64', ...config }]);
  const balance = ({ publicKey }: Keypair) => network.connection.getBalance(publicKey);
  const BLOCKHASH_NOT_FOUND = { error: { code: -32002, data: { err: 'BlockhashNotFound' } } };

  test('a transaction with a nonce runs long after an ordinary one had expired, and once only', async () => {
    const account = await makeNonce();
    const value = await nonceOf(account);
    const to = Keypair.generate();
    const bytes = signed(value, [advance(account), pay(to)]);
    const born = await network.connection.getSlot();
    await until(async () => (await network.connection.getSlot()) > born + 160);
    expect((await network.connection.isBlockhashValid(value)).value).toBe(false);
    expect((await send(bytes)).error).toBeUndefined();
    expect(await balance(to)).toBe(1_000_000);
    expect(await nonceOf(account)).not.toBe(value);
    expect(await send(bytes)).toMatchObject(BLOCKHASH_NOT_FOUND);
    await send(bytes, { skipPreflight: true });
    expect(await balance(to)).toBe(1_000_000);
  });

  test('the nonce advances and the fee is taken even when the rest of the transaction fails', async () => {
    const account = await makeNonce();
    const value = await nonceOf(account);
    const to = Keypair.generate();
    const bytes = signed(value, [advance(account), pay(to, 10 ** 13)]);
    const preflight = await send(bytes);
    expect(preflight.error?.data).toMatchObject({ err: { InstructionError: [1, { Custom: 1 }] } });
    expect(await nonceOf(account)).toBe(value);
    const before = await balance(payer);
    const { result: signature } = await send(bytes, { skipPreflight: true });
    const { result } = await rpc(network.url, 'getSignatureStatuses', [[signature]]);
    expect(result).toMatchObject({ value: [{ err: { InstructionError: [1, { Custom: 1 }] } }] });
    expect(before - (await balance(payer))).toBe(5_000);
    const next = await nonceOf(account);
    expect(next).not.toBe(value);
    await send(bytes, { skipPreflight: true });
    expect([await balance(payer), await nonceOf(account)]).toEqual([before - 5_000, next]);
    await nextSlot();
    expect((await send(signed(next, [advance(account), pay(to)]))).error).toBeUndefined();
    expect(await balance(to)).toBe(1_000_000);
  });

  test('accountSubscribe tells of a nonce that a failing transaction has spent', async () => {
    const account = await makeNonce();
    const seen: string[] = [];
    network.connection.onAccountChange(account.publicKey, ({ data }) =>
      seen.push(NonceAccount.fromAccountData(data).nonce),
    );
    await new Promise<void>((resolve) => {
      const id = network.connection.onSlotChange(() => {
        network.connection.removeSlotChangeListener(id).then(resolve, resolve);
      });
    });
    const value = await nonceOf(account);
    await send(signed(value, [advance(account), pay(Keypair.generate(), 10 ** 13)]), { skipPreflight: true });
    await until(() => seen.length === 1);
    expect(seen).toEqual([await nonceOf(account)]);
    expect(seen).not.toContain(value);
  });

  test('without the advance as its first instruction, or with a wrong value, the blockhash is not found', async () => {
    const account = await makeNonce();
    const value = await nonceOf(account);
    const to = Keypair.generate();
    const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: 10_000 });
    for (const instructions of [[pay(to)], [pay(to), advance(account)], [limit, advance(account), pay(to)]]) {
      expect(await send(signed(value, instructions))).toMatchObject(BLOCKHASH_NOT_FOUND);
    }
    const other = await nonceOf(await makeNonce());
    expect(await send(signed(other, [advance(account), pay(to)]))).toMatchObject(BLOCKHASH_NOT_FOUND);
    expect([await balance(to), await nonceOf(account)]).toEqual([0, value]);
  });

  test('somebody who is not the authority of a nonce account cannot use it', async () => {
    const account = await makeNonce();
    const value = await nonceOf(account);
    const stranger = await network.funded();
    const bytes = signed(value, [advance(account, stranger), pay(Keypair.generate())], [stranger]);
    expect(await send(bytes)).toMatchObject(BLOCKHASH_NOT_FOUND);
    await send(bytes, { skipPreflight: true });
    expect(await nonceOf(account)).toBe(value);
  });

  test('a signature that does not verify is refused, with preflight and without', async () => {
    const account = await makeNonce();
    const value = await nonceOf(account);
    const bytes = signed(value, [advance(account), pay(Keypair.generate())]);
    bytes[10] = (bytes[10] ?? 0) ^ 1;
    expect((await send(bytes)).error?.code).toBe(-32003);
    await send(bytes, { skipPreflight: true });
    expect(await nonceOf(account)).toBe(value);
  });

  test('a nonce advances once per slot, and never returns to an earlier value', async () => {
    const slow = await startTestNetwork({ slotDuration: 60_000 });
    try {
      const wallet = await slow.funded();
      const account = Keypair.generate();
      const create = SystemProgram.createNonceAccount({
        fromPubkey: wallet.publicKey,
        noncePubkey: account.publicKey,
        authorizedPubkey: wallet.publicKey,
        lamports: 1_447_680,
      });
      await sendAndConfirmTransaction(slow.connection, create, [wallet, account]);
      const again = SystemProgram.nonceAdvance({ noncePubkey: account.publicKey, authorizedPubkey: wallet.publicKey });
      const before = await slow.connection.getAccountInfo(account.publicKey);
      const made = NonceAccount.fromAccountData(before?.data ?? Buffer.alloc(0)).nonce;
      // another blockhash than the account was made with, in the same slot
      const { blockhash } = await slow.connection.getBlock(0, { maxSupportedTransactionVersion: 0 }).then((block) => {
        if (!block) throw new Error('slot 0 has a block');
        return block;
      });
      const second = new Transaction({ feePayer: wallet.publicKey, recentBlockhash: blockhash }).add(again);
      second.sign(wallet);
      const sent = await rpc(slow.url, 'sendTransaction', [base64(second.serialize()), { encoding: 'base64' }]);
      expect(sent.error?.data).toMatchObject({ err: { InstructionError: [0, { Custom: 7 }] } });
      await rpc(slow.url, 'sendTransaction', [base64(second.serialize()), { encoding: 'base64', skipPreflight: true }]);
      const info = await slow.connection.getAccountInfo(account.publicKey);
      const value = NonceAccount.fromAccountData(info?.data ?? Buffer.alloc(0)).nonce;
      expect(value).toBe(made);
      const early = new Transaction({ feePayer: wallet.publicKey, recentBlockhash: value }).add(again);
      early.sign(wallet);
      const { error } = await rpc(slow.url, 'sendTransaction', [base64(early.serialize()), { encoding: 'base64' }]);
      expect(error?.data).toMatchObject({ err: 'BlockhashNotFound' });
    } finally {
      await slow.remove();
    }
    const account = await makeNonce();
    const values = [await nonceOf(account)];
    for (let round = 0; round < 3; round++) {
      await nextSlot();
      await send(signed(values.at(-1) ?? '', [advance(account)]));
      values.push(await nonceOf(account));
    }
    expect(new Set(values).size).toBe(4);
  });

  test('getFeeForMessage knows the fee of a message with a nonce; jsonParsed shows the account', async () => {
    const account = await makeNonce();
    const value = await nonceOf(account);
    const message = Transaction.from(signed(value, [advance(account), pay(Keypair.generate())])).compileMessage();
    expect((await network.connection.getFeeForMessage(message)).value).toBe(5_000);
    const { result } = await rpc(network.url, 'getAccountInfo', [
      account.publicKey.toBase58(),
      { encoding: 'jsonParsed' },
    ]);
    const info = {
      authority: payer.publicKey.toBase58(),
      blockhash: value,
      feeCalculator: { lamportsPerSignature: '5000' },
    };
    expect(result).toMatchObject({
      value: { data: { program: 'nonce', parsed: { type: 'initialized', info }, space: 80 } },
    });
  });
});
