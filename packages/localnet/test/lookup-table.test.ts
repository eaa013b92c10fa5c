import {
  AddressLookupTableProgram,
  Keypair,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { expect, test } from 'vitest';
import { startTestNetwork, until } from './test-network.ts';

test('a transaction takes accounts from a lookup table made on the network, and its history names them', async () => {
  const network = await startTestNetwork();
  try {
    const { connection } = network;
    const payer = await network.funded();
    const to = Keypair.generate().publicKey;
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
    const made = await connection.getLatestBlockhash();
    await connection.sendTransaction(signed(payer, made.blockhash, [create, extend]));

    const start = await connection.getSlot();
    await until(async () => (await connection.getSlot()) > start);
    const { value: tableAccount } = await connection.getAddressLookupTable(table);
    const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 2_000_000 });
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = signed(payer, blockhash, [transfer], tableAccount ? [tableAccount] : []);
    expect(transaction.message.addressTableLookups).toHaveLength(1);
    const signature = await connection.sendTransaction(transaction);

    expect(await connection.getBalance(to)).toBe(2_000_000);
    const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(landed?.meta?.loadedAddresses?.writable.map(String)).toEqual([to.toBase58()]);
    expect((await connection.getSignaturesForAddress(to)).map((entry) => entry.signature)).toEqual([signature]);
  } finally {
    await network.remove();
  }
});

type Instructions = ConstructorParameters<typeof TransactionMessage>[0]['instructions'];
type Tables = Parameters<TransactionMessage['compileToV0Message']>[0];

function signed(payer: Keypair, recentBlockhash: string, instructions: Instructions, tables: Tables = []) {
  const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash, instructions });
  const transaction = new VersionedTransaction(message.compileToV0Message(tables));
  transaction.sign([payer]);
  return transaction;
}
