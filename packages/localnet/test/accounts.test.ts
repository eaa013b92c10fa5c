import { Keypair, type PublicKey, SystemProgram, sendAndConfirmTransaction, Transaction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rpc, startTestNetwork, type TestNetwork } from './test-network.ts';

describe('accounts on the local network', () => {
  let network: TestNetwork;
  let payer: Keypair;
  const owner = Keypair.generate().publicKey;
  const small: Keypair[] = [];
  let large: Keypair;

  beforeAll(async () => {
    network = await startTestNetwork();
    payer = await network.funded();
    for (let index = 0; index < 3; index++) small.push(await createAccount(40));
    large = await createAccount(200);
  });
  afterAll(() => network.remove());

  async function createAccount(space: number): Promise<Keypair> {
    const account = Keypair.generate();
    const lamports = await network.connection.getMinimumBalanceForRentExemption(space);
    const newAccountPubkey = account.publicKey;
    const fromPubkey = payer.publicKey;
    const create = SystemProgram.createAccount({ fromPubkey, newAccountPubkey, lamports, space, programId: owner });
    await sendAndConfirmTransaction(network.connection, new Transaction().add(create), [payer, account]);
    return account;
  }

  const addresses = (accounts: readonly { pubkey: PublicKey }[]) => accounts.map(({ pubkey }) => String(pubkey)).sort();
  const publicKeys = (wallets: Keypair[]) => wallets.map(({ publicKey }) => String(publicKey)).sort();

  test('getProgramAccounts gives all accounts of a program, and those that dataSize lets through', async () => {
    const { connection } = network;
    expect(addresses(await connection.getProgramAccounts(owner))).toEqual(publicKeys([...small, large]));
    const filtered = await connection.getProgramAccounts(owner, { filters: [{ dataSize: 200 }] });
    expect(addresses(filtered)).toEqual(publicKeys([large]));
    expect(filtered[0]?.account.data.length).toBe(200);
  });

  test('getProgramAccounts compares bytes in base58 and base64, and an offset past the end matches nothing', async () => {
    const { connection } = network;
    const count = async (filters: object[]) => {
      const { result } = await rpc(network.url, 'getProgramAccounts', [
        owner.toBase58(),
        { encoding: 'base64', filters },
      ]);
      return (result as unknown[]).length;
    };
    expect(await count([{ memcmp: { offset: 39, bytes: '1' } }])).toBe(4);
    expect(await count([{ memcmp: { offset: 39, bytes: '2' } }])).toBe(0);
    expect(await count([{ memcmp: { offset: 40, bytes: '1' } }])).toBe(1);
    expect(await count([{ memcmp: { offset: 0, bytes: 'AAA=', encoding: 'base64' } }, { dataSize: 40 }])).toBe(3);
    const viaClient = await connection.getProgramAccounts(owner, { filters: [{ memcmp: { offset: 40, bytes: '1' } }] });
    expect(addresses(viaClient)).toEqual(publicKeys([large]));
  });

  test('getMultipleAccounts keeps the order and says null for what is not there', async () => {
    const nobody = Keypair.generate().publicKey;
    const infos = await network.connection.getMultipleAccountsInfo([large.publicKey, nobody, payer.publicKey]);
    expect(infos.map((info) => info?.data.length)).toEqual([200, undefined, 0]);
    expect(infos[0]?.owner.equals(owner)).toBe(true);
  });

  test('an account is sent in the encoding asked for, and in part where a slice is asked for', async () => {
    const info = async (options: object | undefined, address = small[0]?.publicKey) => {
      const params = options ? [String(address), options] : [String(address)];
      const { result } = await rpc(network.url, 'getAccountInfo', params);
      return (result as { value: { data: unknown; space: number } }).value;
    };
    expect((await info({ encoding: 'base64' })).data).toEqual([Buffer.alloc(40).toString('base64'), 'base64']);
    expect((await info({ encoding: 'jsonParsed' })).data).toEqual([Buffer.alloc(40).toString('base64'), 'base64']);
    expect((await info({ encoding: 'base58' })).data).toEqual(['1'.repeat(40), 'base58']);
    expect((await info(undefined)).data).toBe('1'.repeat(40));
    const slice = await info({ encoding: 'base58', dataSlice: { offset: 38, length: 10 } });
    expect(slice).toMatchObject({ data: ['11', 'base58'], space: 40 });
  });

  test('base58 of more than 128 bytes is refused', async () => {
    const { error } = await rpc(network.url, 'getAccountInfo', [String(large.publicKey), { encoding: 'base58' }]);
    expect(error?.code).toBe(-32600);
  });

  test('rentEpoch keeps all its digits', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getAccountInfo', params: [String(payer.publicKey)] });
    const answer = await fetch(network.url, { method: 'POST', body });
    expect(await answer.text()).toContain('"rentEpoch":18446744073709551615');
  });

  test('an account that gave away all it had is gone', async () => {
    const { connection } = network;
    const wallet = await network.funded();
    const all = SystemProgram.transfer({
      fromPubkey: wallet.publicKey,
      toPubkey: payer.publicKey,
      lamports: 10_000_000_000 - 5_000,
    });
    await sendAndConfirmTransaction(connection, new Transaction().add(all), [wallet]);
    expect(await connection.getAccountInfo(wallet.publicKey)).toBeNull();
    expect(await connection.getBalance(wallet.publicKey)).toBe(0);
  });
});
