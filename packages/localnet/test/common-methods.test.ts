import { zstdDecompressSync } from 'node:zlib';
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { base64, rpc, startTestNetwork, type TestNetwork, until } from './test-network.ts';
import { createMint, createTokenAccount, mintTo, TOKEN_PROGRAM } from './token-instructions.ts';

describe('methods that common tools call on the local network', () => {
  let network: TestNetwork;
  let payer: Keypair;
  beforeAll(async () => {
    network = await startTestNetwork();
    payer = await network.funded();
  });
  afterAll(() => network.remove());

  const call = async (method: string, params: unknown[] = []) => {
    const { result, error } = await rpc(network.url, method, params);
    if (error) throw new Error(`${method}: ${error.code} ${error.message}`);
    return result;
  };

  /** @returns its signature and slot */
  async function land(instructions: TransactionInstruction[], signers: Keypair[] = [], config: object = {}) {
    const { blockhash } = await network.connection.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash }).add(...instructions);
    transaction.sign(payer, ...signers);
    const options = { encoding: 'base64', ...config };
    const signature = await call('sendTransaction', [base64(transaction.serialize()), options]);
    const { value } = await network.connection.getSignatureStatus(String(signature));
    return { signature: String(signature), slot: value?.slot ?? 0 };
  }

  const pay = (lamports = 1_000_000) =>
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: Keypair.generate().publicKey, lamports });

  test('getVersion names release and feature set, getIdentity and the leaders are one node', async () => {
    expect(await call('getVersion')).toEqual({
      'feature-set': expect.any(Number),
      'solana-core': expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    const { identity } = (await call('getIdentity')) as { identity: string };
    expect(new PublicKey(identity).toBytes()).toHaveLength(32);
    expect(await call('getSlotLeader')).toBe(identity);
    expect(await call('getSlotLeaders', [5, 3])).toEqual([identity, identity, identity]);
    expect(await call('getSlotLeaders', [5, 0])).toEqual([]);
    expect(await call('getClusterNodes')).toMatchObject([{ pubkey: identity, version: expect.any(String) }]);
  });

  test('getEpochSchedule fits getEpochInfo', async () => {
    const schedule = await network.connection.getEpochSchedule();
    const info = await network.connection.getEpochInfo();
    expect(schedule.getEpoch(info.absoluteSlot)).toBe(info.epoch);
    expect(schedule.getSlotsInEpoch(info.epoch)).toBe(info.slotsInEpoch);
  });

  test('getTransactionCount and getEpochInfo count what has landed', async () => {
    const before = await network.connection.getTransactionCount();
    await land([pay()]);
    await land([pay(1e13)], [], { skipPreflight: true });
    expect(await network.connection.getTransactionCount()).toBe(before + 2);
    expect((await network.connection.getEpochInfo()).transactionCount).toBe(before + 2);
  });

  test('a block holds the transactions of its slot in their order, in each form that can be asked for', async () => {
    const { signature, slot } = await land([pay()]);
    const block = async (config: object) =>
      (await call('getBlock', [slot, { maxSupportedTransactionVersion: 0, ...config }])) as Record<string, unknown> & {
        transactions?: { transaction: unknown; meta: object }[];
        signatures?: string[];
      };
    const full = await block({});
    expect(full).toMatchObject({ blockHeight: slot, parentSlot: slot - 1, blockTime: expect.any(Number), rewards: [] });
    expect(full.previousBlockhash).toBe(((await call('getBlock', [slot - 1])) as { blockhash: string }).blockhash);
    const { signatures = [] } = await block({ transactionDetails: 'signatures' });
    expect(signatures).toContain(signature);
    expect(
      full.transactions?.map(({ transaction }) => (transaction as { signatures: string[] }).signatures[0]),
    ).toEqual(signatures);
    const none = await block({ transactionDetails: 'none', rewards: false });
    expect(Object.keys(none)).not.toEqual(expect.arrayContaining(['transactions']));
    expect(none).not.toHaveProperty('rewards');
    const accounts = await block({ transactionDetails: 'accounts' });
    expect(accounts.transactions?.at(-1)?.transaction).toMatchObject({
      accountKeys: expect.arrayContaining([
        { pubkey: payer.publicKey.toBase58(), signer: true, writable: true, source: 'transaction' },
      ]),
    });
    const parsed = await network.connection.getParsedBlock(slot, { maxSupportedTransactionVersion: 0 });
    expect(parsed.transactions.map(({ transaction }) => transaction.signatures[0])).toEqual(signatures);
  });

  test('blocks and their times: ranges, and -32004 for a slot that is not reached', async () => {
    await until(async () => (await network.connection.getSlot()) > 5);
    expect(await call('getBlocks', [2, 4])).toEqual([2, 3, 4]);
    expect(await call('getBlocks', [4, 2])).toEqual([]);
    expect(await call('getBlocksWithLimit', [2, 2])).toEqual([2, 3]);
    expect(await call('getFirstAvailableBlock')).toBe(0);
    expect(await call('minimumLedgerSlot')).toBe(0);
    const [early, late] = [await call('getBlockTime', [2]), await call('getBlockTime', [4])];
    expect(Math.abs(Number(late) - Date.now() / 1000)).toBeLessThan(60);
    expect(Number(late)).toBeGreaterThanOrEqual(Number(early));
    for (const method of ['getBlock', 'getBlockTime']) {
      const { error } = await rpc(network.url, method, [10_000_000]);
      expect(error).toEqual({ code: -32004, message: 'Block not available for slot 10000000' });
    }
  });

  test('getRecentPrioritizationFees tells what was paid, of a slot or of the accounts that were written', async () => {
    const to = Keypair.generate();
    const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 4_321 });
    const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to.publicKey, lamports: 1e6 });
    const { slot } = await land([price, transfer]);
    type Fees = { slot: number; prioritizationFee: number }[];
    const of = async (accounts: string[]) =>
      ((await call('getRecentPrioritizationFees', [accounts])) as Fees).find((fee) => fee.slot === slot);
    expect(await of([to.publicKey.toBase58()])).toEqual({ slot, prioritizationFee: 4_321 });
    const [oldest, ...rest] = (await call('getRecentPrioritizationFees')) as Fees;
    expect(oldest).toBeDefined();
    expect(
      rest.every((fee, index) => fee.slot > (index === 0 ? (oldest?.slot ?? 0) : (rest[index - 1]?.slot ?? 0))),
    ).toBe(true);
  });

  test('base64+zstd gives the very bytes', async () => {
    const program = TOKEN_PROGRAM.toBase58();
    const data = async (encoding: string) =>
      ((await call('getAccountInfo', [program, { encoding }])) as { value: { data: [string, string] } }).value.data;
    const [compressed, name] = await data('base64+zstd');
    expect(name).toBe('base64+zstd');
    expect(zstdDecompressSync(Buffer.from(compressed, 'base64')).toString('base64')).toBe((await data('base64'))[0]);
  });

  test('jsonParsed names the instructions of the System and the memo program, each with its fields', async () => {
    const { publicKey: fromPubkey } = payer;
    const [account, seedOwner] = [Keypair.generate(), Keypair.generate().publicKey];
    const seeded = await PublicKey.createWithSeed(fromPubkey, 'seed', SystemProgram.programId);
    const system = (type: string, info: object) => ({
      program: 'system',
      programId: '1'.repeat(32),
      parsed: { type, info },
      stackHeight: 1,
    });
    const [source, newAccount] = [fromPubkey.toBase58(), account.publicKey.toBase58()];
    const memo = new TransactionInstruction({
      programId: new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
      keys: [],
      data: Buffer.from('hello'),
    });
    const { signature } = await land(
      [
        SystemProgram.createAccount({
          fromPubkey,
          newAccountPubkey: account.publicKey,
          lamports: 2e6,
          space: 0,
          programId: SystemProgram.programId,
        }),
        SystemProgram.allocate({ accountPubkey: account.publicKey, space: 5 }),
        SystemProgram.assign({ accountPubkey: account.publicKey, programId: seedOwner }),
        SystemProgram.createAccountWithSeed({
          fromPubkey,
          basePubkey: fromPubkey,
          newAccountPubkey: seeded,
          seed: 'seed',
          lamports: 3e6,
          space: 0,
          programId: SystemProgram.programId,
        }),
        SystemProgram.transfer({
          fromPubkey: seeded,
          basePubkey: fromPubkey,
          seed: 'seed',
          programId: SystemProgram.programId,
          toPubkey: fromPubkey,
          lamports: 7,
        }),
        memo,
        ComputeBudgetProgram.setComputeUnitLimit({ units: 50_000 }),
      ],
      [account],
    );
    const parsed = await network.connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
    const none = '1'.repeat(32);
    expect(JSON.parse(JSON.stringify(parsed?.transaction.message.instructions))).toEqual([
      system('createAccount', { source, newAccount, lamports: 2e6, space: 0, owner: none }),
      system('allocate', { account: newAccount, space: 5 }),
      system('assign', { account: newAccount, owner: seedOwner.toBase58() }),
      system('createAccountWithSeed', {
        source,
        newAccount: seeded.toBase58(),
        base: source,
        seed: 'seed',
        lamports: 3e6,
        space: 0,
        owner: none,
      }),
      system('transferWithSeed', {
        source: seeded.toBase58(),
        sourceBase: source,
        destination: source,
        lamports: 7,
        sourceSeed: 'seed',
        sourceOwner: none,
      }),
      { program: 'spl-memo', programId: memo.programId.toBase58(), parsed: 'hello', stackHeight: 1 },
      { programId: ComputeBudgetProgram.programId.toBase58(), accounts: [], data: expect.any(String), stackHeight: 1 },
    ]);
  });

  test('a System instruction that cannot be read is shown with its data, in a transaction that failed', async () => {
    const keys = [{ pubkey: payer.publicKey, isSigner: true, isWritable: true }];
    const shapes = [Buffer.from([2, 0, 0, 0]), Buffer.from([99, 0, 0, 0]), Buffer.from([3, 0])];
    for (const data of [
      ...shapes,
      Buffer.concat([Buffer.from([3, 0, 0, 0]), Buffer.alloc(32), Buffer.alloc(8, 255)]),
    ]) {
      const broken = new TransactionInstruction({ programId: SystemProgram.programId, keys: [...keys, ...keys], data });
      const { signature } = await land([broken, pay(data.length + 1e6)], [], { skipPreflight: true });
      const parsed = await network.connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
      expect(parsed?.meta?.err).not.toBeNull();
      expect(parsed?.transaction.message.instructions[0]).not.toHaveProperty('parsed');
    }
  });

  test('token accounts: listed by owner, with balances, in transactions too', async () => {
    const { connection } = network;
    const [mint, holding, owner] = [Keypair.generate(), Keypair.generate(), Keypair.generate().publicKey];
    const rent = (space: number) => connection.getMinimumBalanceForRentExemption(space);
    await land(createMint(payer, mint, 6, await rent(82)), [mint]);
    await land(createTokenAccount(payer, holding, mint.publicKey, owner, await rent(165)), [holding]);
    const { signature } = await land([mintTo(payer, mint.publicKey, holding.publicKey, 1_234_500n)]);

    const tokenAmount = { amount: '1234500', decimals: 6, uiAmount: 1.2345, uiAmountString: '1.2345' };
    expect((await connection.getTokenAccountBalance(holding.publicKey)).value).toEqual(tokenAmount);
    expect((await connection.getTokenSupply(mint.publicKey)).value).toEqual(tokenAmount);
    for (const filter of [{ mint: mint.publicKey }, { programId: TOKEN_PROGRAM }]) {
      const raw = await connection.getTokenAccountsByOwner(owner, filter);
      expect(raw.value.map(({ pubkey }) => pubkey.toBase58())).toEqual([holding.publicKey.toBase58()]);
      const [parsed] = (await connection.getParsedTokenAccountsByOwner(owner, filter)).value;
      expect(parsed?.account.data).toEqual({
        program: 'spl-token',
        space: 165,
        parsed: {
          type: 'account',
          info: {
            isNative: false,
            mint: mint.publicKey.toBase58(),
            owner: owner.toBase58(),
            state: 'initialized',
            tokenAmount,
          },
        },
      });
    }
    const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    const balance = { mint: mint.publicKey.toBase58(), owner: owner.toBase58(), programId: TOKEN_PROGRAM.toBase58() };
    const nothing = { amount: '0', decimals: 6, uiAmount: null, uiAmountString: '0' };
    expect(landed?.meta?.preTokenBalances).toMatchObject([{ ...balance, uiTokenAmount: nothing }]);
    expect(landed?.meta?.postTokenBalances).toMatchObject([{ ...balance, uiTokenAmount: tokenAmount }]);
    const other = await land([pay()]);
    const plain = await connection.getTransaction(other.signature, { maxSupportedTransactionVersion: 0 });
    expect(plain?.meta?.preTokenBalances).toEqual([]);
  });

  test('what is no token account, mint or token program is told in the words of a cluster', async () => {
    const [wallet, nobody] = [payer.publicKey.toBase58(), Keypair.generate().publicKey.toBase58()];
    const message = async (method: string, params: unknown[]) => {
      const { error } = await rpc(network.url, method, params);
      expect(error?.code).toBe(-32602);
      return error?.message;
    };
    expect(await message('getTokenAccountBalance', [wallet])).toBe('Invalid param: not a Token account');
    expect(await message('getTokenAccountBalance', [nobody])).toBe('Invalid param: could not find account');
    expect(await message('getTokenSupply', [wallet])).toBe('Invalid param: not a Token mint');
    const byOwner = (filter: object) => message('getTokenAccountsByOwner', [wallet, filter]);
    expect(await byOwner({ mint: wallet })).toBe('Invalid param: Token mint could not be unpacked');
    expect(await byOwner({ programId: wallet })).toBe('Invalid param: unrecognized Token program id');
  });
});
