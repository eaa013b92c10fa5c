import { Keypair } from '@solana/web3.js';
import { describe, expect } from 'vitest';
import { networkStage } from './hosted-network.ts';
import { STANDING_STILL, transferBytes } from './test-network.ts';

const stage = await networkStage({ slotDuration: STANDING_STILL, delays: { confirmed: 1, finalized: 3 } });
const { network, connection, call, passSlots, send, test } = stage;

describe('the moment that a network keeps', () => {
  test('everything since then can be dropped, also what is final, and more than once', async () => {
    const payer = await network.funded();
    await passSlots(5);
    const to = Keypair.generate().publicKey;
    const transfer = async (lamports: number) => {
      const { blockhash } = await connection.getLatestBlockhash('finalized');
      expect((await send(transferBytes(payer, to, lamports, blockhash))).error).toBeUndefined();
    };
    const balance = async () => (await call('getBalance', [to.toBase58()])).result;
    await transfer(1_000_000);
    const { result: kept } = await call('keep', []);
    for (const lamports of [2_000_000, 3_000_000]) {
      await transfer(lamports);
      await passSlots(10);
      await transfer(lamports);
      await passSlots(10);
      expect(await balance()).toMatchObject({ value: 1_000_000 + 2 * lamports });
      expect((await call('dropAfter', [kept])).result).toBe(kept);
      await passSlots(5);
      expect(await balance()).toMatchObject({ value: 1_000_000 });
    }
  });

  test('without a kept moment, only what is not final can be dropped', async () => {
    const other = await networkStage({ slotDuration: STANDING_STILL, delays: { confirmed: 1, finalized: 3 } });
    await other.passSlots(10);
    const slot = Number((await other.call('getSlot', [{ commitment: 'processed' }])).result);
    expect((await other.call('dropAfter', [1])).result).toBe(slot - 3);
  });
});
