import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Keypair,
  SendTransactionError,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { describe, expect } from 'vitest';
import { networkStage } from './hosted-network.ts';
import { base64, signatureIn, transferBytes, until } from './test-network.ts';

const { connection, newest, call, passSlots, send, simulate, test } = await networkStage();

describe('transactions on the local network, through @solana/web3.js', () => {
  test('sendAndConfirmTransaction lands a legacy transaction and moves the lamports', async ({ payer, to }) => {
    const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 3_000_000 });
    const signature = await sendAndConfirmTransaction(connection, new Transaction().add(transfer), [payer]);
    expect(await connection.getBalance(to)).toBe(3_000_000);
    expect(await connection.getBalance(payer.publicKey)).toBe(10_000_000_000 - 3_000_000 - 5_000);
    const { value } = await connection.getSignatureStatus(signature);
    expect(value).toMatchObject({ err: null, confirmationStatus: 'finalized', confirmations: null });
  });

  test('getTransaction: balances, fee, logs, slot and time of a version 0 transaction', async ({ payer, to }) => {
    const signature = await connection.sendRawTransaction(transferBytes(payer, to, 2_000_000, await newest()));
    const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(landed?.version).toBe(0);
    expect(landed?.transaction.signatures).toEqual([signature]);
    expect(landed?.transaction.message.staticAccountKeys.map(String)).toContain(to.toBase58());
    expect(landed?.meta).toMatchObject({
      err: null,
      fee: 5_000,
      preBalances: [10_000_000_000, 0, 1],
      postBalances: [9_997_995_000, 2_000_000, 1],
      computeUnitsConsumed: 150,
    });
    expect(landed?.meta?.logMessages?.at(-1)).toBe('Program 11111111111111111111111111111111 success');
    expect(Math.abs((landed?.blockTime ?? 0) - Date.now() / 1000)).toBeLessThan(10);
  });

  test('a client that does not ask for version 0 gets the error -32015', async ({ bytes }) => {
    const signature = await connection.sendRawTransaction(bytes);
    expect((await call('getTransaction', [signature])).error?.code).toBe(-32015);
    expect((await call('getTransaction', [signature, 'base64'])).error?.code).toBe(-32015);
  });

  test('getTransaction gives back the very bytes in base64', async ({ bytes }) => {
    const signature = await connection.sendRawTransaction(bytes);
    const config = { encoding: 'base64', maxSupportedTransactionVersion: 0 };
    const { result } = await call('getTransaction', [signature, config]);
    expect(result).toMatchObject({ transaction: [base64(bytes), 'base64'] });
  });

  test('getSignaturesForAddress is newest first, within before, until and limit', async ({ payer, to }) => {
    const signatures: string[] = [];
    for (let index = 0; index < 5; index++) {
      signatures.push(await connection.sendRawTransaction(transferBytes(payer, to, 1_000_000 + index, await newest())));
    }
    const list = async (options?: object) =>
      (await connection.getSignaturesForAddress(to, options)).map(({ signature }) => signature);
    const [first, second, third, fourth, fifth] = signatures;
    expect(await list()).toEqual([fifth, fourth, third, second, first]);
    expect(await list({ limit: 2 })).toEqual([fifth, fourth]);
    expect(await list({ before: fourth, until: first })).toEqual([third, second]);
    expect(await list({ before: first })).toEqual([]);
  });

  test('a failing transaction is stopped by preflight: -32002 with the logs, nothing charged; without it, it is charged', async ({
    payer,
    to,
  }) => {
    const bytes = transferBytes(payer, to, 11_000_000_000, await newest());
    const { error } = await send(bytes);
    expect(error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
      data: { err: { InstructionError: [0, { Custom: 1 }] }, unitsConsumed: 150 },
    });
    const refused = await connection.sendRawTransaction(bytes).catch((reason: unknown) => reason);
    expect(refused).toBeInstanceOf(SendTransactionError);
    expect((refused as SendTransactionError).logs?.join()).toContain('insufficient lamports');
    expect(await connection.getBalance(payer.publicKey)).toBe(10_000_000_000);
    const signature = await connection.sendRawTransaction(bytes, { skipPreflight: true });
    const { value } = await connection.getSignatureStatus(signature);
    expect(value?.err).toEqual({ InstructionError: [0, { Custom: 1 }] });
    expect(await connection.getBalance(payer.publicKey)).toBe(10_000_000_000 - 5_000);
  });

  test('simulateTransaction changes nothing, and checks signatures only when asked', async ({ payer, to }) => {
    const unsigned = VersionedTransaction.deserialize(transferBytes(payer, to, 5_000_000, await newest()));
    unsigned.signatures = [new Uint8Array(64)];
    const { value } = await connection.simulateTransaction(unsigned);
    expect(value).toMatchObject({ err: null, unitsConsumed: 150, accounts: null });
    expect(await connection.getBalance(to)).toBe(0);
    const checked = connection.simulateTransaction(unsigned, { sigVerify: true });
    await expect(checked).rejects.toThrow('signature verification failure');
  });

  test('simulateTransaction with replaceRecentBlockhash takes any blockhash and names its own', async ({ payer }) => {
    const anyHash = Keypair.generate().publicKey.toBase58();
    const bytes = transferBytes(payer, Keypair.generate().publicKey, 5_000_000, anyHash);
    const transaction = VersionedTransaction.deserialize(bytes);
    const plain = await connection.simulateTransaction(transaction);
    expect(plain.value.err).toBe('BlockhashNotFound');
    const { result } = await simulate(bytes, { replaceRecentBlockhash: true });
    expect(result).toMatchObject({ value: { err: null, replacementBlockhash: { blockhash: expect.any(String) } } });
  });

  test('a duplicate is refused at once, and still after a hundred other transactions', async ({ payer, to }) => {
    const blockhash = await newest();
    const bytes = transferBytes(payer, to, 1_000_000, blockhash);
    await connection.sendRawTransaction(bytes);
    await expect(connection.sendRawTransaction(bytes)).rejects.toThrow('already been processed');
    for (let index = 1; index <= 100; index++) {
      const other = transferBytes(payer, to, 1_000_000 + index, blockhash);
      await connection.sendRawTransaction(other, { skipPreflight: true });
    }
    await expect(connection.sendRawTransaction(bytes)).rejects.toThrow('already been processed');
    const before = await connection.getBalance(to);
    await connection.sendRawTransaction(bytes, { skipPreflight: true });
    expect(await connection.getBalance(to)).toBe(before);
  });

  test('an all-zero signature is refused and the network goes on', async ({ to, bytes }) => {
    bytes.fill(0, 1, 65);
    const { error } = await send(bytes);
    expect(error).toMatchObject({ code: -32003, message: 'Transaction signature verification failure' });
    const unchecked = await connection.simulateTransaction(VersionedTransaction.deserialize(bytes));
    expect(unchecked.value.err).toBeNull();
    await connection.sendRawTransaction(bytes, { skipPreflight: true });
    expect(await connection.getBalance(to)).toBe(0);
    expect(await connection.getSlot()).toBeGreaterThan(0);
  });

  test('a transaction whose payer cannot pay leaves no trace', async () => {
    const poor = Keypair.generate();
    const bytes = transferBytes(poor, Keypair.generate().publicKey, 1_000_000, await newest());
    const signature = await connection.sendRawTransaction(bytes, { skipPreflight: true });
    expect(signature).toBe(signatureIn(bytes));
    expect((await connection.getSignatureStatus(signature)).value).toBeNull();
    expect(await connection.getSignaturesForAddress(poor.publicKey)).toEqual([]);
    await expect(connection.sendRawTransaction(bytes)).rejects.toThrow('no record of a prior credit');
  });

  test('a wrong signature is reported before an unknown blockhash, as on a cluster', async ({ payer }) => {
    const unknown = Keypair.generate().publicKey;
    const bytes = transferBytes(payer, unknown, 1_000_000, unknown.toBase58());
    bytes[10] = (bytes[10] ?? 0) ^ 1;
    const { error } = await send(bytes);
    expect(error?.code).toBe(-32003);
    const unchecked = await simulate(bytes);
    expect(unchecked.result).toMatchObject({ value: { err: 'BlockhashNotFound' } });
  });

  test('the fee that is quoted is the fee that is charged, priority included', async ({ payer }) => {
    for (const limit of [undefined, 1_234]) {
      const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 777_777 });
      const instructions = [
        price,
        ...(limit ? [ComputeBudgetProgram.setComputeUnitLimit({ units: limit })] : []),
        SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 1 }),
      ];
      const transaction = signed(payer, await newest(), instructions);
      const simulated = await simulate(transaction.serialize());
      const { fee } = (simulated.result as { value: { fee: number } }).value;
      const before = await connection.getBalance(payer.publicKey);
      await connection.sendRawTransaction(transaction.serialize());
      expect(before - (await connection.getBalance(payer.publicKey))).toBe(fee);
      expect(fee).toBeGreaterThan(5_000);
    }
  });

  test('two hundred transfers at once all land, each once', async ({ payer, to }) => {
    const blockhash = await newest();
    const transfers = Array.from({ length: 200 }, (_, index) => transferBytes(payer, to, 1_000_000 + index, blockhash));
    const sent = await Promise.all(
      transfers.map((bytes) => connection.sendRawTransaction(bytes, { skipPreflight: true })),
    );
    expect(new Set(sent).size).toBe(200);
    await until(async () => (await connection.getSignaturesForAddress(to)).length === 200);
    expect(await connection.getBalance(to)).toBe(200 * 1_000_000 + (199 * 200) / 2);
  });

  test('equal airdrops in one slot are two airdrops', async ({ to }) => {
    const given = await Promise.all([connection.requestAirdrop(to, 1e9), connection.requestAirdrop(to, 1e9)]);
    expect(new Set(given).size).toBe(2);
    expect(await connection.getBalance(to)).toBe(2e9);
  });

  test('an airdrop beyond the limit, or too small for an account to exist, is refused', async () => {
    const to = Keypair.generate().publicKey.toBase58();
    const tooSmall = await call('requestAirdrop', [to, 5]);
    expect(tooSmall.error?.message).toContain('insufficient funds for rent');
    expect((await call('requestAirdrop', [to, 10 ** 15 + 1])).error?.code).toBe(-32602);
  });
});

test('a transaction takes accounts from a lookup table made on the network, and its history names them', async ({
  payer,
  to,
}) => {
  const [create, table] = AddressLookupTableProgram.createLookupTable({
    authority: payer.publicKey,
    payer: payer.publicKey,
    recentSlot: await connection.getSlot(),
  });
  const extend = AddressLookupTableProgram.extendLookupTable({
    authority: payer.publicKey,
    payer: payer.publicKey,
    lookupTable: table,
    addresses: [to, SystemProgram.programId],
  });
  await connection.sendTransaction(signed(payer, await newest(), [create, extend]));

  await passSlots(1);
  const { value: tableAccount } = await connection.getAddressLookupTable(table);
  const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 2_000_000 });
  const transaction = signed(payer, await newest(), [transfer], tableAccount ? [tableAccount] : []);
  expect(transaction.message.addressTableLookups).toHaveLength(1);
  const signature = await connection.sendTransaction(transaction);

  expect(await connection.getBalance(to)).toBe(2_000_000);
  const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
  expect(landed?.meta?.loadedAddresses?.writable.map(String)).toEqual([to.toBase58()]);
  expect((await connection.getSignaturesForAddress(to)).map((entry) => entry.signature)).toEqual([signature]);
});

type Instructions = ConstructorParameters<typeof TransactionMessage>[0]['instructions'];
type Tables = Parameters<TransactionMessage['compileToV0Message']>[0];

function signed(payer: Keypair, recentBlockhash: string, instructions: Instructions, tables: Tables = []) {
  const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash, instructions });
  const transaction = new VersionedTransaction(message.compileToV0Message(tables));
  transaction.sign([payer]);
  return transaction;
}
