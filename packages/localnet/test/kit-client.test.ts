import {
  address,
  airdropFactory,
  appendTransactionMessageInstruction,
  assertIsTransactionWithBlockhashLifetime,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  generateKeyPairSigner,
  getSignatureFromTransaction,
  lamports,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { expect, test } from 'vitest';
import { startTestNetwork } from './test-network.ts';

test('@solana/kit airdrops, sends, confirms over WebSocket and reads back, unmodified', async () => {
  const network = await startTestNetwork();
  try {
    const rpc = createSolanaRpc(network.url);
    const rpcSubscriptions = createSolanaRpcSubscriptions(`ws://127.0.0.1:${network.port}`);
    const payer = await generateKeyPairSigner();
    const clients = { rpc, rpcSubscriptions } as unknown as Parameters<typeof airdropFactory>[0];
    const airdrop = airdropFactory(clients);
    await airdrop({ recipientAddress: payer.address, lamports: lamports(5_000_000_000n), commitment: 'confirmed' });

    const { value: blockhash } = await rpc.getLatestBlockhash().send();
    const memo = {
      programAddress: address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
      data: new TextEncoder().encode('hello'),
    };
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (m) => setTransactionMessageFeePayerSigner(payer, m),
      (m) => setTransactionMessageLifetimeUsingBlockhash(blockhash, m),
      (m) => appendTransactionMessageInstruction(memo, m),
    );
    const transaction = await signTransactionMessageWithSigners(message);
    assertIsTransactionWithBlockhashLifetime(transaction);
    await sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions } as unknown as Parameters<
      typeof sendAndConfirmTransactionFactory
    >[0])(transaction as Parameters<ReturnType<typeof sendAndConfirmTransactionFactory>>[0], {
      commitment: 'confirmed',
    });

    const signature = getSignatureFromTransaction(transaction);
    const landed = await rpc.getTransaction(signature, { maxSupportedTransactionVersion: 0, encoding: 'json' }).send();
    expect(landed?.meta?.logMessages?.join()).toContain('hello');
    const { value } = await rpc.getAccountInfo(payer.address, { encoding: 'base64' }).send();
    expect(value?.lamports).toBe(5_000_000_000n - 5_000n);
    expect((await rpc.getEpochInfo().send()).absoluteSlot).toBeGreaterThan(0n);
  } finally {
    await network.remove();
  }
});
