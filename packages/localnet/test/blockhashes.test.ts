import {
  ComputeBudgetProgram,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { describe, expect } from 'vitest';
import { networkStage } from './hosted-network.ts';
import { STANDING_STILL, subscribed, transferBytes, until } from './test-network.ts';

const { network, connection, newest, call, passSlots, send, test } = await networkStage({
  slotDuration: STANDING_STILL,
});

describe('blockhashes and statuses on the local network', () => {
  test('a status older than 300 slots is found with searchTransactionHistory only, as on a cluster', async () => {
    const signature = await connection.requestAirdrop(Keypair.generate().publicKey, 1e9);
    const slot = (await connection.getSignatureStatus(signature)).value?.slot ?? Number.NaN;
    await passSlots(302);
    expect((await connection.getSignatureStatus(signature)).value).toBeNull();
    const unsearched = await connection.getSignatureStatus(signature, { searchTransactionHistory: false });
    expect(unsearched.value).toBeNull();
    const { value } = await connection.getSignatureStatus(signature, { searchTransactionHistory: true });
    expect(value).toMatchObject({ slot, confirmationStatus: 'finalized' });
  });

  test('a blockhash expires after 150 slots, and its transaction is refused from then on', async () => {
    const wallet = await network.funded();
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
    const to = Keypair.generate().publicKey;
    const early = transferBytes(wallet, to, 1_000_000, blockhash);
    await connection.sendRawTransaction(early);
    await passSlots(lastValidBlockHeight - (await connection.getBlockHeight()));
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(true);
    await passSlots(1);
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(false);
    const late = connection.sendRawTransaction(transferBytes(wallet, to, 1_000_001, blockhash));
    await expect(late).rejects.toThrow('Blockhash not found');
    await expect(connection.sendRawTransaction(early)).rejects.toThrow('Blockhash not found');
    expect(await connection.getBalance(to)).toBe(1_000_000);
  });
});

describe('durable nonces on the local network', async () => {
  const payer = await network.funded();

  async function makeNonce(): Promise<Keypair> {
    const account = Keypair.generate();
    const create = SystemProgram.createNonceAccount({
      fromPubkey: payer.publicKey,
      noncePubkey: account.publicKey,
      authorizedPubkey: payer.publicKey,
      lamports: await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH),
    });
    await connection.sendRawTransaction(signed(await newest(), create.instructions, [account]));
    return account;
  }

  /** One that can be used: not in the slot that gave it its value. */
  async function usableNonce(): Promise<Keypair> {
    const account = await makeNonce();
    await passSlots(1);
    return account;
  }

  const advance = (account: Keypair, authority = payer) =>
    SystemProgram.nonceAdvance({ noncePubkey: account.publicKey, authorizedPubkey: authority.publicKey });

  const pay = (to: Keypair, lamports = 1_000_000) =>
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to.publicKey, lamports });

  async function nonceOf(account: Keypair): Promise<string> {
    const info = await connection.getAccountInfo(account.publicKey);
    if (!info) throw new Error('there is no nonce account');
    return NonceAccount.fromAccountData(info.data).nonce;
  }

  function signed(blockhash: string, instructions: TransactionInstruction[], signers: Keypair[] = []): Uint8Array {
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash }).add(...instructions);
    transaction.sign(payer, ...signers);
    return transaction.serialize();
  }

  const balance = ({ publicKey }: Keypair) => connection.getBalance(publicKey);
  const BLOCKHASH_NOT_FOUND = { error: { code: -32002, data: { err: 'BlockhashNotFound' } } };

  test('a transaction with a nonce runs long after an ordinary one had expired, and once only', async () => {
    const account = await usableNonce();
    const value = await nonceOf(account);
    const to = Keypair.generate();
    const bytes = signed(value, [advance(account), pay(to)]);
    await passSlots(160);
    expect((await connection.isBlockhashValid(value)).value).toBe(false);
    expect((await send(bytes)).error).toBeUndefined();
    expect(await balance(to)).toBe(1_000_000);
    expect(await nonceOf(account)).not.toBe(value);
    expect(await send(bytes)).toMatchObject(BLOCKHASH_NOT_FOUND);
    await send(bytes, { skipPreflight: true });
    expect(await balance(to)).toBe(1_000_000);
  });

  test('the nonce advances and the fee is taken even when the rest of the transaction fails', async () => {
    const account = await usableNonce();
    const value = await nonceOf(account);
    const to = Keypair.generate();
    const bytes = signed(value, [advance(account), pay(to, 10 ** 13)]);
    const preflight = await send(bytes);
    expect(preflight.error?.data).toMatchObject({ err: { InstructionError: [1, { Custom: 1 }] } });
    expect(await nonceOf(account)).toBe(value);
    const before = await balance(payer);
    const { result: signature } = await send(bytes, { skipPreflight: true });
    const { result } = await call('getSignatureStatuses', [[signature]]);
    expect(result).toMatchObject({ value: [{ err: { InstructionError: [1, { Custom: 1 }] } }] });
    expect(before - (await balance(payer))).toBe(5_000);
    const next = await nonceOf(account);
    expect(next).not.toBe(value);
    await send(bytes, { skipPreflight: true });
    expect([await balance(payer), await nonceOf(account)]).toEqual([before - 5_000, next]);
    await passSlots(1);
    expect((await send(signed(next, [advance(account), pay(to)]))).error).toBeUndefined();
    expect(await balance(to)).toBe(1_000_000);
  });

  test('accountSubscribe reports a nonce that a failing transaction has spent', async () => {
    const account = await usableNonce();
    const seen: string[] = [];
    connection.onAccountChange(account.publicKey, ({ data }) => seen.push(NonceAccount.fromAccountData(data).nonce));
    const isReady = subscribed(connection).then(() => true);
    await until(async () => {
      await passSlots(1);
      return Promise.race([isReady, false]);
    });
    const value = await nonceOf(account);
    await send(signed(value, [advance(account), pay(Keypair.generate(), 10 ** 13)]), { skipPreflight: true });
    await until(() => seen.length === 1);
    expect(seen).toEqual([await nonceOf(account)]);
    expect(seen).not.toContain(value);
  });

  test('without the advance as its first instruction, or with a wrong value, the blockhash is not found', async () => {
    const account = await usableNonce();
    const value = await nonceOf(account);
    const to = Keypair.generate();
    const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: 10_000 });
    for (const instructions of [[pay(to)], [pay(to), advance(account)], [limit, advance(account), pay(to)]]) {
      expect(await send(signed(value, instructions))).toMatchObject(BLOCKHASH_NOT_FOUND);
    }
    const other = await nonceOf(await usableNonce());
    expect(await send(signed(other, [advance(account), pay(to)]))).toMatchObject(BLOCKHASH_NOT_FOUND);
    expect([await balance(to), await nonceOf(account)]).toEqual([0, value]);
  });

  test('somebody who is not the authority of a nonce account cannot use it', async () => {
    const account = await usableNonce();
    const value = await nonceOf(account);
    const stranger = await network.funded();
    const bytes = signed(value, [advance(account, stranger), pay(Keypair.generate())], [stranger]);
    expect(await send(bytes)).toMatchObject(BLOCKHASH_NOT_FOUND);
    await send(bytes, { skipPreflight: true });
    expect(await nonceOf(account)).toBe(value);
  });

  test('a nonce advances once per slot, and never returns to an earlier value', async () => {
    const before = await newest();
    await passSlots(1);
    const account = await makeNonce();
    const made = await nonceOf(account);
    const again = signed(before, [advance(account)]);
    expect((await send(again)).error?.data).toMatchObject({ err: { InstructionError: [0, { Custom: 7 }] } });
    await send(again, { skipPreflight: true });
    expect(await nonceOf(account)).toBe(made);
    expect(await send(signed(made, [advance(account)]))).toMatchObject(BLOCKHASH_NOT_FOUND);
    const values = [made];
    for (let round = 0; round < 3; round++) {
      await passSlots(1);
      await send(signed(values.at(-1) ?? '', [advance(account)]));
      values.push(await nonceOf(account));
    }
    expect(new Set(values).size).toBe(4);
  });
});
