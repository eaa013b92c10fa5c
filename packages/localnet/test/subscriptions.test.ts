import { Keypair } from '@solana/web3.js';
import { afterAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startHostedNetwork } from './hosted-network.ts';
import { signatureIn, subscribed, transferBytes, until } from './test-network.ts';

describe('WebSocket of the local network', async () => {
  const network = await startHostedNetwork({ withProgram: false });
  afterAll(network.remove);

  const newest = async () => (await network.connection.getLatestBlockhash()).blockhash;

  const settled = () => subscribed(network.connection);

  test('onAccountChange tells each change of the account, and none of others', async () => {
    const { connection } = network;
    const payer = await network.funded();
    const to = Keypair.generate().publicKey;
    const seen: number[] = [];
    const id = connection.onAccountChange(to, ({ lamports }) => seen.push(lamports));
    await settled();
    await connection.sendRawTransaction(transferBytes(payer, to, 1_000_000, await newest()));
    await connection.sendRawTransaction(transferBytes(payer, Keypair.generate().publicKey, 1_000_000, await newest()));
    await connection.sendRawTransaction(transferBytes(payer, to, 1_000_001, await newest()));
    await until(() => seen.length === 2);
    expect(seen).toEqual([1_000_000, 2_000_001]);
    await connection.removeAccountChangeListener(id);
    await connection.sendRawTransaction(transferBytes(payer, to, 1_000_002, await newest()));
    await settled();
    expect(seen).toHaveLength(2);
  });

  test('a transaction that failed on chain tells its error, and of accounts only its payer changed', async () => {
    const { connection } = network;
    const payer = await network.funded();
    const to = Keypair.generate().publicKey;
    const bytes = transferBytes(payer, to, 20_000_000_000, await newest());
    const results: unknown[] = [];
    const balances: number[] = [];
    const unchanged: unknown[] = [];
    connection.onSignature(signatureIn(bytes), ({ err }) => results.push(err));
    connection.onAccountChange(payer.publicKey, ({ lamports }) => balances.push(lamports));
    connection.onAccountChange(to, (account) => unchanged.push(account));
    await settled();
    await connection.sendRawTransaction(bytes, { skipPreflight: true });
    await until(() => results.length === 1 && balances.length === 1);
    expect(results).toEqual([{ InstructionError: [0, { Custom: 1 }] }]);
    expect(balances).toEqual([10_000_000_000 - 5_000]);
    expect(unchanged).toEqual([]);
  });

  test('onLogs and onSlotChange work', async () => {
    const { connection } = network;
    const payer = await network.funded();
    const to = Keypair.generate().publicKey;
    const logs: string[] = [];
    const others: string[] = [];
    const slots: number[] = [];
    connection.onLogs(to, ({ signature }) => logs.push(signature));
    connection.onLogs(Keypair.generate().publicKey, ({ signature }) => others.push(signature));
    connection.onSlotChange(({ slot }) => slots.push(slot));
    await settled();
    const signature = await connection.sendRawTransaction(transferBytes(payer, to, 1_000_000, await newest()));
    await until(() => logs.length === 1 && slots.length >= 2);
    expect(logs).toEqual([signature]);
    expect(others).toEqual([]);
    expect(slots[1]).toBeGreaterThan(slots[0] ?? 0);
  });

  test('both ports speak WebSocket; a ping without id is left unanswered, an unknown method is not', async () => {
    for (const port of [network.port, network.port + 1]) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}`);
      await new Promise((resolve) => socket.once('open', resolve));
      const received: { id: number; error?: { code: number } }[] = [];
      socket.on('message', (data) => received.push(JSON.parse(String(data))));
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'ping' }));
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'blockSubscribe', params: ['all'] }));
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'rootSubscribe' }));
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 8, method: 'accountUnsubscribe', params: [99] }));
      socket.send('{');
      await until(() => received.length === 4);
      expect(received.map(({ id, error }) => [id, error?.code])).toEqual([
        [7, -32601],
        [9, -32601],
        [8, -32602],
        [null, -32700],
      ]);
      socket.close();
    }
    expect((await fetch(`http://127.0.0.1:${network.port + 1}`)).status).toBe(426);
  });

  test('a signature subscription ends by itself with its one notification', async () => {
    const payer = await network.funded();
    const bytes = transferBytes(payer, Keypair.generate().publicKey, 1_000_000, await newest());
    await network.connection.sendRawTransaction(bytes);
    const socket = new WebSocket(`ws://127.0.0.1:${network.port}`);
    await new Promise((resolve) => socket.once('open', resolve));
    const received: { id?: number; result?: number; method?: string; error?: { code: number } }[] = [];
    socket.on('message', (data) => received.push(JSON.parse(String(data))));
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'signatureSubscribe', params: [signatureIn(bytes)] }));
    await until(() => received.length === 2);
    expect(received[1]?.method).toBe('signatureNotification');
    socket.send(
      JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'signatureUnsubscribe', params: [received[0]?.result] }),
    );
    await until(() => received.length === 3);
    expect(received[2]?.error?.code).toBe(-32602);
    socket.close();
  });

  test('a client that broke its connection off leaves nothing behind that disturbs the others', async () => {
    const { connection } = network;
    const payer = await network.funded();
    const to = Keypair.generate().publicKey;
    const socket = new WebSocket(`ws://127.0.0.1:${network.port}`);
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'accountSubscribe', params: [to.toBase58()] }));
    await new Promise((resolve) => socket.once('message', resolve));
    socket.terminate();
    await connection.sendRawTransaction(transferBytes(payer, to, 1_000_000, await newest()));
    expect(await connection.getBalance(to)).toBe(1_000_000);
  });
});
