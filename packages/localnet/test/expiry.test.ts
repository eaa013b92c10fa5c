import { Keypair } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { startTestNetwork, transferBytes, until } from './test-network.ts';

describe('statuses on the local network', () => {
  test('one that is older than 300 slots is found with searchTransactionHistory only, as on a cluster', async () => {
    const network = await startTestNetwork({ slotDuration: 5 });
    try {
      const { connection } = network;
      const signature = await connection.requestAirdrop(Keypair.generate().publicKey, 1e9);
      const slot = (await connection.getSignatureStatus(signature)).value?.slot ?? Number.NaN;
      await until(async () => (await connection.getSlot()) > slot + 301);
      expect((await connection.getSignatureStatus(signature)).value).toBeNull();
      const unsearched = await connection.getSignatureStatus(signature, { searchTransactionHistory: false });
      expect(unsearched.value).toBeNull();
      const { value } = await connection.getSignatureStatus(signature, { searchTransactionHistory: true });
      expect(value).toMatchObject({ slot, confirmationStatus: 'finalized' });
    } finally {
      await network.remove();
    }
  });
});

describe('blockhashes on the local network', () => {
  test('a blockhash expires after 150 slots, and its transaction is refused from then on', async () => {
    const network = await startTestNetwork({ slotDuration: 20 });
    try {
      const { connection } = network;
      const payer = await network.funded();
      const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
      const to = Keypair.generate().publicKey;
      const early = transferBytes(payer, to, 1_000_000, blockhash);
      await connection.sendRawTransaction(early);
      expect((await connection.isBlockhashValid(blockhash)).value).toBe(true);
      await until(async () => (await connection.getBlockHeight()) > lastValidBlockHeight);
      expect((await connection.isBlockhashValid(blockhash)).value).toBe(false);
      const late = connection.sendRawTransaction(transferBytes(payer, to, 1_000_001, blockhash));
      await expect(late).rejects.toThrow('Blockhash not found');
      await expect(connection.sendRawTransaction(early)).rejects.toThrow('Blockhash not found');
      expect(await connection.getBalance(to)).toBe(1_000_000);
    } finally {
      await network.remove();
    }
  });
});
